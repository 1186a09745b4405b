"""Boards of queens: many at once, as arrays of the column of each row's queen."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _core


def conflicts(boards: Any, *, threads: int = 0) -> np.ndarray:
    """How many pairs of queens stand on one line, on each board.

    `boards` is [count, n] of columns from 0 on; uint8, uint16 and uint32 are taken as they are, without a copy.

    >>> import numpy as np, knossos
    >>> knossos.queens.conflicts(np.array([[1, 3, 0, 2], [0, 1, 2, 3], [0, 0, 0, 0]], dtype=np.uint8))
    array([0., 6., 6.])
    """
    boards = np.asarray(boards)
    if boards.dtype.kind == "i" and boards.size and boards.min() >= 0 and boards.max() < 2**32:
        boards = boards.astype(np.uint32)
    return _core.count_queens(np.require(boards, requirements=["C", "A"]), threads)
