"""Your own problem: a function of whole batches, or ask and tell; and the operators by themselves."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from . import _arguments as _given
from . import _core
from ._settings import overrides as _overrides
from .results import Result, Run, _to_the_end


def _settings(target: float | None, settings: Mapping[str, Any]) -> _core.Recipe:
    """A recipe that leaves the problem to somebody else."""
    changes = list(_overrides(settings))
    if target is not None:
        changes += _overrides({"stop.target": float(target)})
    return _core.Recipe.parse("", "evolve", changes)


def _numbers(name: str, values: Any) -> np.ndarray:
    array = np.asarray(values)
    if array.dtype.kind not in "biuf":
        raise TypeError(f"{name} is {array.dtype}; it must be an array of numbers [count, length]")
    return np.ascontiguousarray(array, dtype=np.float64)


def begin(
    function: Callable[[np.ndarray], Any],
    space: _core.Space,
    *,
    columns: str = "maximise",
    target: float | None = None,
    packed: bool = False,
    threads: int = 1,
    start: Any = None,
    on_generation: Callable[[dict[str, Any]], Any] | None = None,
    **settings: Any,
) -> Run:
    """As evolve(), of a run that is stepped by whoever holds it.

    >>> import knossos
    >>> run = knossos.begin(lambda genomes: genomes.sum(axis=1), knossos.Space.bits(32), target=32, population=20,
    ...                     budget=20_000, seed=1)
    >>> run.step()
    >>> run.status['generation'], run.finish().fitness
    (1, 32.0)
    """
    genomes = None if start is None else _numbers("start", start)
    recipe = _settings(target, settings)
    return Run(
        _core.Run.of_function(
            recipe, _given.function("function", function), _given.space(space), _given.text("columns", columns), bool(packed),
            _given.threads(threads), genomes, _given.listener(on_generation),
        )
    )


def evolve(
    function: Callable[[np.ndarray], Any],
    space: _core.Space,
    *,
    columns: str = "maximise",
    target: float | None = None,
    packed: bool = False,
    threads: int = 1,
    start: Any = None,
    on_generation: Callable[[dict[str, Any]], Any] | None = None,
    progress: bool = False,
    **settings: Any,
) -> Result:
    """Evolves what a function of yours says is good.

    The function gets all new individuals of a generation as an array [count, length] and returns their values
    [count]. The array is bool for bits, unsigned integers for integers and permutations, float64 for reals; with
    `packed`, bits come as they are kept, uint64 [count, words].

    >>> import knossos
    >>> result = knossos.evolve(lambda genomes: genomes.sum(axis=1), knossos.Space.bits(64), target=64,
    ...                         population=50, select={'kind': 'tournament', 'size': 3}, recombine='uniform',
    ...                         budget=100_000, seed=42)
    >>> result.fitness, result.genome.all().item()
    (64.0, True)

    `columns` says what the values are: 'maximise', 'minimise', or the columns of a record, for which the function
    returns [count, columns] or a dictionary of arrays. Conditions that must hold are violations: by how much they
    are missed. Descriptors are what an archive tells individuals apart by.

    >>> import numpy as np
    >>> weights, values = np.arange(1, 21), np.arange(20, 0, -1)
    >>> def knapsack(genomes):
    ...     return {'value': genomes @ values, 'overweight': np.maximum(0, genomes @ weights - 60)}
    >>> best = knossos.evolve(knapsack, knossos.Space.bits(20), columns='maximise value, must-hold overweight',
    ...                       budget=20_000, recombine='uniform', seed=1)
    >>> best.violation, best.record['value'] > 150
    (0.0, True)

    Algorithm, stages and stop rules are settings by name: `algorithm='nsga2'`, `population=100`,
    `mutate={'kind': 'gaussian', 'deviation': 0.1}`, `budget=10_000` (evaluations), `stop={'generations': 50}`;
    `knossos.parts()` lists them. `start` is an array of genomes to begin with. What the function raises arrives as it is.
    """
    run = begin(
        function, space, columns=columns, target=target, packed=packed, threads=threads, start=start,
        on_generation=on_generation, **settings,
    )
    return _to_the_end(run, progress)


class AskTell:
    """A run whose evaluations you make, whenever and wherever you like; the result is that of evolve().

    >>> import knossos
    >>> run = knossos.AskTell(knossos.Space.permutation(8), columns='minimise', target=0, budget=50_000, seed=1)
    >>> while (boards := run.ask()) is not None:
    ...     run.tell(knossos.queens.conflicts(boards))
    >>> run.result().fitness
    0.0
    """

    def __init__(
        self,
        space: _core.Space,
        *,
        columns: str = "maximise",
        target: float | None = None,
        packed: bool = False,
        **settings: Any,
    ):
        self._core = _core.AskTell(_settings(target, settings), _given.space(space), _given.text("columns", columns), bool(packed))

    def ask(self) -> np.ndarray | None:
        """The genomes to be evaluated next, the same until they are told; None once the run has ended.

        >>> import knossos
        >>> run = knossos.AskTell(knossos.Space.bits(16), population=10, budget=100, seed=1)
        >>> run.ask().shape
        (10, 16)
        """
        return self._core.ask()

    def tell(self, values: Any) -> None:
        """What each of them is worth.

        >>> import knossos
        >>> run = knossos.AskTell(knossos.Space.bits(16), population=10, budget=100, seed=1)
        >>> run.tell(run.ask().sum(axis=1))
        """
        self._core.tell(values)

    def result(self) -> Result:
        """Of the run that has ended.

        >>> import knossos
        >>> run = knossos.AskTell(knossos.Space.bits(16), population=10, budget=100, seed=1)
        >>> while (genomes := run.ask()) is not None:
        ...     run.tell(genomes.sum(axis=1))
        >>> run.result().evaluations
        100
        """
        return Result(self._core.result())


def recombine(
    first: Any, second: Any, space: _core.Space, operator: str | Mapping[str, Any], *, seed: int, always: bool = True
) -> tuple[np.ndarray, np.ndarray]:
    """The children of pairs of parents [count, length]: of each couple two.

    Whether a couple is recombined at all is up to the operator's `probability` only if not `always`.

    >>> import knossos
    >>> space = knossos.Space.permutation(6)
    >>> a, b = knossos.recombine([[0, 1, 2, 3, 4, 5]], [[5, 4, 3, 2, 1, 0]], space, 'partially-matched', seed=1)
    >>> sorted(a[0].tolist()) == sorted(b[0].tolist()) == [0, 1, 2, 3, 4, 5]
    True
    """
    settings = _settings(None, {"recombine": operator})
    parents = _numbers("first", first), _numbers("second", second)
    return _core.recombine(settings, _given.space(space), *parents, _given.seed(seed), bool(always))


def mutate(
    genomes: Any, space: _core.Space, operator: str | Mapping[str, Any], *, seed: int, always: bool = True
) -> np.ndarray:
    """Mutants of genomes [count, length].

    >>> import knossos
    >>> knossos.mutate([[0, 1, 2, 3]], knossos.Space.permutation(4), 'swap', seed=1).shape
    (1, 4)
    """
    settings = _settings(None, {"mutate": operator})
    return _core.mutate(settings, _given.space(space), _numbers("genomes", genomes), _given.seed(seed), bool(always))


def random_genomes(space: _core.Space, count: int, *, seed: int) -> np.ndarray:
    """Genomes drawn evenly from a space, [count, length].

    >>> import knossos
    >>> knossos.random_genomes(knossos.Space.integers(5, 3), 4, seed=1).max() < 3
    np.True_
    """
    return _core.random_genomes(_given.space(space), _given.whole("count", count), _given.seed(seed))
