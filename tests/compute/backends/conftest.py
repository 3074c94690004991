"""Machine code of the tests is kept in a folder of their own, and JAX has two devices."""

import os

from tests.support.functions import private_cache

__all__ = ["private_cache"]

os.environ.setdefault("XLA_FLAGS", "--xla_force_host_platform_device_count=2")
