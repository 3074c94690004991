"""The processor that code is made for."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Host:
    """The processor as LLVM sees it."""

    triple: str
    cpu: str
    features: str

    def has(self, feature: str) -> bool:
        return f"+{feature}" in self.features.split(",")

    @property
    def fuses(self) -> bool:
        """Whether it multiplies and adds in one operation; every 64-bit ARM does."""
        return self.has("fma") or self.triple.startswith(("aarch64", "arm64"))
