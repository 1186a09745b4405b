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
    try:
        import pandas
    except ModuleNotFoundError:
        said = "a frame needs pandas: pip install pandas; frame=False gives the columns as a dictionary of arrays"
        raise ModuleNotFoundError(said, name="pandas") from None
    return pandas.DataFrame(columns, copy=False)
