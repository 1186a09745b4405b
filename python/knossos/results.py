"""Runs while they go on, and what they come to."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core
from ._arguments import whole as _whole
from ._frames import frame as _frame
from ._progress import Progress

#: So often a notebook or a terminal sees how far a run is.
_GLANCE = 0.2


class Run:
    """A run that can be watched, paused, written down and taken up again between any two generations.

    Made by `Recipe.start()` and `begin()`.

    >>> import knossos
    >>> run = knossos.Recipe('pmx-queens', problem__n=10).start(seed=3)
    >>> run.step()
    >>> state = run.checkpoint()
    >>> digest = run.finish().digest
    >>> run.restore(state).finish().digest == digest
    True
    """

    def __init__(self, core: _core.Run, recipe: Any = None):
        self._core = core
        self._recipe = recipe

    @property
    def finished(self) -> bool:
        """Whether a stop rule or a callback has ended it.

        >>> import knossos
        >>> run = knossos.Recipe('one-max', problem__length=20).start(seed=5)
        >>> before = run.finished
        >>> _ = run.finish()
        >>> before, run.finished
        (False, True)
        """
        return self._core.finished

    @property
    def where(self) -> str:
        """What it runs on: the processor, or the device that its recipe names.

        >>> import knossos
        >>> knossos.Recipe('one-max').start(seed=5).where
        'on the processor'
        """
        return self._core.where

    @property
    def status(self) -> dict[str, Any]:
        """The figures of the last generation.

        >>> import knossos
        >>> status = knossos.Recipe('pmx-queens', population=50).start(seed=5).status
        >>> status['generation'], status['evaluations']
        (0, 50)
        """
        return self._core.status

    @property
    def population(self) -> np.ndarray:
        """The genomes of all islands, [count, length].

        >>> import knossos
        >>> knossos.Recipe('pmx-queens', problem__n=6, population=50).start(seed=5).population.shape
        (50, 6)
        """
        return self._core.population

    def step(self) -> None:
        """One generation.

        >>> import knossos
        >>> run = knossos.Recipe('one-max').start(seed=5)
        >>> run.step(); run.step()
        >>> run.status['generation']
        2
        """
        self._core.step()

    def advance(self, seconds: float = _GLANCE) -> bool:
        """Goes on for about so many seconds. Returns whether there is more to do.

        >>> import knossos
        >>> run = knossos.Recipe('one-max', problem__length=20).start(seed=5)
        >>> while run.advance(0.1):
        ...     pass  # whatever else is to be done
        >>> run.finished
        True
        """
        return self._core.advance(seconds)

    def finish(self) -> Result:
        """Goes on to the end.

        >>> import knossos
        >>> knossos.Recipe('one-max', problem__length=20).start(seed=5).finish().fitness
        20.0
        """
        return _to_the_end(self, False)

    def result(self) -> Result:
        """What it has come to so far.

        >>> import knossos
        >>> run = knossos.Recipe('one-max', problem__length=20).start(seed=5)
        >>> run.result().fitness < run.finish().fitness
        True
        """
        return Result(self._core.result())

    def checkpoint(self) -> bytes:
        """All that is needed to go on from here with the same outcome.

        >>> import knossos
        >>> recipe = knossos.Recipe('one-max', problem__length=20)
        >>> state = recipe.start(seed=5).checkpoint()
        >>> recipe.start(seed=5).restore(state).finish().digest == recipe.run(seed=5).digest
        True
        """
        return self._core.checkpoint()

    def restore(self, checkpoint: bytes) -> Run:
        """Goes on from a checkpoint of the same run.

        >>> import knossos
        >>> run = knossos.Recipe('one-max', problem__length=20).start(seed=5)
        >>> state = run.checkpoint()
        >>> run.step()
        >>> run.restore(state).status['generation']
        0
        """
        if not isinstance(checkpoint, bytes):
            raise TypeError(f"a checkpoint is bytes, as checkpoint() gives them; this is of type {type(checkpoint).__name__}")
        self._core.restore(checkpoint)
        return self

    def save(self) -> None:
        """Writes checkpoint and trace to its folder.

        >>> import knossos, os, tempfile
        >>> folder = tempfile.mkdtemp() + '/run'
        >>> knossos.Recipe('one-max').start(seed=5, folder=folder).save()
        >>> sorted(os.listdir(folder))
        ['checkpoint.bin', 'recipe.toml', 'trace.csv']
        """
        self._core.save()

    def __iter__(self):
        """Generation by generation: `for status in recipe.start(): ...`

        >>> import knossos
        >>> run = knossos.Recipe('one-max', problem__length=20).start(seed=5)
        >>> [status['best'] for status in run][-1]
        20.0
        """
        while not self.finished:
            self.step()
            yield self.status

    def __repr__(self) -> str:
        status = self.status
        return f"<Run: generation {status['generation']}, best {status['best_ever']:g}{', finished' if self.finished else ''}>"


def _to_the_end(run: Run, progress: bool) -> Result:
    """Goes on to the end, and shows how far it is if that is wanted."""
    if not progress:
        while run.advance(3600.0):
            pass
        return run.result()
    with Progress() as shown:
        while run.advance():
            shown.show_run(run.status)
    return run.result()


def _alone_to_the_end(run: Run, progress: bool) -> Result:
    """The same of a run that nobody else holds: what ends it early leaves its folder to be taken up."""
    try:
        return _to_the_end(run, progress)
    except BaseException:
        run._core.leave()  # tracebacks keep runs, and runs their folders
        raise


class Result:
    """What a run came to. In a notebook it shows its best.

    >>> import knossos
    >>> result = knossos.Recipe('pmx-queens', problem__n=6).run(seed=1)
    >>> result.record
    {'conflicts': 0.0}
    >>> sorted(result.genome.tolist())
    [0, 1, 2, 3, 4, 5]
    >>> result.artefact.caption
    '6 queens, solved'
    """

    if TYPE_CHECKING:  # as __getattr__ has them of the bindings
        fitness: float
        violation: float
        merit: float
        merit_name: str
        solved: bool
        reached: bool
        stopped_by: str
        evaluations: int
        generations: int
        steps: int
        failures: int
        restarts: int
        remark: str
        seconds: float
        digest: str
        genome: np.ndarray
        has_front: bool

        def hall_genomes(self) -> np.ndarray: ...
        def gallery_svg(self, count: int) -> str | None: ...
        def gallery_measures(self) -> dict[str, np.ndarray]: ...

    def __init__(self, core: _core.Result):
        self._core = core

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._core, name)

    def __dir__(self):
        return sorted({*super().__dir__(), *(name for name in dir(self._core) if not name.startswith("_"))})

    @property
    def record(self) -> dict[str, float]:
        """The values of the best, by column.

        >>> import knossos
        >>> knossos.Recipe('zdt1', budget=500).run(seed=1).record.keys()
        dict_keys(['f1', 'f2'])
        """
        return self._core.record()

    @property
    def artefact(self) -> _core.Artefact | None:
        """What the best stands for; None if there is nothing to show.

        >>> import knossos
        >>> knossos.Recipe('pmx-queens', problem__n=6).run(seed=1).artefact
        <Artefact: 6 queens, solved>
        """
        return self._core.artefact()

    @property
    def json(self) -> dict[str, Any] | None:
        """The result as `knossos run --json` has it.

        >>> import knossos
        >>> result = knossos.Recipe('pmx-queens', problem__n=6).run(seed=1)
        >>> result.json['result']['digest'] == result.digest
        True
        """
        text = self._core.json()
        return None if text is None else json.loads(text)

    def history(self, frame: bool | None = None) -> Any:
        """The figures of generations: a frame if pandas is there, else a dictionary of arrays.

        >>> import knossos
        >>> history = knossos.Recipe('one-max', problem__length=30).run(seed=1).history(frame=False)
        >>> bool((history['best'][1:] >= 0).all()), float(history['generation'][0])
        (True, 0.0)
        """
        return _frame(self._core.history(), frame)

    def hall_of_fame(self, frame: bool | None = None) -> Any:
        """The best different individuals, best first, with their records; `hall_genomes()` has their genomes.

        >>> import knossos
        >>> result = knossos.Recipe('pmx-queens', hall_of_fame=3).run(seed=1)
        >>> len(result.hall_of_fame(frame=False)['conflicts']), result.hall_genomes().shape
        (3, (3, 8))
        """
        return _frame(self._core.hall_of_fame(), frame)

    def front(self, frame: bool | None = None) -> Any:
        """Of several objectives, every trade-off that was found; None with one objective.

        >>> import knossos
        >>> front = knossos.Recipe('zdt1', budget=2000).run(seed=1).front(frame=False)
        >>> [name for name in front if name.startswith('f')], len(front['f1']) > 1
        (['f1', 'f2'], True)
        """
        return self.hall_of_fame(frame) if self._core.has_front else None

    @property
    def gallery(self) -> Gallery | None:
        """The elites, where the algorithm keeps an archive.

        >>> import knossos
        >>> knossos.Recipe('maze-gallery', budget=1000).run(seed=1).gallery.coverage > 0
        True
        """
        found = self._core.gallery()
        return None if found is None else Gallery(found, self._core)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the best in the format that the name asks for: level.tmj, board.svg, dungeon.txt, …

        >>> import knossos, tempfile
        >>> path = tempfile.mkdtemp() + '/level.tmj'
        >>> knossos.Recipe('maze', budget=500).run(seed=1).save(path)
        >>> knossos.read(path).cells.ndim
        2
        """
        if self.artefact is None:
            raise ValueError("there is nothing to be written: the genomes stand for themselves")
        self.artefact.save(path)

    def _repr_svg_(self) -> str | None:
        artefact = self.artefact
        return None if artefact is None else artefact.svg()

    def __repr__(self) -> str:
        ended = "solved" if self.solved else f"stopped by {self.stopped_by}" if self.stopped_by else "going on"
        return f"<Result: best {self.fitness:g}, {self.evaluations} evaluations, {ended}, digest {self.digest}>"


