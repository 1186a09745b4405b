"""Columns by name, as a frame where pandas is installed."""

from __future__ import annotations

import importlib.util
from typing import Any


def has_pandas() -> bool:
    return importlib.util.find_spec("pandas") is not None


def frame(columns: dict[str, Any], wanted: bool | None = None) -> Any:
    """The columns as a pandas frame if it is wanted, or, unless told, if pandas is there; else as they are."""
    if wanted is False or (wanted is None and not has_pandas()):
        return columns
    import pandas

    return pandas.DataFrame(columns, copy=False)
