"""The command `cortex-memory`."""

from cortex_memory.cli import application


def main() -> None:
    """Run the command line."""
    application()


if __name__ == "__main__":
    main()
