"""Studies: from a file to frames, figures and verdicts, in the database that the command line has."""

import html
import math
import re

import pytest

import knossos

TEXT = """
name = "sizes"
runs = 12
budget = 3000
recipes = ["pmx-queens", "duel-queens"]
grid = {"problem.n" = [6]}
"""


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    folder = tmp_path_factory.mktemp("study")
    (folder / "sizes.toml").write_text(TEXT)
    study = knossos.study(folder / "sizes.toml", folder / "sizes.db")
    return folder, study


def test_runs_are_those_of_the_command_line(found, program):
    folder, study = found
    program("study", folder / "sizes.toml", "-o", folder / "theirs.db", "--quiet")
    theirs = knossos.open_study(folder / "theirs.db")
    ours = study.table("runs", frame=False)
    others = theirs.table("runs", frame=False)
    seconds = {name for name in ours if "seconds" in name}
    assert {name: ours[name] for name in ours if name not in seconds} == {
        name: others[name] for name in others if name not in seconds
    }
    assert study.runs == theirs.runs == 24 and study.verdicts == theirs.verdicts


def test_a_study_is_a_frame_and_a_report(found):
    _, study = found
    pandas = pytest.importorskip("pandas")
    frame = study.frame()
    assert isinstance(frame, pandas.DataFrame) and len(frame) == 24 and frame["configuration"].nunique() == 2
    assert "<html" in study.html() and study._repr_markdown_().startswith("#") and study.svg()
    with pytest.raises(KeyError, match="there is no table 'run'; there are configurations, runs"):
        study.table("run")


@pytest.mark.parametrize("kind", ["ecdf", "convergence", "boxes", "best", "success"])
def test_figures_are_drawn(found, kind, tmp_path):
    pytest.importorskip("matplotlib")
    figure = found[1].figure(kind)
    figure.savefig(tmp_path / "figure.png")
    assert (tmp_path / "figure.png").stat().st_size > 5000
    assert (figure.get_suptitle() or figure.axes[0].get_title()) == "sizes" and figure.axes[0].get_xlabel()


def test_figures_show_what_tables_hold(found):
    pytest.importorskip("matplotlib")
    budgets = found[1].table("budgets", frame=False)
    axes = found[1].figure("convergence").axes
    lines = [line for one in axes for line in one.get_lines()]
    assert len(axes) == len(lines) == 2  # collisions of the one are not those of the other
    assert sum(len(line.get_xdata()) for line in lines) == sum(not math.isnan(one) for one in budgets["median"])
    rows = found[1].table("configurations", frame=False)
    axes = found[1].figure("boxes").axes[0]
    assert axes.get_xlabel() == "evaluations to success"
    medians = [tuple(line.get_xdata()) for line in axes.get_lines()]
    assert all((median, median) in medians for median in rows["evaluations_median"])
    with pytest.raises(ValueError, match="there is no figure 'ecfd'; there are ecdf, convergence"):
        found[1].figure("ecfd")
    with pytest.raises(ValueError, match="there is no figure 'sizes' of this study: .* on two sizes"):
        found[1].figure("sizes")


@pytest.fixture(scope="module")
def several(tmp_path_factory):
    """Two problems, one of which is maximised, two sizes, and one more axis of the grid."""
    folder = tmp_path_factory.mktemp("several")
    text = 'name = "several"\nruns = 6\nbudget = 4000\n'
    for n in (5, 6):
        for kind in ("swap", "inversion"):
            text += f'[[configuration]]\nname = "pmx-queens n={n} kind={kind}"\nrecipe = "pmx-queens"\n'
            text += f'set = {{ problem.n = {n}, stages.mutate.kind = "{kind}" }}\n'
    for length in (8, 12):
        text += f'[[configuration]]\nname = "one-max length={length}"\nrecipe = "one-max"\nset = {{ problem.length = {length} }}\n'
    (folder / "several.toml").write_text(text)
    return knossos.study(folder / "several.toml", folder / "several.db")


def names_of(axes):
    return [line.get_label() for line in axes.get_lines()]


def words_of(svg):
    return [html.unescape(text) for text in re.findall(r"<text[^>]*>([^<]*)</text>", svg)]


def test_figures_have_the_lines_of_the_report(several):
    pytest.importorskip("matplotlib")
    drawn = several.svg()
    sizes = names_of(several.figure("sizes").axes[0])
    assert sorted(sizes) == ["one-max", "pmx-queens kind=inversion", "pmx-queens kind=swap"]
    assert sorted(sizes) == sorted(word for word in words_of(drawn["sizes.svg"]) if word.startswith(("one-max", "pmx-queens")))
    for kind in ("ecdf", "convergence"):
        ours = several.figure(kind).axes
        theirs = [drawn[name] for name in sorted(drawn) if kind in name]
        assert len(ours) == len(theirs) == 4  # two problems, each of two sizes
        for axes, svg in zip(ours, theirs):
            names = names_of(axes)
            words = words_of(svg)
            assert len(names) == (2 if "queens" in axes.get_title() else 1)
            assert all(name in words or "median" in words for name in names)
    boxes = several.figure("boxes").axes
    assert [axes.get_xlabel() for axes in boxes] == ["evaluations to success"] * 4
    assert [len(axes.get_yticks()) for axes in boxes] == [2, 2, 1, 1]


def test_what_is_missing_among_numbers_is_not_a_number(tmp_path):
    (tmp_path / "hard.toml").write_text(
        'runs = 3\nbudget = 300\nrecipes = ["pmx-queens"]\ngrid = {"problem.n" = [4, 40]}\n'
        '[[configuration]]\nname = "8"\nrecipe = "pmx-queens"\n'
    )
    study = knossos.study(tmp_path / "hard.toml", tmp_path / "hard.db")
    columns = study.table("configurations", frame=False)
    unsolved = [solved == 0 for solved in columns["solved"]]
    assert any(unsolved) and [math.isnan(one) for one in columns["ert"]] == unsolved
    assert "8" in columns["configuration"]
    pandas = pytest.importorskip("pandas")
    frame = study.table("configurations")
    assert all(pandas.api.types.is_numeric_dtype(frame[name]) for name in ("ert", "ert_high", "evaluations_median", "size"))


def test_what_is_done_is_not_done_again(found):
    folder, study = found
    before = study.table("runs", frame=False)
    assert knossos.study(folder / "sizes.toml", folder / "sizes.db").table("runs", frame=False) == before


@pytest.mark.parametrize(
    "text, message",
    [("name = 3", "name"), ("runs = 12\nrecipes = ['pmx-quens']", "pmx-quens"), ("runs = [", "toml")],
)
def test_files_that_are_none_are_refused(tmp_path, text, message):
    (tmp_path / "bad.toml").write_text(text)
    with pytest.raises(ValueError, match=message):
        knossos.study(tmp_path / "bad.toml", tmp_path / "bad.db")
    assert not (tmp_path / "bad.db").exists()


def test_what_is_no_database_is_refused(tmp_path):
    (tmp_path / "text.db").write_text("nothing of the kind")
    with pytest.raises((ValueError, OSError), match="text.db"):
        knossos.open_study(tmp_path / "text.db")
    with pytest.raises((ValueError, OSError)):
        knossos.study(tmp_path / "missing.toml", tmp_path / "missing.db")
