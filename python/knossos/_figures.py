"""Figures of studies in matplotlib: what the report draws, of the same groups and by the same names."""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Iterator
from typing import Any

#: A title, and what draws the axes below it.
_Panel = tuple[str, Callable[[Any], None]]


def _lying() -> dict[str, Any]:
    """What makes boxes lie, in old matplotlib and new."""
    import inspect

    from matplotlib.axes import Axes

    known = inspect.signature(Axes.bxp).parameters
    return {"orientation": "horizontal"} if "orientation" in known else {"vert": False}


def _rows_of(columns: dict[str, Any], member: str) -> list[int]:
    return [i for i, one in enumerate(columns["configuration"]) if one == member]


def _ecdf(study: Any, group: dict[str, Any]) -> Iterator[_Panel]:
    columns, runs = study.table("ecdf", frame=False), study.table("runs", frame=False)
    if not set(group["members"]) & set(columns["configuration"]):
        return  # values that mean different things have no targets

    def draw(axes: Any) -> None:
        end = max(runs["evaluations"][i] for member in group["members"] for i in _rows_of(runs, member))
        for member, label in zip(group["members"], group["labels"]):
            rows = _rows_of(columns, member)
            shares = [0.0, *(columns["share"][i] for i in rows)]
            axes.step([1, *(columns["evaluations"][i] for i in rows), end], [*shares, shares[-1]], where="post", label=label)
        axes.set_xscale("log")
        axes.set_ylim(0, 1)
        axes.set_xlabel("evaluations")
        axes.set_ylabel("share of runs and targets reached")
        axes.legend()

    yield group["name"], draw


def _convergence(study: Any, group: dict[str, Any]) -> Iterator[_Panel]:
    columns = study.table("budgets", frame=False)

    def drawing(members: list[tuple[str, str]]) -> Callable[[Any], None]:
        def draw(axes: Any) -> None:
            for member, label in members:
                rows = [i for i in _rows_of(columns, member) if not math.isnan(columns["median"][i])]
                budgets = [columns["budget"][i] for i in rows]
                (line,) = axes.plot(budgets, [columns["median"][i] for i in rows], label=label)
                quartiles = [[columns[f"{which}_quartile"][i] for i in rows] for which in ("lower", "upper")]
                axes.fill_between(budgets, *quartiles, color=line.get_color(), alpha=0.2, linewidth=0)
            axes.set_xscale("log")
            axes.set_xlabel("evaluations")
            axes.set_ylabel("best so far: median and quartiles")
            axes.legend()

        return draw

    members = list(zip(group["members"], group["labels"]))
    if group["same_scale"]:
        yield group["name"], drawing(members)
    else:  # values that don't mean the same share no axis
        for one in members:
            yield f"{group['name']}: {one[1]}", drawing([one])


def _summaries(study: Any, group: dict[str, Any], of: str) -> Callable[[Any], None]:
    """Boxes from the least to the most, as the tables have them."""
    columns = study.table("configurations", frame=False)

    def draw(axes: Any) -> None:
        boxes, places = [], []
        for place, member in enumerate(group["members"], 1):
            (i,) = _rows_of(columns, member)
            least, low, median, high, most = (
                columns[f"{of}_{which}"][i] for which in ("least", "lower_quartile", "median", "upper_quartile", "most")
            )
            if math.isnan(median):
                continue
            boxes.append({"whislo": least, "q1": low, "med": median, "q3": high, "whishi": most})
            places.append(place)
        axes.bxp(boxes, positions=places, showfliers=False, **_lying())
        names = list(group["labels"])
        if of == "evaluations":
            for place, member in enumerate(group["members"]):
                (i,) = _rows_of(columns, member)
                if columns["solved"][i] < columns["runs"][i]:
                    names[place] += f" ({columns['solved'][i]} of {columns['runs'][i]})"
            axes.set_xscale("log")
        axes.set_ylim(len(names) + 0.5, 0.5)
        axes.set_yticks(range(1, len(names) + 1), names)
        axes.set_xlabel("evaluations to success" if of == "evaluations" else "best value of each run")

    return draw


