"""Recipes and runs: the same digest as the command line, stepwise, from checkpoints and from folders."""

import json
import pathlib
import sys

import numpy as np
import pytest

import knossos

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("name", knossos.recipes())
def test_the_digest_is_that_of_the_command_line(name, program_result):
    budget = 40 if name == "armies" else 2000  # an evaluation of armies is a search of its own
    theirs = program_result(name, "--seed", 3, "--budget", budget)
    ours = knossos.Recipe(name, budget=budget).run(seed=3)
    assert ours.digest == theirs["result"]["digest"]
    mine = ours.json
    for one in (mine, theirs):
        one["costs"].pop("seconds")
    assert mine == theirs


def test_a_recipe_by_file_and_by_keywords_is_the_same(tmp_path):
    by_name = knossos.Recipe("pmx-queens", problem={"n": 9}, population=30, mutate={"kind": "swap", "probability": 0.4})
    file = tmp_path / "own.toml"
    file.write_text(by_name.to_toml())
    assert knossos.Recipe(file).run(seed=2).digest == by_name.run(seed=2).digest
    memetic = knossos.Recipe("memetic-queens")
    assert "stages.improve" in memetic.values and "stages.improve" not in memetic.changed(improve=None).values


def test_an_empty_file_of_any_name_is_a_recipe_without_a_problem(tmp_path):
    for name in ("empty.toml", "empty.txt"):
        (tmp_path / name).write_text("")
        with pytest.raises(ValueError):
            knossos.Recipe(tmp_path / name).run()


def test_any_way_through_a_run_ends_alike(tmp_path):
    recipe = knossos.Recipe("roulette-queens", problem__n=20, stop__solved=False, budget=6000)
    digest = recipe.run(seed=5, threads=1).digest
    stepped = recipe.start(seed=5, threads=2)
    for _ in range(4):
        stepped.step()
    middle = stepped.checkpoint()
    assert stepped.finish().digest == digest
    other = recipe.start(seed=5).restore(middle)
    assert other.status["generation"] == 4 and other.finish().digest == digest
    begun = recipe.start(seed=5, folder=tmp_path / "run")
    begun.step()
    begun.save()
    del begun
    assert knossos.resume(tmp_path / "run").digest == digest
    with pytest.raises(ValueError, match="checkpoint"):
        recipe.changed(problem__n=21).start(seed=5).restore(middle)
    with pytest.raises(ValueError):
        recipe.start(seed=5).restore(b"nothing of the kind")


def test_folders_are_those_of_the_command_line(tmp_path, program):
    recipe = knossos.Recipe("pmx-queens", problem__n=12, budget=3000)
    result = recipe.run(seed=4, folder=tmp_path / "ours")
    assert program("verify", tmp_path / "ours").returncode == 0
    program("run", "pmx-queens", "--set", "problem.n=12", "--budget", 3000, "--seed", 4, "-d", tmp_path / "theirs", check=False)
    assert knossos.verify(tmp_path / "theirs") is None
    assert knossos.resume(tmp_path / "theirs").digest == result.digest
    with pytest.raises(ValueError):
        recipe.run(folder=tmp_path / "ours")  # somebody's run is there


def test_a_callback_may_end_a_run_and_what_it_raises_arrives():
    recipe = knossos.Recipe("one-max", problem__length=200)
    heard = []
    result = recipe.run(on_generation=lambda now: heard.append(now["generation"]) or len(heard) < 3)
    assert len(heard) == 3 and not result.solved and result.generations == heard[-1]

    def broken(now):
        raise LookupError("mine")

    with pytest.raises(LookupError, match="mine"):
        recipe.run(on_generation=broken)


@pytest.mark.parametrize("policy", ["end", "worst", "retry"])
@pytest.mark.parametrize("raised", [LookupError("mine"), KeyboardInterrupt()])
def test_what_a_callback_raises_arrives_whatever_becomes_of_failures(policy, raised, tmp_path, monkeypatch):
    monkeypatch.chdir(ROOT)  # where the recipe's program is
    recipe = knossos.Recipe("examples/evaluator/ones.toml", evaluator__on_failure=policy)
    heard = []

    def broken(now):
        heard.append(now["generation"])
        if len(heard) == 3:
            raise raised

    with pytest.raises(type(raised)) as caught:
        recipe.run(seed=1, folder=tmp_path / "run", on_generation=broken)
    assert caught.value is raised and len(heard) == 3
    assert knossos.resume(tmp_path / "run").digest == recipe.run(seed=1).digest


def test_a_recipe_runs_where_it_says(program, tmp_path):
    recipe = knossos.Recipe("one-max", problem__length=100, stop__generations=20)
    assert recipe.start(seed=1).where == "on the processor"
    digest = recipe.run(seed=1).digest
    wanted = recipe.changed(output__device="auto").start(seed=1)
    assert wanted.where.startswith("on ") and wanted.finish().digest == digest
    with pytest.raises(ValueError, match="(?i)device|opencl"):
        recipe.changed(output__device="no such thing").run(folder=tmp_path / "run")
    assert not (tmp_path / "run").exists()
    (tmp_path / "there.toml").write_text(recipe.changed(output__device="no such thing").to_toml())
    (tmp_path / "study.toml").write_text("runs = 2\nrecipes = ['there.toml']\n")
    with pytest.raises(ValueError, match="(?i)study.toml: .*(device|opencl)"):
        knossos.study(tmp_path / "study.toml", tmp_path / "study.db")
    listed = program("devices", "--seconds", 0, "--json", check=False)
    if listed.returncode != 0:
        pytest.skip(listed.stderr.strip())
    name = json.loads(listed.stdout)["devices"][0]["name"]
    there = recipe.changed(output__device=name).start(seed=1)
    assert there.where == f"on device '{name}'"
    there.step()
    middle = there.checkpoint()
    assert there.finish().digest == there.restore(middle).finish().digest == digest
    with pytest.raises(ValueError, match="has no kernel"):
        knossos.Recipe("sphere", output__device=name).run()


