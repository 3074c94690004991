"""The command line. No physics."""
