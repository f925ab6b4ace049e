"""Run the command line as `python -m explainers`."""

import sys

from .cli import main

if __name__ == "__main__":  # workers import this module again
    sys.exit(main())
