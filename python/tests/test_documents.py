"""The Python of the documents does what it says: every block runs, in order, in one folder."""

import pathlib
import re

import numpy as np
import pytest

import knossos

ROOT = pathlib.Path(__file__).resolve().parents[2]
STUDY = 'name = "small"\nruns = 10\nbudget = 2000\nrecipes = ["pmx-queens", "duel-queens"]\n'


@pytest.mark.parametrize("name", ["README.md", "python/README.md", "docs/python.md"])
def test_every_block_runs(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "studies").mkdir()
    (tmp_path / "studies" / "pbo-queens.toml").write_text(STUDY)
    found = knossos.Recipe("dungeon", budget=200).run(seed=1).artefact.cells
    boards = np.tile(np.arange(8, dtype=np.uint8), (3, 1))
    names = {"np": np, "dungeons": np.stack([found, found]), "boards": boards}
    blocks = re.findall(r"^```python\n(.*?)^```$", (ROOT / name).read_text(), re.MULTILINE | re.DOTALL)
    assert blocks
    for block in blocks:
        wanted = [word for word in ("pandas", "matplotlib", "deap", "ribs", "gymnasium") if word in block]
        if "frame" in block:
            wanted.append("pandas")
        if "figure" in block:
            wanted.append("matplotlib")
        for module in wanted:
            pytest.importorskip(module)
        exec(compile(block, name, "exec"), names)  # noqa: S102
