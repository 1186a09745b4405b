"""Whole batches of numpy arrays: the same numbers as one by one, whatever way the arrays lie in memory."""

import sys
import threading

import numpy as np
import pytest

import knossos


@pytest.fixture(scope="module")
def mazes():
    levels = (np.random.default_rng(1).random((300, 9, 14)) < 0.3).astype(np.uint8)
    levels[:, 0, 0] = levels[:, -1, -1] = 0
    return levels


@pytest.fixture(scope="module")
def dungeons():
    recipe = knossos.Recipe("dungeon", budget=300)
    found = [recipe.run(seed=seed).artefact for seed in range(6)]
    return found, np.stack([one.cells for one in found])


def same(a, b):
    assert list(a) == list(b)
    for name in a:
        np.testing.assert_array_equal(a[name], b[name], err_msg=name)


def test_mazes_measure_as_their_artefacts_do():
    recipe = knossos.Recipe("maze", problem__width=12, problem__height=8)
    genomes = knossos.random_genomes(recipe.space, 20, seed=3)
    artefacts = recipe.decode(genomes)
    measured = knossos.maze.measure(np.stack([one.cells for one in artefacts]))
    known = [name for name in artefacts[0].measures if name in measured]
    assert len(known) > 5
    for i, artefact in enumerate(artefacts):
        assert {name: measured[name][i] for name in known} == {name: artefact.measures[name] for name in known}


def test_a_shortest_way_is_what_a_plain_search_finds(mazes):
    for level, found in zip(mazes[:50], knossos.maze.measure(mazes, "path")["path"]):
        reached, steps, front = {(0, 0)}, 0, [(0, 0)]
        goal = (level.shape[1] - 1, level.shape[0] - 1)
        while front and goal not in reached:
            steps += 1
            beside = {(x + dx, y + dy) for x, y in front for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1))}
            front = [
                (x, y) for x, y in beside - reached
                if 0 <= x < level.shape[1] and 0 <= y < level.shape[0] and level[y, x] == 0
            ]
            reached.update(front)
        assert found == (steps if goal in reached else -1)


def test_any_layout_and_number_of_threads_gives_the_same(mazes):
    measured = knossos.maze.measure(mazes, threads=1)
    wide = np.zeros((600, 20, 30), dtype=np.uint8)
    wide[::2, 3:12, 5:19] = mazes
    frozen = mazes.copy()
    frozen.flags.writeable = False
    backwards = np.ascontiguousarray(mazes[:, ::-1, ::-1])[:, ::-1, ::-1]
    for other in (wide[::2, 3:12, 5:19], np.asfortranarray(mazes), mazes.astype(bool), backwards, frozen):
        same(measured, knossos.maze.measure(other, threads=3))
    same({name: values[::-1] for name, values in measured.items()}, knossos.maze.measure(mazes[::-1]))


def test_places_are_columns_and_rows(mazes):
    turned = np.ascontiguousarray(mazes.transpose(0, 2, 1))
    turned[:, 4, 2] = 0
    upright = np.ascontiguousarray(turned.transpose(0, 2, 1))
    same(
        knossos.maze.measure(upright, ["path"], entrance=(4, 2), exit=(13, 8)),
        knossos.maze.measure(turned, ["path"], entrance=(2, 4), exit=(8, 13)),
    )


def test_no_levels_are_no_mistake():
    assert knossos.maze.measure(np.zeros((0, 4, 4), np.uint8), "path")["path"].shape == (0,)
    assert knossos.dungeon.judge(np.zeros((0, 4, 4), np.uint8))["solvable"].shape == (0,)
    assert knossos.queens.conflicts(np.zeros((0, 4), np.uint8)).shape == (0,)


def test_measures_come_as_a_frame(mazes):
    pandas = pytest.importorskip("pandas")
    frame = knossos.maze.measure(mazes, "path, rock", frame=True)
    assert isinstance(frame, pandas.DataFrame) and list(frame.columns) == ["path", "rock"] and len(frame) == 300


