"""The notebooks run from their first cell to the last, where what they need is installed."""

import pathlib
import re

import pytest

NOTEBOOKS = sorted((pathlib.Path(__file__).parents[1] / "notebooks").glob("*.ipynb"))


def test_there_are_three():
    assert len(NOTEBOOKS) == 3


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(path, tmp_path):
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    nbformat = pytest.importorskip("nbformat")
    notebook = nbformat.read(path, 4)
    source = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "code")
    for module in re.findall(r"^(?:import|from) (pandas|matplotlib|deap)\b", source, re.MULTILINE):
        pytest.importorskip(module)
    pytest.importorskip("pandas")
    pytest.importorskip("matplotlib")
    shown = {cell.id for cell in notebook.cells if cell.cell_type == "code" and cell.outputs}
    nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3").execute(cwd=str(tmp_path))
    outputs = {cell.id: cell.outputs for cell in notebook.cells if cell.cell_type == "code"}
    assert {name for name, found in outputs.items() if found} == shown  # what is committed shows what there is to see
    kinds = {kind for found in outputs.values() for one in found for kind in one.get("data", {})}
    assert "image/png" in kinds
