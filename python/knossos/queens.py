"""Boards of queens: many at once, as arrays of the column of each row's queen."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _core
from ._arguments import threads as _threads


def conflicts(boards: Any, *, threads: int = 0) -> np.ndarray:
    """How many pairs of queens stand on one line, on each board.

    `boards` is [count, n] of columns from 0 on; uint8, uint16 and uint32 are taken as they are, without a copy.

    >>> import numpy as np, knossos
    >>> knossos.queens.conflicts(np.array([[1, 3, 0, 2], [0, 1, 2, 3], [0, 0, 0, 0]], dtype=np.uint8))
    array([0., 6., 6.])
    """
    boards = np.asarray(boards)
    if boards.dtype.kind not in "iu":
        raise TypeError(f"boards are {boards.dtype}; they must be uint8, uint16 or uint32 [count, n]")
    if boards.dtype.kind == "i" or boards.dtype.itemsize == 8:
        wrong = np.argwhere((boards < 0) | (boards >= 2**32))
        if len(wrong):
            place = ", ".join(map(str, wrong[0]))
            raise ValueError(f"boards[{place}] is {boards[tuple(wrong[0])]}; columns of a board are 0 to n - 1")
        boards = boards.astype(np.uint32)
    native = boards.astype(boards.dtype.newbyteorder("="), copy=False)
    return _core.count_queens(np.require(native, requirements=["C", "A"]), _threads(threads))
