"""`python -m scalesr.cli` is `scalesr`."""

from scalesr.cli.app import main

main()
