"""Tidegate for tests: the server, and fixtures of pytest that use it."""

from .process import TidegateProcess, TidegateStartError
from .server import Address, Tidegate, TidegateRefusal

__all__ = ["Address", "Tidegate", "TidegateProcess", "TidegateRefusal", "TidegateStartError"]
