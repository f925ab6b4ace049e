"""Run the command line as `python -m explainers`."""

import signal
import sys


def start() -> int:
    """Run the command; Ctrl-C while its modules are still loading ends it as it does later."""
    try:
        # The door holds the signal back until there is somebody to take it.
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
        from .cli import main

        return main()
    except KeyboardInterrupt:
        print("Stopped.", file=sys.stderr)  # noqa: T201 - it is the end of the command line
        return 130


if __name__ == "__main__":  # workers import this module again
    sys.exit(start())
