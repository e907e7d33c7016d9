"""The command line."""

from scalesr.cli.app import main as main
