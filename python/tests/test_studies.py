"""Studies: from a file to frames, figures and verdicts, in the database that the command line has."""

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


@pytest.mark.parametrize("kind", ["ecdf", "convergence", "best", "success", "sizes"])
def test_figures_are_drawn(found, kind, tmp_path):
    pytest.importorskip("matplotlib")
    figure = found[1].figure(kind)
    figure.savefig(tmp_path / "figure.png")
    assert (tmp_path / "figure.png").stat().st_size > 5000
    assert figure.axes[0].get_title() == "sizes" and figure.axes[0].get_xlabel()


def test_figures_show_what_tables_hold(found):
    pytest.importorskip("matplotlib")
    rows = found[1].table("configurations", frame=False)
    lines = found[1].figure("sizes").axes[0].get_lines()
    assert sorted(tuple(line.get_ydata()) for line in lines) == sorted((ert,) for ert in rows["ert"])
    budgets = found[1].table("budgets", frame=False)
    lines = found[1].figure("convergence").axes[0].get_lines()
    assert len(lines) == 2 and sum(len(line.get_xdata()) for line in lines) == sum(one != "" for one in budgets["median"])
    with pytest.raises(ValueError, match="there is no figure 'ecfd'; there are ecdf, convergence"):
        found[1].figure("ecfd")


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
