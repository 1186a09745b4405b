"""Levels without end for training agents: batches that depend on a seed and a goal and on nothing else."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from . import _arguments as _given
from .recipes import Recipe
from .results import Result


class Generator:
    """Makes levels by a recipe: `'dungeon'`, `'maze'`, or a file of your own, with changes as `Recipe` takes them.

    >>> import knossos
    >>> dungeons = knossos.levels.Generator('dungeon')
    >>> batch = dungeons.next_batch(seed=1, n=8, goal='solution 30..50, treasure_reachable 3')
    >>> batch.shape, batch.dtype
    ((8, 12, 16), dtype('uint8'))
    >>> judged = knossos.dungeon.judge(batch, 'solution')
    >>> bool(judged['unlosable'].all()), bool(((judged['solution'] >= 30) & (judged['solution'] <= 50)).all())
    (True, True)

    Level i of a seed is always the same, whatever n is and however many threads there are: batches are prefixes of
    each other.
    """

    def __init__(self, recipe: str | os.PathLike[str] = "dungeon", /, **changes: Any):
        self._recipe = Recipe(recipe, **changes)
        self._of_goal: dict[str | None, Recipe] = {None: self._recipe}

    def recipe(self, goal: str | None = None) -> Recipe:
        """The recipe of one level, for a goal.

        >>> import knossos
        >>> knossos.levels.Generator('maze').recipe('path 30..40').values['problem']['goal']
        'path 30..40'
        """
        if goal not in self._of_goal:
            self._of_goal[goal] = self._recipe.changed(problem__goal=goal)
        return self._of_goal[goal]

    def results(self, seed: int, n: int, goal: str | None = None, *, threads: int = 0) -> list[Result]:
        """The runs that the levels come from: which of them reached the goal, what they look like.

        >>> import knossos
        >>> mazes = knossos.levels.Generator('maze', problem__width=10, problem__height=10, budget=2000)
        >>> [result.reached for result in mazes.results(seed=1, n=2, goal='path 20..30')]
        [True, True]
        """
        from concurrent.futures import ThreadPoolExecutor  # not before somebody wants levels: it takes its time

        recipe = self.recipe(goal)
        seeds = np.random.SeedSequence(_given.whole("seed", seed)).generate_state(_given.whole("n", n), np.uint64) >> np.uint64(1)
        with ThreadPoolExecutor(_given.threads(threads) or os.cpu_count()) as pool:
            return list(pool.map(lambda one: recipe.run(seed=int(one), threads=1), seeds))

    def next_batch(self, seed: int, n: int, goal: str | None = None, *, threads: int = 0) -> np.ndarray:
        """n levels, uint8 [n, height, width], that come as near to the goal as the recipe's budget allows.

        >>> import knossos
        >>> mazes = knossos.levels.Generator('maze', problem__width=10, problem__height=8, budget=2000)
        >>> mazes.next_batch(seed=1, n=3, goal='path 20..30').shape
        (3, 8, 10)
        """
        cells = [result.artefact.cells for result in self.results(seed, n, goal, threads=threads) if result.artefact]
        if len(cells) != n or any(one is None for one in cells):
            raise ValueError(f"what the recipe {self._recipe.name} makes has no cells")
        if not cells:
            probe = self.recipe(goal).run(seed=0, threads=1).artefact.cells
            return np.empty((0, *probe.shape), np.uint8)
        return np.stack(cells)
