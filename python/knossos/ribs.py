"""An emitter of Knossos for the archives and schedulers of pyribs. Needs ribs 0.12 or newer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from ribs.emitters import EmitterBase

from . import _core
from .own import mutate as _mutate
from .own import random_genomes as _random_genomes
from .own import recombine as _recombine


class Emitter(EmitterBase):
    """Breeds the elites of a pyribs archive by operators of Knossos, on genomes of any kind.

    >>> import numpy as np, knossos.ribs
    >>> from ribs.archives import GridArchive
    >>> from ribs.schedulers import Scheduler
    >>> archive = GridArchive(solution_dim=16, dims=[17, 9], ranges=[(0, 17), (0, 9)], seed=1)
    >>> emitter = knossos.ribs.Emitter(archive, knossos.Space.bits(16), recombine='uniform', mutate='bit-flip', seed=1)
    >>> scheduler = Scheduler(archive, [emitter])
    >>> for _ in range(20):
    ...     genomes = scheduler.ask()
    ...     changes = np.abs(np.diff(genomes, axis=1)).sum(axis=1)
    ...     _ = scheduler.tell(-changes, np.stack([genomes.sum(axis=1), genomes[:, :8].sum(axis=1)], axis=1))
    >>> archive.stats.num_elites > 50
    True
    """

    def __init__(
        self,
        archive: Any,
        space: _core.Space,
        *,
        mutate: str | Mapping[str, Any],
        recombine: str | Mapping[str, Any] | None = None,
        batch_size: int = 64,
        initial_solutions: Any = None,
        seed: int = 1,
    ):
        low, high = _bounds_of(space)
        super().__init__(archive, solution_dim=space.length, bounds=None, lower_bounds=low, upper_bounds=high)
        self._space = space
        self._operators = (recombine, mutate)
        self._batch_size = int(batch_size)
        self._initial = initial_solutions
        self._seeds = np.random.SeedSequence(seed)

    @property
    def batch_size(self) -> int:
        """How many solutions it emits at a time.

        >>> import knossos.ribs
        >>> from ribs.archives import GridArchive
        >>> archive = GridArchive(solution_dim=16, dims=[17], ranges=[(0, 17)])
        >>> knossos.ribs.Emitter(archive, knossos.Space.bits(16), mutate='bit-flip', batch_size=32).batch_size
        32
        """
        return self._batch_size

    def ask(self) -> np.ndarray:
        """New solutions: at first random ones or those that were given, then children of elites.

        >>> import knossos.ribs
        >>> from ribs.archives import GridArchive
        >>> archive = GridArchive(solution_dim=16, dims=[17], ranges=[(0, 17)])
        >>> knossos.ribs.Emitter(archive, knossos.Space.bits(16), mutate='bit-flip', batch_size=32).ask().shape
        (32, 16)
        """
        seed = int(self._seeds.spawn(1)[0].generate_state(1, np.uint64)[0])
        if self.archive.empty:
            first = self._initial if self._initial is not None else _random_genomes(self._space, self._batch_size, seed=seed)
            return np.asarray(first, dtype=np.float64)
        pairs = (self._batch_size + 1) // 2
        parents = self.archive.sample_elites(2 * pairs)["solution"]
        recombine, mutate = self._operators
        if recombine is not None:
            parents = np.concatenate(_recombine(parents[:pairs], parents[pairs:], self._space, recombine, seed=seed, always=False))
        children = _mutate(parents, self._space, mutate, seed=seed, always=False)
        return children[: self._batch_size].astype(np.float64)


def _bounds_of(space: _core.Space) -> tuple[np.ndarray, np.ndarray]:
    if space.kind == "reals":
        low, high = np.array(space.bounds, dtype=np.float64).T
        return low, high
    most = {"bits": 1, "permutation": space.length - 1}.get(space.kind, space.alphabet - 1)
    return np.zeros(space.length), np.full(space.length, most, dtype=np.float64)
