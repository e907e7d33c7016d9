"""The experiments of the paper, with its own figures beside ours."""
