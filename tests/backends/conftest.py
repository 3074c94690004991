"""Machine code of the tests is kept in a folder of their own."""

from tests.backends.asking import private_cache

__all__ = ["private_cache"]
