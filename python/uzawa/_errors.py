"""Exceptions of the package."""

from __future__ import annotations


class InputError(ValueError):
    """Bad input: a file, a name, a shape, a number that is not finite.

    `source` is the file (may be empty), `element` what in it is wrong, `reason` why.
    """

    def __init__(self, source: str, element: str = "", reason: str = "") -> None:
        super().__init__(source, element, reason)
        self.source = source
        self.element = element
        self.reason = reason

    def __str__(self) -> str:
        return ": ".join(part for part in (self.source, self.element, self.reason) if part)


class MissingExtra(ImportError):
    """A function needs a library that is not installed."""


def need(module: str, extra: str) -> None:
    """Says in one line what to install where a library of an extra is missing."""
    import importlib

    try:
        importlib.import_module(module)
    except ImportError as error:
        raise MissingExtra(f"{module} is not installed: pip install 'uzawa[{extra}]'") from error
