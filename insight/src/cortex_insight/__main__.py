"""The command `cortex-insight`."""

from cortex_insight.cli import application


def main() -> None:
    """Run the command line."""
    application()


if __name__ == "__main__":
    main()
