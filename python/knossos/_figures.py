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


def _convergence(axes: Any, study: Any) -> None:
    columns = study.table("budgets", frame=False)
    for label in _labels(columns):
        rows = [i for i, one in enumerate(columns["configuration"]) if one == label and columns["median"][i] != ""]
        budgets = [columns["budget"][i] for i in rows]
        (line,) = axes.plot(budgets, [columns["median"][i] for i in rows], label=label)
        quartiles = [[columns[f"{which}_quartile"][i] for i in rows] for which in ("lower", "upper")]
        axes.fill_between(budgets, *quartiles, color=line.get_color(), alpha=0.2, linewidth=0)
    axes.set_xscale("log")
    axes.set_xlabel("evaluations")
    axes.set_ylabel("best so far: median and quartiles of the runs")
    axes.legend()


def _sizes(axes: Any, study: Any) -> None:
    columns = study.table("configurations", frame=False)
    rows = [i for i, size in enumerate(columns.get("size", [])) if size != "" and columns["ert"][i] != ""]
    if not rows:
        raise ValueError("there is no figure 'sizes' of this study: no problem that has a size reached its target")
    for recipe in dict.fromkeys(columns["recipe"][i] for i in rows):
        ours = sorted((columns["size"][i], columns["ert"][i]) for i in rows if columns["recipe"][i] == recipe)
        axes.plot(*zip(*ours), marker="o", label=recipe)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel("size of the problem")
    axes.set_ylabel("evaluations that a success takes, expected")
    axes.legend()


_KINDS = {"ecdf": _ecdf, "convergence": _convergence, "best": _best, "success": _success, "sizes": _sizes}


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
