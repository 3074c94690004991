"""`python -m dynamis` is the command line."""

from dynamis.cli.start import run

if __name__ == "__main__":
    run()