class Gallery:
    """The elites of an archive: at most one a cell of what individuals are like. In a notebook it shows some of them.

    >>> import knossos
    >>> gallery = knossos.Recipe('maze-gallery', budget=3000).run(seed=1).gallery
    >>> len(gallery) > 10, len(gallery) == len(gallery.genomes)
    (True, True)
    """

    def __init__(self, found: dict[str, Any], core: _core.Result):
        self._core = core
        self._columns = found["columns"]
        self.axes: list[tuple[str, float, float, float, int]] = found["axes"]
        self.cells: int = found["cells"]
        self.coverage: float = found["coverage"]
        self.qd_score: float = found["qd_score"]
        self.genomes: np.ndarray = found["genomes"]

    def frame(self, frame: bool | None = None, *, measures: bool = False) -> Any:
        """A row for each elite: its record, and with `measures` all that is measured on what it stands for.

        >>> import knossos
        >>> gallery = knossos.Recipe('maze-gallery', budget=1000).run(seed=1).gallery
        >>> len(gallery.frame(frame=False)['cell']) == len(gallery)
        True
        >>> len(gallery.frame(frame=False, measures=True)) > len(gallery.frame(frame=False))
        True
        """
        columns = dict(self._columns)
        if measures:
            columns.update({name: values for name, values in self._core.gallery_measures().items() if name not in columns})
        return _frame(columns, frame)

    def svg(self, count: int = 24) -> str | None:
        """A sheet of so many elites, drawn from all over the cells; None if there is nothing to show.

        >>> import knossos
        >>> knossos.Recipe('maze-gallery', budget=1000).run(seed=1).gallery.svg(6)[:4]
        '<svg'
        """
        return self._core.gallery_svg(_whole("count", count, 1))

    def _repr_svg_(self) -> str | None:
        return self.svg()

    def __len__(self) -> int:
        return len(self.genomes)

    def __repr__(self) -> str:
        return f"<Gallery: {len(self)} of {self.cells} cells, QD-score {self.qd_score:g}>"