def _boxes(study: Any, group: dict[str, Any]) -> Iterator[_Panel]:
    yield group["name"], _summaries(study, group, "evaluations" if group["is_solved"] else "best")


def _best(study: Any, group: dict[str, Any]) -> Iterator[_Panel]:
    yield group["name"], _summaries(study, group, "best")


def _success(study: Any) -> Iterator[_Panel]:
    columns = study.table("configurations", frame=False)

    def draw(axes: Any) -> None:
        labels = columns["configuration"]
        shares = [solved / runs for solved, runs in zip(columns["solved"], columns["runs"])]
        low = [share - end for share, end in zip(shares, columns["success_low"])]
        high = [end - share for share, end in zip(shares, columns["success_high"])]
        axes.errorbar(shares, range(len(labels)), xerr=[low, high], fmt="o", capsize=4)
        axes.set_yticks(range(len(labels)), labels)
        axes.set_xlim(-0.02, 1.02)
        axes.set_xlabel("share of runs that reached the target, with its 95 % interval")

    yield "", draw


def _sizes(study: Any) -> Iterator[_Panel]:
    columns, methods = study.table("configurations", frame=False), study._core.methods
    lines: dict[tuple[str, str], list[tuple[float, float]]] = {}
    for name, size, expected in zip(columns["configuration"], columns["size"], columns["ert"]):
        if not math.isnan(size) and not math.isnan(expected):
            lines.setdefault(methods[name], []).append((size, expected))
    lines = {method: sorted(places) for method, places in lines.items() if len(places) > 1}
    if not lines:
        return

    def draw(axes: Any) -> None:
        for (_, label), places in lines.items():
            axes.plot(*zip(*places), marker="o", label=label)
        sizes = [size for places in lines.values() for size, _ in places]
        if max(sizes) >= 4 * min(sizes):
            axes.set_xscale("log")
        axes.set_yscale("log")
        axes.set_xlabel("size of the problem")
        axes.set_ylabel("expected evaluations to success")
        axes.legend()

    yield "", draw


#: Figures of each group of configurations that can be compared, and those of all.
_OF_GROUPS = {"ecdf": _ecdf, "convergence": _convergence, "boxes": _boxes, "best": _best}
_OF_ALL = {"success": _success, "sizes": _sizes}
#: Why a figure may have nothing to show.
_NOTHING = {
    "ecdf": "values of its configurations mean different things, and none has a target",
    "sizes": "it takes a configuration that reached its target on two sizes of a problem",
}


def study_figure(study: Any, kind: str) -> Any:
    if kind not in _OF_GROUPS and kind not in _OF_ALL:
        raise ValueError(f"there is no figure '{kind}'; there are {', '.join([*_OF_GROUPS, *_OF_ALL])}")
    groups = study._core.groups
    if kind in _OF_ALL:
        panels = list(_OF_ALL[kind](study))
    else:
        panels = [panel for group in groups for panel in _OF_GROUPS[kind](study, group)]
    if not panels:
        raise ValueError(f"there is no figure '{kind}' of this study: {_NOTHING.get(kind, 'there are no runs')}")
    from matplotlib.figure import Figure

    class Shown(Figure):
        """Notebooks know how to show figures only of pyplot, which keeps them all."""

        def _repr_png_(self) -> bytes:
            picture = io.BytesIO()
            self.savefig(picture, format="png")
            return picture.getvalue()

    figure = Shown(figsize=(7, 4 * len(panels)), layout="constrained")
    if len(panels) > 1:
        figure.suptitle(study.name)
    for place, (title, draw) in enumerate(panels, 1):
        axes = figure.add_subplot(len(panels), 1, place)
        draw(axes)
        axes.set_title(title if len(panels) > 1 else study.name)
    return figure
