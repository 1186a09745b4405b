"""What people hand over, looked at before it goes on: messages that say what is wrong with which argument, and what would be right."""

from __future__ import annotations

import operator
from typing import Any

from . import _core

#: As many as there are for the command line.
_MOST_THREADS = 1024


def whole(name: str, value: Any, low: int = 0, high: int | None = None) -> int:
    """A whole number in a range."""
    wanted = f"it must be a whole number in {low}..{high}" if high is not None else f"it must be a whole number, {low} or more"
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} is {value!r}; {wanted}") from None
    if number < low or (high is not None and number > high):
        raise ValueError(f"{name} is {number}; {wanted}")
    return number


def threads(value: Any) -> int:
    """How many threads; 0 is one for each that the machine has."""
    return whole("threads", value, 0, _MOST_THREADS)


def seed(value: Any) -> int:
    """Where random numbers come from."""
    return whole("seed", value, 0, 2**64 - 1)


def function(name: str, value: Any) -> Any:
    """Something that can be called."""
    if not callable(value):
        raise TypeError(f"{name} is {_article(value)}; it must be a function")
    return value


def listener(value: Any) -> Any:
    """What hears of generations, if anybody does."""
    return None if value is None else function("on_generation", value)


def space(value: Any) -> _core.Space:
    """What genomes are."""
    if not isinstance(value, _core.Space):
        raise TypeError(f"space is {_article(value)}; it must be a knossos.Space, such as knossos.Space.bits(100)")
    return value


def text(name: str, value: Any) -> str:
    """A text."""
    if not isinstance(value, str):
        raise TypeError(f"{name} is {_article(value)}; it must be a text")
    return value


def _article(value: Any) -> str:
    return "None" if value is None else f"of type {type(value).__name__}"
