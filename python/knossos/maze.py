"""Mazes: many at once, as arrays of 0 (open) and 1 (rock)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from . import _core
from ._arguments import threads as _threads
from ._arguments import whole as _whole
from ._frames import frame as _frame

_Place = tuple[int, int]


def _names(measures: str | Iterable[str] | None) -> list[str] | None:
    if measures is None:
        return None
    names = measures.split(",") if isinstance(measures, str) else list(measures)
    for name in names:
        if not isinstance(name, str):
            raise TypeError(f"measures has {name!r}; names of measures are texts")
    return [name.strip() for name in names]


def _bytes(levels: Any) -> np.ndarray:
    levels = np.asarray(levels)
    if levels.dtype == np.bool_:
        return levels.view(np.uint8)
    if levels.dtype != np.uint8:
        raise TypeError(f"levels are {levels.dtype}; they must be uint8 [count, height, width]")
    return levels


def _place(name: str, place: Any) -> _Place:
    try:
        x, y = place
    except (TypeError, ValueError):
        raise TypeError(f"{name} is {place!r}; it must be a pair (x, y)") from None
    most = 2**32 - 1
    return _whole(f"the x of {name}", x, 0, most), _whole(f"the y of {name}", y, 0, most)


def measure(
    levels: Any,
    measures: str | Iterable[str] | None = None,
    *,
    entrance: _Place = (0, 0),
    exit: _Place | None = None,
    checkpoints: Sequence[_Place] = (),
    threads: int = 0,
    frame: bool | None = False,
) -> Any:
    """What is measured on each of many mazes: a dictionary of arrays, all measures or those that are named.

    `levels` is uint8 or bool [count, height, width] and is not copied. Places are (x, y) from the upper left corner;
    without an `exit` it is the lower right one. With `frame=True` it is a pandas frame instead.

    >>> import numpy as np, knossos
    >>> levels = np.zeros((2, 3, 4), dtype=np.uint8)
    >>> levels[1, 1:, 1] = 1
    >>> knossos.maze.measure(levels, 'path, rock')
    {'path': array([5., 5.]), 'rock': array([0., 2.])}
    >>> len(knossos.maze.measure(levels)) == len(knossos.maze.measures())
    True
    """
    begin, end = _place("entrance", entrance), None if exit is None else _place("exit", exit)
    between = [_place("checkpoint", one) for one in checkpoints]
    columns = _core.measure_mazes(_bytes(levels), _names(measures), begin, end, between, _threads(threads))
    return _frame(columns, frame)


def measures() -> list[tuple[str, str, str]]:
    """The measures that there are: name, short name, and what it is.

    >>> import knossos
    >>> [name for name, short, meaning in knossos.maze.measures() if short == 'path']
    ['exit_path']
    """
    return _core.maze_measures()
