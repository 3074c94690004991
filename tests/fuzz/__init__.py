"""A structure-aware, seeded mutation fuzzer over every reader of dynamis; see README.md beside this file."""
