"""`python -m scalesr.cli` is `scalesr`."""

from scalesr.cli import main

main()