def test_dungeons_are_judged_as_their_artefacts_are(dungeons):
    artefacts, levels = dungeons
    judged = knossos.dungeon.judge(levels)
    assert judged["solvable"].dtype == bool
    same(judged, knossos.dungeon.judge(np.asfortranarray(levels), threads=2))
    known = [name for name in artefacts[0].measures if name in judged]
    assert known
    for i, artefact in enumerate(artefacts):
        assert {name: judged[name][i] for name in known} == {name: artefact.measures[name] for name in known}


@pytest.mark.parametrize("kind", [np.uint8, np.uint16, np.uint32])
def test_conflicts_are_counted_as_pairs(kind):
    random = np.random.default_rng(2)
    boards = np.concatenate([random.permuted(np.tile(np.arange(11), (300, 1)), axis=1), random.integers(0, 11, (300, 11))])
    a, b = np.triu_indices(11, 1)
    apart = np.abs(boards[:, a].astype(int) - boards[:, b])
    plain = ((apart == 0) | (apart == b - a)).sum(axis=1)
    assert knossos.queens.conflicts(boards.astype(kind)).tolist() == plain.tolist()
    assert knossos.queens.conflicts(boards.astype(kind)[::3], threads=2).tolist() == plain[::3].tolist()


def test_other_threads_run_meanwhile(mazes):
    """With threads of Python never made to take turns, another one comes first only if the batch lets go of the GIL."""
    many = np.tile(mazes, (60, 1, 1))
    turns = sys.getswitchinterval()
    sys.setswitchinterval(1000)
    try:
        for _ in range(20):
            began, order = threading.Event(), []

            def work():
                began.set()
                knossos.maze.measure(many, threads=1)
                order.append("batch")

            thread = threading.Thread(target=work)
            thread.start()
            began.wait()
            order.append("other")
            thread.join()
            if order[0] == "other":
                return
    finally:
        sys.setswitchinterval(turns)
    pytest.fail("the batch always came first")


@pytest.mark.parametrize(
    "call, kind, message",
    [
        (lambda: knossos.maze.measure(np.zeros((1, 2, 2))), TypeError, "levels are float64; they must be uint8"),
        (lambda: knossos.maze.measure(np.zeros((2, 2), np.uint8)), ValueError, r"levels have the shape \[2, 2\]"),
        (lambda: knossos.maze.measure(np.full((1, 2, 2), 7, np.uint8)), ValueError, r"levels\[0, 0, 0\] is 7; a cell"),
        (lambda: knossos.maze.measure(np.zeros((1, 2, 2), np.uint8), "pth"), ValueError, "pth.*path"),
        (lambda: knossos.maze.measure(np.zeros((1, 2, 2), np.uint8), exit=(5, 0)), ValueError, "5"),
        (lambda: knossos.maze.measure(np.zeros((1, 2, 2), np.uint8), entrance=(-1, 0)), TypeError, None),
        (lambda: knossos.maze.measure(np.zeros((1, 0, 2), np.uint8)), ValueError, "levels of 2 × 0"),
        (lambda: knossos.maze.measure("maze"), TypeError, None),
        (lambda: knossos.maze.measure([[[0, 1]]]), TypeError, "levels are int64"),
        (lambda: knossos.dungeon.judge(np.full((1, 2, 2), 200, np.uint8)), ValueError, r"is 200; tiles are 0 \(rock\)"),
        (lambda: knossos.dungeon.judge(np.zeros((1, 2, 2), np.uint8)), ValueError, r"levels\[0\]: "),
        (lambda: knossos.queens.conflicts(np.zeros((1, 4))), TypeError, "boards are float64"),
        (lambda: knossos.queens.conflicts(np.full((1, 4), -1)), TypeError, "boards are int64"),
        (lambda: knossos.queens.conflicts(np.full((1, 4), 4, np.uint8)), ValueError, r"boards\[0, 0\] is 4; columns"),
        (lambda: knossos.queens.conflicts(np.zeros((4, 4, 4), np.uint8)), ValueError, "shape"),
    ],
)
def test_what_is_no_batch_is_refused(call, kind, message):
    with pytest.raises(kind, match=message):
        call()
