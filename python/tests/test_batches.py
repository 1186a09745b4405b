"""Whole batches of numpy arrays: the same numbers as one by one, whatever way the arrays lie in memory."""

import os
import signal
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


def test_large_batches_go_piece_by_piece(dungeons):
    mazes = np.zeros((150, 200, 200), np.uint8)  # more cells than are done at a time
    mazes[:, 3, :199] = 1
    mazes[120, 3, :] = 0
    path = knossos.maze.measure(mazes, "path")["path"]
    assert path[120] == 398 and (np.delete(path, 120) == 398).all()
    mazes[120, 3, :] = 1
    assert knossos.maze.measure(mazes, "path")["path"].tolist() == [398] * 120 + [-1] + [398] * 29
    mazes[130, 5, 7] = 9
    with pytest.raises(ValueError, match=r"levels\[130, 5, 7\] is 9"):
        knossos.maze.measure(mazes, "path")
    levels = np.tile(dungeons[1], (5000, 1, 1))
    levels[29_000] = 0
    with pytest.raises(ValueError, match=r"levels\[29000\]: the dungeon has 0 cells that are the entrance"):
        knossos.dungeon.judge(levels, [])


def test_ctrl_c_ends_a_batch_between_two_pieces():
    """The last piece is refused: whoever was interrupted before has not heard of that."""
    mazes = np.zeros((150, 200, 200), np.uint8)
    mazes[149, 1, 1] = 9
    before = signal.signal(signal.SIGUSR1, signal.default_int_handler)
    turns = sys.getswitchinterval()
    sys.setswitchinterval(1000)
    try:
        for _ in range(20):
            began = threading.Event()
            thread = threading.Thread(target=lambda: (began.wait(), os.kill(os.getpid(), signal.SIGUSR1)))
            thread.start()
            with pytest.raises(KeyboardInterrupt) as caught:
                try:
                    began.set()
                    knossos.maze.measure(mazes, "path", threads=1)
                finally:
                    thread.join()
            if caught.value.__context__ is None:
                return
    finally:
        sys.setswitchinterval(turns)
        signal.signal(signal.SIGUSR1, before)
    pytest.fail("the batch was never interrupted")


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


@pytest.mark.parametrize("kind", [np.uint8, np.uint16, np.uint32, np.uint64, np.int64, ">u2"])
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


def test_without_pandas_a_frame_is_refused_and_a_dictionary_is_not(mazes, monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ModuleNotFoundError, match="a frame needs pandas: pip install pandas; frame=False"):
        knossos.maze.measure(mazes, "path", frame=True)
    assert len(knossos.maze.measure(mazes, "path")["path"]) == 300


@pytest.mark.parametrize(
    "call, kind, message",
    [
        (lambda: knossos.maze.measure(np.zeros((1, 2, 2))), TypeError, "levels are float64; they must be uint8"),
        (lambda: knossos.maze.measure(np.zeros((2, 2), np.uint8)), ValueError, r"levels have the shape \[2, 2\]"),
        (lambda: knossos.maze.measure(np.full((1, 2, 2), 7, np.uint8)), ValueError, r"levels\[0, 0, 0\] is 7; a cell"),
        (lambda: knossos.maze.measure(np.zeros((1, 2, 2), np.uint8), "pth"), ValueError, "pth.*path"),
        (lambda: knossos.maze.measure(np.zeros((1, 2, 2), np.uint8), exit=(5, 0)), ValueError, "5"),
        (lambda: knossos.maze.measure(np.zeros((1, 2, 2), np.uint8), entrance=(-1, 0)), ValueError, r"x of entrance is -1; .* 0\.\."),
        (lambda: knossos.maze.measure(np.zeros((1, 2, 2), np.uint8), exit=(0.5, 0)), TypeError, "x of exit is 0.5; .* whole number"),
        (lambda: knossos.maze.measure(np.zeros((1, 2, 2), np.uint8), entrance=3), TypeError, r"entrance is 3; it must be a pair \(x, y\)"),
        (lambda: knossos.maze.measure(np.zeros((1, 2, 2), np.uint8), [3]), TypeError, "names of measures are texts"),
        (lambda: knossos.maze.measure(np.zeros((1, 2, 2), np.uint8), threads=-1), ValueError, r"threads is -1; .* 0\.\.1024"),
        (lambda: knossos.dungeon.judge(np.zeros((1, 2, 2), np.uint8), threads="two"), TypeError, "threads is 'two'; .* whole number"),
        (lambda: knossos.maze.measure(None), TypeError, "levels are object; they must be uint8"),
        (lambda: knossos.dungeon.judge(np.zeros((1, 2, 2), complex)), TypeError, "levels are complex128; they must be uint8"),
        (lambda: knossos.maze.measure(np.zeros((1, 0, 2), np.uint8)), ValueError, "levels of 2 × 0"),
        (lambda: knossos.maze.measure("maze"), TypeError, "levels are <U4; they must be uint8"),
        (lambda: knossos.maze.measure([[[0, 1]]]), TypeError, "levels are int64"),
        (lambda: knossos.dungeon.judge(np.full((1, 2, 2), 200, np.uint8)), ValueError, r"is 200; tiles are 0 \(rock\)"),
        (lambda: knossos.dungeon.judge(np.zeros((1, 2, 2), np.uint8)), ValueError, r"levels\[0\]: "),
        (lambda: knossos.queens.conflicts(np.zeros((1, 4))), TypeError, "boards are float64"),
        (lambda: knossos.queens.conflicts([[0, 1, -1, 2]]), ValueError, r"boards\[0, 2\] is -1; columns"),
        (lambda: knossos.queens.conflicts([[0, 1, 2**40, 2]]), ValueError, r"boards\[0, 2\] is 1099511627776; columns"),
        (lambda: knossos.queens.conflicts([[True, False]]), TypeError, "boards are bool"),
        (lambda: knossos.queens.conflicts([[0, 1]], threads=0.5), TypeError, "threads is 0.5"),
        (lambda: knossos.queens.conflicts(np.full((1, 4), 4, np.uint8)), ValueError, r"boards\[0, 0\] is 4; columns"),
        (lambda: knossos.queens.conflicts(np.zeros((4, 4, 4), np.uint8)), ValueError, "shape"),
    ],
)
def test_what_is_no_batch_is_refused(call, kind, message):
    with pytest.raises(kind, match=message):
        call()
