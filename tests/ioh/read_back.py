"""Compares what iohinspector reads with what the study's database holds."""

import sqlite3
import sys
import warnings

import iohinspector

warnings.simplefilter("error", UserWarning)  # the reader only warns about files that it can't take

database, folder = sys.argv[1:]
manager = iohinspector.DataManager()
manager.add_folder(folder)
rows = sqlite3.connect(database).execute(
    "SELECT label, run.id, evaluations, best FROM run JOIN configuration ON configuration.id = configuration"
    " WHERE place IS NOT NULL ORDER BY place, number"
).fetchall()
traces = {}
for run, evaluations, best in sqlite3.connect(database).execute("SELECT run, evaluations, best FROM trace"):
    traces.setdefault(run, []).append((evaluations, best))

assert manager.n_runs == len(rows), (manager.n_runs, len(rows))
names = {algorithm.name for algorithm in manager.algorithms}
varied = "pmx-queens probability=0.5 select=random"
assert names == {'one "plus" one', "duel-queens", "queens-islands", "pmx-queens", varied}, names
assert (23, "NQueens", True) in {(f.id, f.name, f.maximization) for f in manager.functions}
assert set(manager.dimensions) == {16, 25, 64, 10, 8}, manager.dimensions

data = manager.load(monotonic=False, include_meta_data=True)
compared = 0
for name, dimension, label, attributes in [
    ('one "plus" one', 16, 'one "plus" one n=4', {"recipe": "pbo-one-plus-one", "problem.n": 4}),
    ('one "plus" one', 25, 'one "plus" one n=5', {"recipe": "pbo-one-plus-one", "problem.n": 5}),
    ("duel-queens", 64, "duel-queens", {"recipe": "duel-queens", "problem.n": None}),
    ("queens-islands", 10, "queens-islands n=10", {"recipe": "queens-islands", "problem.n": 10}),
    ("pmx-queens", 8, "pmx-queens", {"recipe": "pmx-queens", "stages.mutate.probability": None}),
    (varied, 8, varied, {"recipe": "pmx-queens", "stages.mutate.probability": 0.5, "stages.select.kind": "random"}),
]:
    recorded = [row for row in rows if row[0] == label]
    for number, (_, run, evaluations, best) in enumerate(recorded, 1):
        part = data.filter(
            (data["algorithm_name"] == name) & (data["dimension"] == dimension) & (data["run_id"] == number)
        )
        expected = traces[run]
        if expected[0][0] > 1:  # nothing is known of the first evaluation: then it has the worst value there is
            expected.insert(0, (1, 1e300))
        if expected[-1][0] < evaluations:
            expected.append((evaluations, expected[-1][1]))
        found = list(zip(part["evaluations"].to_list(), part["raw_y"].to_list()))
        assert found == expected, (label, number, found, expected)
        assert part["evals"][0] == evaluations and part["best_y"][0] == best
        for attribute, value in attributes.items():
            assert part[attribute][0] == value, (label, attribute, part[attribute][0])
        compared += 1
assert compared == len(rows)
print(f"iohinspector reads {compared} runs as they were recorded, with their parameters")
