"""Control laws, one per file, with their sufficient conditions."""
