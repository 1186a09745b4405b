"""Figures of studies in matplotlib."""

from __future__ import annotations

import io
from typing import Any


def _lying() -> dict[str, Any]:
    """What makes boxes lie, in old matplotlib and new."""
    import inspect

    from matplotlib.axes import Axes

    known = inspect.signature(Axes.boxplot).parameters
    return {"orientation": "horizontal"} if "orientation" in known else {"vert": False}


def _labels(columns: dict[str, Any]) -> list[str]:
    return list(dict.fromkeys(columns["configuration"]))


def _ecdf(axes: Any, study: Any) -> None:
    columns = study.table("ecdf", frame=False)
    for label in _labels(columns):
        rows = [i for i, one in enumerate(columns["configuration"]) if one == label]
        axes.step([columns["evaluations"][i] for i in rows], [columns["share"][i] for i in rows], where="post", label=label)
    axes.set_xscale("log")
    axes.set_ylim(0, 1)
    axes.set_xlabel("evaluations")
    axes.set_ylabel("share of runs and targets reached")
    axes.legend()


def _best(axes: Any, study: Any) -> None:
    columns = study.table("runs", frame=False)
    labels = _labels(columns)
    values = [
        [value for value, one in zip(columns["best"], columns["configuration"]) if one == label and value != ""]
        for label in labels
    ]
    axes.boxplot(values, **_lying())
    axes.set_yticks(range(1, len(labels) + 1), labels)
    axes.set_xlabel("best value of each run")


def _success(axes: Any, study: Any) -> None:
    columns = study.table("configurations", frame=False)
    labels = _labels(columns)
    shares = [solved / runs for solved, runs in zip(columns["solved"], columns["runs"])]
    low = [share - end for share, end in zip(shares, columns["success_low"])]
    high = [end - share for share, end in zip(shares, columns["success_high"])]
    axes.errorbar(shares, range(len(labels)), xerr=[low, high], fmt="o", capsize=4)
    axes.set_yticks(range(len(labels)), labels)
    axes.set_xlim(-0.02, 1.02)
    axes.set_xlabel("share of runs that reached the target, with its 95 % interval")


_KINDS = {"ecdf": _ecdf, "best": _best, "success": _success}


def study_figure(study: Any, kind: str) -> Any:
    if kind not in _KINDS:
        raise ValueError(f"there is no figure '{kind}'; there are {', '.join(_KINDS)}")
    from matplotlib.figure import Figure

    class Shown(Figure):
        """Notebooks know how to show figures only of pyplot, which keeps them all."""

        def _repr_png_(self) -> bytes:
            picture = io.BytesIO()
            self.savefig(picture, format="png")
            return picture.getvalue()

    figure = Shown(figsize=(7, 4), layout="constrained")
    axes = figure.add_subplot()
    _KINDS[kind](axes, study)
    axes.set_title(study.name)
    return figure
