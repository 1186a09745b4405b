"""What people write as keywords, as the overrides that recipes know: 'problem.n=20'."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from . import _core

#: Short for what has a longer name in recipes.
_SHORT = {
    "budget": "stop.evaluations",
    "population": "algorithm.population",
    "offspring": "algorithm.offspring",
    "hall_of_fame": "algorithm.hall_of_fame",
    "select": "stages.select",
    "recombine": "stages.recombine",
    "mutate": "stages.mutate",
    "operations": "stages.operations",
    "improve": "stages.improve",
    "replace": "stages.replace",
}
#: Places that hold a part: a text alone says which.
_PARTS = {path for path, parts in _core.parts().items() if "" not in parts}


def _value(key: str, value: Any) -> str:
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    if isinstance(value, (float, np.floating)):
        return repr(float(value))
    if isinstance(value, str):
        return _core.toml_text(value)
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_value(key, one) for one in value) + "]"
    raise TypeError(f"{key} is a {type(value).__name__}; it must be a number, a text, True or False")


def overrides(settings: Mapping[str, Any], prefix: str = "") -> Iterator[str]:
    """problem__n=20 and problem={'n': 20} are 'problem.n=20'; select='tournament' names a part; None takes one away."""
    for key, value in settings.items():
        if not isinstance(key, str):
            raise TypeError(f"{key!r} is no name of a setting")
        path = prefix + key.replace("__", ".")
        path = _SHORT.get(path, path)
        if value is None:
            yield f"{path}=none"
        elif isinstance(value, Mapping):
            ordered = sorted(value.items(), key=lambda item: item[0] != "kind")  # the kind first: it has the fields
            yield from overrides(dict(ordered), path + ".")
        elif path in _PARTS and isinstance(value, str):
            yield f"{path}.kind={_value(path, value)}"
        else:
            yield f"{path}={_value(path, value)}"
