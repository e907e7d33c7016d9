"""`python -m scalesr_bench.cli` is `scalesr-bench`."""

from scalesr_bench.cli import main

main()
