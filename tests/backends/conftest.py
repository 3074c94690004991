"""Machine code of the tests is kept in a folder of their own."""

from tests.support.functions import private_cache

__all__ = ["private_cache"]
