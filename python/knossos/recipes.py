"""Recipes, and the runs that are made of them."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from . import _arguments as _given
from . import _core
from ._settings import overrides as _overrides
from .own import _numbers
from .results import Result, Run, _alone_to_the_end


def recipes() -> list[str]:
    """The names of the recipes that are built in.

    >>> import knossos
    >>> 'maze-gallery' in knossos.recipes()
    True
    """
    return _core.recipe_names()


def parts(place: str | None = None) -> dict[str, Any]:
    """What can stand in a place of a recipe, by name: a summary, and the fields with their defaults and meanings.

    >>> import knossos
    >>> sorted(knossos.parts('stages.replace'))
    ['comma', 'crowding', 'generational', 'plus', 'tournament', 'worst']
    >>> knossos.parts('stages.recombine')['partially-matched'][1]
    {'probability': (0.9, 'how often a couple is recombined')}
    """
    places = _core.parts()
    if place is None:
        return places
    if place not in places:
        raise KeyError(f"there is no place '{place}'; there are {', '.join(places)}")
    return places[place]


class Recipe:
    """A run as data: which problem, which algorithm, which operators with which values, and when to stop.

    A built-in recipe by its name, or a file that ends in .toml. Keywords change it; two underscores stand for a dot.

    >>> import knossos
    >>> recipe = knossos.Recipe('pmx-queens', problem__n=10, budget=5000, mutate={'kind': 'swap', 'probability': 0.5})
    >>> recipe.values['problem']['n'], recipe.values['stages.mutate']['kind']
    (10, 'swap')
    >>> recipe.run(seed=3).digest == recipe.run(seed=3, threads=2).digest
    True
    """

    def __init__(self, name_or_file: str | os.PathLike[str], /, **changes: Any):
        self._source = os.fspath(name_or_file)
        if not isinstance(self._source, str):
            raise TypeError("the name of a recipe is a text")
        self._changes = list(_overrides(changes))
        self._core = _core.Recipe.load(self._source, self._changes)

    def changed(self, **changes: Any) -> Recipe:
        """The same recipe with other values.

        >>> import knossos
        >>> knossos.Recipe('one-max').changed(problem__length=50).values['problem']['length']
        50
        """
        other = object.__new__(Recipe)
        other._source = self._source
        other._changes = self._changes + list(_overrides(changes))
        other._core = _core.Recipe.load(other._source, other._changes)
        return other

    @property
    def name(self) -> str:
        """What it is called.

        >>> import knossos
        >>> knossos.Recipe('sphere').name
        'sphere'
        """
        return self._core.name

    @property
    def description(self) -> str:
        """What it does.

        >>> import knossos
        >>> len(knossos.Recipe('sphere').description) > 10
        True
        """
        return self._core.description

    @property
    def seed(self) -> int:
        """The seed of its runs, unless they are given another.

        >>> import knossos
        >>> knossos.Recipe('sphere', seed=4).seed
        4
        """
        return self._core.seed

    @property
    def space(self) -> _core.Space:
        """What its genomes are.

        >>> import knossos
        >>> knossos.Recipe('pmx-queens', problem__n=10).space.kind
        'permutation'
        """
        return self._core.space

    @property
    def values(self) -> dict[str, Any]:
        """Everything that is chosen, defaults included, by place.

        >>> import knossos
        >>> knossos.Recipe('pmx-queens').values['stages.recombine']['kind']
        'partially-matched'
        """
        return self._core.values()

    def to_toml(self) -> str:
        """The whole recipe with every default, as a file would have it.

        >>> import knossos
        >>> print(knossos.Recipe('sphere').to_toml().splitlines()[0])
        name = "sphere"
        """
        return self._core.to_toml()

    def decode(self, genomes: Any) -> list[_core.Artefact]:
        """What genomes [count, length] stand for.

        >>> import knossos
        >>> recipe = knossos.Recipe('pmx-queens', problem__n=4)
        >>> print(recipe.decode([[1, 3, 0, 2]])[0].json())
        {"board":[1,3,0,2]}
        """
        return self._core.decode(_numbers("genomes", genomes))

    def start(
        self,
        seed: int | None = None,
        *,
        threads: int = 0,
        folder: str | os.PathLike[str] | None = None,
        on_generation: Callable[[dict[str, Any]], Any] | None = None,
    ) -> Run:
        """A run that can be stepped, with its first population evaluated.

        >>> import knossos
        >>> run = knossos.Recipe('one-max', problem__length=30).start(seed=1)
        >>> run.step()
        >>> run.status['generation']
        1
        >>> before = run.checkpoint()
        >>> run.finish().digest == run.restore(before).finish().digest
        True
        """
        recipe = self if seed is None else self.changed(seed=seed)
        path = None if folder is None else os.fspath(folder)
        return Run(_core.Run(recipe._core, _given.threads(threads), path, _given.listener(on_generation)), recipe)

    def run(
        self,
        seed: int | None = None,
        *,
        threads: int = 0,
        folder: str | os.PathLike[str] | None = None,
        on_generation: Callable[[dict[str, Any]], Any] | None = None,
        progress: bool = False,
    ) -> Result:
        """Runs to the end. `on_generation` hears of each generation, and may return False to end the run.

        With a `folder` all is kept there, as `knossos run -d` does it: Ctrl-C leaves a checkpoint, and
        `knossos.resume(folder)` goes on.

        >>> import knossos
        >>> best = []
        >>> result = knossos.Recipe('one-max', problem__length=40).run(on_generation=lambda now: best.append(now['best']))
        >>> result.fitness == max(best) == 40
        True
        """
        return _alone_to_the_end(self.start(seed, threads=threads, folder=folder, on_generation=on_generation), progress)

    def __repr__(self) -> str:
        return f"<Recipe {self.name}: {', '.join(self._changes) or 'as it is'}>"


def resume(
    folder: str | os.PathLike[str],
    *,
    threads: int = 0,
    on_generation: Callable[[dict[str, Any]], Any] | None = None,
    progress: bool = False,
) -> Result:
    """Goes on with the run of a folder, and ends as it would have ended without the break.

    >>> import knossos, tempfile
    >>> folder = tempfile.mkdtemp() + '/run'
    >>> recipe = knossos.Recipe('one-max', problem__length=60)
    >>> run = recipe.start(seed=2, folder=folder)
    >>> run.step(); run.save(); del run
    >>> knossos.resume(folder).digest == recipe.run(seed=2).digest
    True
    """
    path = os.fspath(folder)
    run = _core.Run.resume(path, _given.threads(threads), _given.listener(on_generation))
    return _alone_to_the_end(Run(run, Recipe(os.path.join(path, "recipe.toml"))), progress)


def verify(folder: str | os.PathLike[str], *, threads: int = 0) -> str | None:
    """Makes the run of a folder again: None if it is the same to the bit, else what differs.

    >>> import knossos, tempfile
    >>> folder = tempfile.mkdtemp() + '/run'
    >>> _ = knossos.Recipe('sphere', budget=2000).run(folder=folder)
    >>> knossos.verify(folder) is None
    True
    """
    return _core.verify(os.fspath(folder), _given.threads(threads))


def read(path: str | os.PathLike[str]) -> _core.Artefact:
    """What a file holds: a board, a maze, a dungeon, in whatever format.

    >>> import knossos, tempfile
    >>> path = tempfile.mkdtemp() + '/level.tmj'
    >>> knossos.Recipe('maze', budget=500).run(seed=1).artefact.save(path)
    >>> knossos.read(path).cells.dtype
    dtype('uint8')
    """
    with open(path, "rb"):  # whether it is there is Python's to say
        pass
    return _core.read_artefact(os.fspath(path))
