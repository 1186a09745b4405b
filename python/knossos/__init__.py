"""Knossos evolves things that live on grids: boards, mazes, dungeons, and whatever you have a function for.

>>> import knossos
>>> result = knossos.Recipe('pmx-queens', problem__n=12).run(seed=7)
>>> result.solved, result.fitness
(True, 0.0)

A run is a pure function of its recipe and its seed: the same bits as the command line, on any number of threads.
"""

from . import dungeon, levels, maze, queens
from ._core import Artefact, Space, __version__
from .errors import Error, EvaluationError, InputOutputError, InvalidInput, UnknownRecipe
from .own import AskTell, begin, evolve, mutate, random_genomes, recombine
from .recipes import Recipe, parts, read, recipes, resume, verify
from .results import Gallery, Result, Run
from .studies import Study, open_study, study

__all__ = [
    "Artefact", "AskTell", "Error", "EvaluationError", "Gallery", "InputOutputError", "InvalidInput", "Recipe",
    "Result", "Run", "Space", "Study", "UnknownRecipe", "__version__", "begin", "dungeon", "evolve", "levels", "maze", "mutate",
    "open_study", "parts", "queens", "random_genomes", "read", "recipes", "recombine", "resume", "study", "verify",
]