def test_results_show_themselves():
    result = knossos.Recipe("pmx-queens").run(seed=1)
    assert result._repr_svg_().startswith("<svg") or "<svg" in result._repr_svg_()
    assert result.artefact.png()[:4] == b"\x89PNG" and "♛" in result.artefact.text() + "♛"
    assert knossos.Recipe("sphere", budget=500).run()._repr_svg_() is None
    assert "6 queens" in repr(knossos.Recipe("pmx-queens", problem__n=6).run(seed=1).artefact)
    assert result.artefact._repr_svg_() == result._repr_svg_()
    sheet = knossos.Recipe("maze-gallery", budget=1000).run(seed=1).gallery
    assert sheet._repr_svg_() == sheet.svg(24) and len(sheet.svg(2)) < len(sheet.svg(20)) and "path" in sheet.svg(2)
    assert result.digest in repr(result) and set(dir(result)) >= {"fitness", "genome", "history"}
    with pytest.raises(AttributeError):
        result.nothing


def test_galleries_and_fronts_are_frames():
    result = knossos.Recipe("maze-gallery", budget=3000).run(seed=1)
    gallery = result.gallery
    columns = gallery.frame(frame=False, measures=True)
    assert len(gallery) == len(columns["cell"]) == len(np.unique(columns["cell"])) > 20
    assert gallery.coverage == pytest.approx(len(gallery) / gallery.cells)
    assert result.front() is None and knossos.Recipe("pmx-queens", budget=500).run().gallery is None
    front = knossos.Recipe("zdt1", budget=4000).run(seed=1).front(frame=False)
    order = np.argsort(front["f1"])
    assert (np.diff(front["f2"][order]) <= 0).all()  # no trade-off beats another
    pandas = pytest.importorskip("pandas")
    assert isinstance(gallery.frame(), pandas.DataFrame) and isinstance(result.history(), pandas.DataFrame)


def test_progress_is_a_line_on_a_terminal_and_none_elsewhere(monkeypatch, capsys):
    recipe = knossos.Recipe("pmx-queens", problem__n=40, stop__solved=False, budget=300_000)
    recipe.run(progress=True)
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    recipe.run(progress=True)
    shown = capsys.readouterr().err
    assert shown == "" or ("ev/s" in shown and shown.endswith("\r"))  # a quick machine has nothing to show


def test_levels_are_written_and_read(tmp_path):
    artefact = knossos.Recipe("dungeon", budget=300).run(seed=2).artefact
    for name, save in (("level.txt", str), ("level.json", str), ("path.txt", pathlib.Path), ("é.json", pathlib.Path)):
        artefact.save(save(tmp_path / name))
        np.testing.assert_array_equal(knossos.read(tmp_path / name).cells, artefact.cells)


@pytest.mark.parametrize(
    "call, kind, message",
    [
        (lambda: knossos.Recipe("pmx-quens"), KeyError, "did you mean pmx-queens"),
        (lambda: knossos.Recipe("pmx-queens", problem__m=3), ValueError, "problem.m"),
        (lambda: knossos.Recipe("pmx-queens", problem__n=-3), ValueError, "problem.n=-3"),
        (lambda: knossos.Recipe("pmx-queens", problem__n=object()), TypeError, "problem.n is a object"),
        (lambda: knossos.Recipe("pmx-queens", mutate="bit-flip"), ValueError, "works on genomes of kind bits"),
        (lambda: knossos.Recipe(b"pmx-queens"), TypeError, "text"),
        (lambda: knossos.Recipe("pmx-queens").run(seed="seven"), ValueError, "seed"),
        (lambda: knossos.Recipe("pmx-queens").run(threads=-1), ValueError, r"threads is -1; it must be a whole number in 0\.\.1024"),
        (lambda: knossos.Recipe("pmx-queens").run(threads="2"), TypeError, "threads is '2'"),
        (lambda: knossos.Recipe("pmx-queens").run(on_generation=3), TypeError, "on_generation is of type int; it must be a function"),
        (lambda: knossos.Recipe("pmx-queens").decode("abc"), TypeError, "genomes is <U3"),
        (lambda: knossos.Recipe("pmx-queens").start().restore("abc"), TypeError, "a checkpoint is bytes"),
        (lambda: knossos.study("a.toml", runs=-1), ValueError, "runs is -1"),
        (lambda: knossos.Recipe("pmx-queens").decode([[0, 0, 1, 2, 3, 4, 5, 6]]), ValueError, r"genomes\[0\] is none"),
        (lambda: knossos.Recipe("pmx-queens").decode([[0.5] * 8]), ValueError, r"genomes\[0, 0\] is 0.5"),
        (lambda: knossos.resume("/no/such/folder"), ValueError, "/no/such/folder"),
        (lambda: knossos.read("/no/such/file.tmj"), OSError, "/no/such/file.tmj"),
        (lambda: knossos.parts("stage"), KeyError, "there is no place 'stage'"),
    ],
)
def test_mistakes_are_told_as_on_the_command_line(call, kind, message):
    with pytest.raises(kind, match=message):
        call()


def test_the_message_is_that_of_the_command_line(program):
    said = program("run", "pmx-queens", "--set", "stages.mutate.kind=bit-flip", check=False).stderr
    with pytest.raises(ValueError) as caught:
        knossos.Recipe("pmx-queens", mutate="bit-flip")
    assert str(caught.value).split(": ", 1)[1] in said
