"""What is installed: everything that people import has an example that is run, and says of which types it is."""

import ast
import doctest
import pathlib

import pytest

import knossos

HERE = pathlib.Path(knossos.__file__).parent
MODULES = sorted(path for path in HERE.glob("*.py") if not path.stem.startswith("_"))


def declared(path):
    """The public functions and classes of a file."""
    kinds = (ast.FunctionDef, ast.ClassDef)
    return [node for node in ast.parse(path.read_text()).body if isinstance(node, kinds) and not node.name.startswith("_")]


def functions_of(node):
    """A function, or the public ones of a class."""
    nodes = node.body if isinstance(node, ast.ClassDef) else [node]
    return [one for one in nodes if isinstance(one, ast.FunctionDef) and not one.name.startswith("_")]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_everything_public_has_an_example(path):
    # pytest itself runs the examples, as doctests
    every = [(each.name, one) for each in declared(path) for one in [each, *functions_of(each)]]
    assert [f"{of}: {node.name}" for of, node in every if ">>> " not in (ast.get_docstring(node) or "")] == []


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_everything_public_is_typed(path):
    functions = [one for each in declared(path) for one in functions_of(each)]
    bare = [node.name for node in functions if node.returns is None]
    bare += [f"{node.name}({one.arg})" for node in functions for one in node.args.args + node.args.kwonlyargs
             if one.annotation is None and one.arg != "self"]
    assert bare == []


def test_what_results_hand_on_from_the_bindings_is_typed():
    (result,) = [node for node in declared(HERE / "results.py") if node.name == "Result"]
    names = {one.name for one in functions_of(result)}
    for block in result.body:
        if isinstance(block, ast.If):  # what type checkers alone see
            names |= {one.target.id if isinstance(one, ast.AnnAssign) else one.name for one in block.body}
    public = {name for name in dir(knossos._core.Result) if not name.startswith("_")}
    assert names >= public


@pytest.mark.parametrize("kind", [knossos.Space, knossos.Artefact])
def test_examples_of_what_is_written_in_cpp_run(kind):
    found = doctest.DocTestFinder(recurse=False).find(kind, kind.__name__, module=False, globs={})
    assert sum(len(test.examples) for test in found) > 0
    runner = doctest.DocTestRunner()
    for test in found:
        assert runner.run(test).failed == 0


def test_the_bindings_have_stubs():
    assert (HERE / "py.typed").exists()
    stub = ast.parse((HERE / "_core.pyi").read_text())
    names = {node.name for node in stub.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    assert names >= {"Artefact", "AskTell", "Recipe", "Result", "Run", "Space", "Study", "measure_mazes"}
