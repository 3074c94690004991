"""Parts of exported files that are the same for every robot."""
