"""The studio: its safety, its robot files, its workers, and all of it in a browser."""
