"""Dungeons: levels with keys and doors, many at once, as arrays of tiles."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from . import _core
from ._arguments import threads as _threads
from ._frames import frame as _frame
from .maze import _bytes, _names

#: What the numbers in arrays of dungeons stand for, from 0 on.
tiles: list[str] = list(_core.dungeon_tiles)


def judge(
    levels: Any, measures: str | Iterable[str] | None = None, *, threads: int = 0, frame: bool | None = False
) -> Any:
    """Whether dungeons can be solved, whether nobody can get stuck in them, and what is measured on them.

    `levels` is uint8 [count, height, width], each cell one of `knossos.dungeon.tiles`, and is not copied. Without `measures`
    all of them are taken, which takes longer than a few.

    >>> import numpy as np, knossos
    >>> E, X, key, door = (knossos.dungeon.tiles.index(name) for name in ('entrance', 'exit', 'small key', 'locked door'))
    >>> levels = np.array([[[E, key, door, X]], [[key, E, door, X]], [[E, 0, key, X]]], dtype=np.uint8)
    >>> knossos.dungeon.judge(levels, 'solution')
    {'solvable': array([ True,  True, False]), 'unlosable': array([ True,  True, False]), 'solution': array([ 3.,  4., -1.])}
    """
    return _frame(_core.judge_dungeons(_bytes(levels), _names(measures), _threads(threads)), frame)


def measures() -> list[tuple[str, str, str]]:
    """The measures that there are: name, short name, and what it is.

    >>> import knossos
    >>> knossos.dungeon.measures()[0][:2]
    ('solution', 'solution')
    """
    return _core.dungeon_measures()
