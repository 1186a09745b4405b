"""What DEAP's toolbox is filled with, by Knossos: the same names and arguments, on lists, on arrays, or on many at once.

>>> import random, knossos.deap
>>> random.seed(3)
>>> a, b = [0, 1, 2, 3, 4, 5], [5, 4, 3, 2, 1, 0]
>>> a, b = knossos.deap.cxPartialyMatched(a, b)
>>> sorted(a) == sorted(b) == [0, 1, 2, 3, 4, 5]
True

Individuals are changed in place and returned, as in DEAP, and genes keep their types; arrays [count, length] are as many
individuals at once, which is what makes it quick. What is drawn follows from `random.seed()`. DEAP itself is not needed.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from . import _core
from ._settings import overrides as _overrides

_Variation = tuple[Any, ...]


@lru_cache(maxsize=256)
def _settings(stage: str, kind: str, fields: tuple[tuple[str, float], ...]) -> _core.Recipe:
    return _core.Recipe.parse("", "deap", list(_overrides({stage: {"kind": kind, **dict(fields)}})))


def _seed() -> int:
    return random.getrandbits(63)


def _require_individuals(shape: tuple[int, ...]) -> None:
    if len(shape) not in (1, 2) or 0 in shape:
        raise ValueError(f"an individual is a row of genes, many are an array [count, length]; this has the shape {shape}")


def _rows(individuals: Any) -> np.ndarray:
    if np.iscomplexobj(individuals):
        raise TypeError("genes are complex numbers; they must be whole or real")
    rows = np.ascontiguousarray(individuals, dtype=np.float64)
    _require_individuals(rows.shape)
    return rows.reshape(-1, rows.shape[-1])


def _each(individuals: Any) -> Any:
    """Many individuals, or the one as if it were many."""
    return [individuals] if np.ndim(individuals) == 1 else individuals


def _like(old: Any, new: float) -> Any:
    """A new value of the type of the old one, where that has it: an int stays one, and so does a float that is whole."""
    if new == old:
        return old
    made = type(old)(new)
    return made if made == new else new


def _put_back(individuals: Any, rows: np.ndarray) -> Any:
    if isinstance(individuals, np.ndarray):
        individuals[...] = rows.reshape(individuals.shape)
        return individuals
    for individual, row in zip(_each(individuals), rows.tolist()):
        for i, new in enumerate(row):
            individual[i] = _like(individual[i], new)
    return individuals


def _require_pair(first: tuple[int, ...], second: tuple[int, ...]) -> None:
    if first != second:
        raise ValueError(f"the parents have the shapes {first} and {second}; they must be the same")


def _cross(first: Any, second: Any, space: Callable[[int], _core.Space], kind: str, **fields: float) -> _Variation:
    a, b = _rows(first), _rows(second)
    _require_pair(a.shape, b.shape)
    settings = _settings("recombine", kind, tuple(fields.items()))
    a, b = _core.recombine(settings, space(a.shape[1]), a, b, _seed(), True)
    return _put_back(first, a), _put_back(second, b)


def _mutate(individuals: Any, space: Callable[[int], _core.Space], kind: str, **fields: float) -> _Variation:
    rows = _rows(individuals)
    if 0.0 in (fields.get("per_bit"), fields.get("per_gene")):  # which means 1 / length in recipes, and never in DEAP
        return (individuals,)
    settings = _settings("mutate", kind, tuple(fields.items()))
    return (_put_back(individuals, _core.mutate(settings, space(rows.shape[1]), rows, _seed(), True)),)


def _within(low: float | Sequence[float], up: float | Sequence[float]) -> Callable[[int], _core.Space]:
    def space(length: int) -> _core.Space:
        lows, ups = np.broadcast_to(low, length), np.broadcast_to(up, length)
        return _core.Space.reals_within([(float(a), float(b)) for a, b in zip(lows, ups)])

    return space


def _swap(first: Any, second: Any, kind: str, **fields: float) -> _Variation:
    """Crossovers of points, which only swap genes, of whatever type they are."""
    shape = np.shape(first)
    _require_individuals(shape)
    _require_pair(shape, np.shape(second))
    settings, length = _settings("recombine", kind, tuple(fields.items())), shape[-1]
    none = np.zeros((shape[0] if len(shape) == 2 else 1, length))
    swapped, _ = _core.recombine(settings, _core.Space.bits(length), none, none + 1, _seed(), True)
    if isinstance(first, np.ndarray) and isinstance(second, np.ndarray):
        swapped = swapped.reshape(shape)
        first[swapped], second[swapped] = second[swapped], first[swapped]
        return first, second
    for a, b, which in zip(_each(first), _each(second), swapped):
        for i in np.flatnonzero(which).tolist():
            a[i], b[i] = b[i], a[i]
    return first, second


def cxPartialyMatched(ind1: Any, ind2: Any) -> _Variation:
    """Partially matched crossover of permutations of 0 .. length - 1.

    >>> import knossos.deap
    >>> a, b = knossos.deap.cxPartialyMatched([0, 1, 2, 3, 4], [4, 3, 2, 1, 0])
    >>> sorted(a) == sorted(b) == [0, 1, 2, 3, 4]
    True
    """
    return _cross(ind1, ind2, _core.Space.permutation, "partially-matched")


def cxOrdered(ind1: Any, ind2: Any) -> _Variation:
    """Ordered crossover of permutations.

    >>> import knossos.deap
    >>> a, b = knossos.deap.cxOrdered([0, 1, 2, 3, 4], [4, 3, 2, 1, 0])
    >>> sorted(a) == sorted(b) == [0, 1, 2, 3, 4]
    True
    """
    return _cross(ind1, ind2, _core.Space.permutation, "order")


def cxCycle(ind1: Any, ind2: Any) -> _Variation:
    """Cycle crossover of permutations, which DEAP has not.

    >>> import knossos.deap
    >>> a, b = knossos.deap.cxCycle([0, 1, 2, 3, 4], [4, 3, 2, 1, 0])
    >>> sorted(a) == sorted(b) == [0, 1, 2, 3, 4]
    True
    """
    return _cross(ind1, ind2, _core.Space.permutation, "cycle")


def cxEdgeRecombination(ind1: Any, ind2: Any) -> _Variation:
    """Edge recombination of permutations, which DEAP has not.

    >>> import knossos.deap
    >>> a, b = knossos.deap.cxEdgeRecombination([0, 1, 2, 3, 4], [4, 3, 2, 1, 0])
    >>> sorted(a) == sorted(b) == [0, 1, 2, 3, 4]
    True
    """
    return _cross(ind1, ind2, _core.Space.permutation, "edge-recombination")


def cxOnePoint(ind1: Any, ind2: Any) -> _Variation:
    """One-point crossover of genes of any type.

    >>> import knossos.deap
    >>> a, b = knossos.deap.cxOnePoint([0, 0, 0, 0], [1, 1, 1, 1])
    >>> [first + second for first, second in zip(a, b)]  # genes change sides
    [1, 1, 1, 1]
    """
    return _swap(ind1, ind2, "one-point")


def cxTwoPoint(ind1: Any, ind2: Any) -> _Variation:
    """Two-point crossover of genes of any type.

    >>> import knossos.deap
    >>> a, b = knossos.deap.cxTwoPoint([0, 0, 0, 0], [1, 1, 1, 1])
    >>> [first + second for first, second in zip(a, b)]  # genes change sides
    [1, 1, 1, 1]
    """
    return _swap(ind1, ind2, "two-point")


def cxUniform(ind1: Any, ind2: Any, indpb: float) -> _Variation:
    """Uniform crossover: each gene changes sides with probability `indpb`.

    >>> import knossos.deap
    >>> a, b = knossos.deap.cxUniform([0, 0, 0, 0], [1, 1, 1, 1], indpb=0.5)
    >>> [first + second for first, second in zip(a, b)]  # genes change sides
    [1, 1, 1, 1]
    """
    return _swap(ind1, ind2, "uniform", exchange=float(indpb))


def cxSimulatedBinaryBounded(ind1: Any, ind2: Any, eta: float, low: Any, up: Any) -> _Variation:
    """Simulated binary crossover of reals within bounds.

    >>> import knossos.deap
    >>> a, b = knossos.deap.cxSimulatedBinaryBounded([0.1, 0.9], [0.4, 0.2], eta=20, low=0, up=1)
    >>> all(0 <= gene <= 1 for gene in a)
    True
    """
    return _cross(ind1, ind2, _within(low, up), "simulated-binary", eta=float(eta))


def mutShuffleIndexes(individual: Any, indpb: float) -> _Variation:
    """Each gene of a permutation is swapped with another one with probability `indpb`.

    >>> import knossos.deap
    >>> mutant, = knossos.deap.mutShuffleIndexes([0, 1, 2, 3, 4], indpb=0.5)
    >>> sorted(mutant) == [0, 1, 2, 3, 4]
    True
    """
    return _mutate(individual, _core.Space.permutation, "shuffle-indexes", per_index=float(indpb))


def mutInversion(individual: Any) -> _Variation:
    """A stretch of a permutation is turned round.

    >>> import knossos.deap
    >>> mutant, = knossos.deap.mutInversion([0, 1, 2, 3, 4])
    >>> sorted(mutant) == [0, 1, 2, 3, 4]
    True
    """
    return _mutate(individual, _core.Space.permutation, "inversion")


def mutFlipBit(individual: Any, indpb: float) -> _Variation:
    """Each bit is flipped with probability `indpb`.

    >>> import knossos.deap
    >>> mutant, = knossos.deap.mutFlipBit([0, 0, 1], indpb=1.0)
    >>> mutant == [1, 1, 0]
    True
    """
    return _mutate(individual, _core.Space.bits, "bit-flip", per_bit=float(indpb))


def mutPolynomialBounded(individual: Any, eta: float, low: Any, up: Any, indpb: float) -> _Variation:
    """Polynomial mutation of reals within bounds.

    >>> import knossos.deap
    >>> mutant, = knossos.deap.mutPolynomialBounded([0.1, 0.9], eta=20, low=0, up=1, indpb=0.5)
    >>> all(0 <= gene <= 1 for gene in mutant)
    True
    """
    return _mutate(individual, _within(low, up), "polynomial", eta=float(eta), per_gene=float(indpb))


def mutGaussianBounded(individual: Any, sigma: float, low: Any, up: Any, indpb: float) -> _Variation:
    """Gaussian mutation of reals within bounds; `sigma` is a share of the range, as DEAP's is not.

    >>> import knossos.deap
    >>> mutant, = knossos.deap.mutGaussianBounded([0.1, 0.9], sigma=0.1, low=0, up=1, indpb=0.5)
    >>> all(0 <= gene <= 1 for gene in mutant)
    True
    """
    return _mutate(individual, _within(low, up), "gaussian", sigma=float(sigma), per_gene=float(indpb))
