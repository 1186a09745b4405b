"""Somebody's own problem: functions of batches, records, ask and tell, operators by themselves, and what goes wrong."""

import os
import signal

import numpy as np
import pytest

import knossos
from knossos import Space

LENGTH = 40


def ones(genomes):
    return genomes.sum(axis=1)


def test_a_function_gives_the_run_of_the_recipe():
    recipe = knossos.Recipe("one-max", problem__length=LENGTH)
    stages = {place: dict(recipe.values[place]) for place in recipe.values if place.startswith(("stages.", "algorithm"))}
    theirs = recipe.run(seed=7)
    ours = knossos.evolve(ones, Space.bits(LENGTH), target=LENGTH, seed=7, stop={"generations": 10_000}, **stages)
    assert ours.evaluations == theirs.evaluations and ours.fitness == theirs.fitness
    np.testing.assert_array_equal(ours.genome, theirs.genome)


@pytest.mark.parametrize(
    "space, kind, low, high",
    [
        (Space.bits(70), np.bool_, 0, 1),
        (Space.bits(70, ones=9), np.bool_, 0, 1),
        (Space.integers(9, 5), np.uint8, 0, 4),
        (Space.integers(9, 300), np.uint16, 0, 299),
        (Space.permutation(300), np.uint16, 0, 299),
        (Space.reals(5, -2.0, 3.0), np.float64, -2, 3),
        (Space.reals_within([(0, 1), (5, 6)]), np.float64, 0, 6),
    ],
)
def test_every_kind_of_genome_arrives_as_an_array(space, kind, low, high):
    seen = []

    def function(genomes):
        seen.append(genomes)
        return genomes[:, 0].astype(float)

    result = knossos.evolve(function, space, budget=200, population=20, seed=1)
    assert sum(map(len, seen)) == result.evaluations
    for genomes in seen:  # kept, and not overwritten since
        assert genomes.dtype == kind and genomes.shape[1] == space.length
        assert genomes.min() >= low and genomes.max() <= high
    if space.kind == "permutation":
        assert (np.sort(np.concatenate(seen), axis=1) == np.arange(space.length)).all()
    values = np.concatenate([genomes[:, 0] for genomes in seen])
    assert result.fitness == values.max() and result.genome[0] == values.max()


def test_packed_bits_are_the_same_run():
    def count(words):
        return np.unpackbits(words.view(np.uint8), axis=1).sum(axis=1)

    plain = knossos.evolve(ones, Space.bits(100), budget=3000, seed=2)
    packed = knossos.evolve(count, Space.bits(100), packed=True, budget=3000, seed=2)
    assert plain.digest == packed.digest
    with pytest.raises(ValueError, match="only bits are packed"):
        knossos.evolve(count, Space.reals(3), packed=True, budget=100)


def test_records_have_violations_and_descriptors():
    def function(genomes):
        return {"value": genomes.sum(axis=1), "over": np.maximum(0, genomes.sum(axis=1) - 3)}

    columns = "maximise value, must-hold over"
    result = knossos.evolve(function, Space.reals(4), columns=columns, budget=3000, seed=1)
    assert result.violation == 0 and 2.5 < result.record["value"] <= 3
    as_array = knossos.evolve(
        lambda genomes: np.stack(list(function(genomes).values()), axis=1), Space.reals(4), columns=columns, budget=3000, seed=1
    )
    assert as_array.digest == result.digest
    elites = knossos.evolve(
        lambda genomes: {"sum": genomes.sum(axis=1), "x": genomes[:, 0], "y": genomes[:, 1]},
        Space.reals(4), columns="maximise sum 0..4, descriptor x 0..1, descriptor y 0..1", algorithm="map-elites",
        algorithm__axes="x 0..1 by 0.1, y 0..1 by 0.1", budget=4000, seed=1,
    )
    assert len(elites.gallery) > 50
    front = knossos.evolve(
        lambda genomes: {"a": genomes[:, 0], "b": 1 - genomes[:, 0] + genomes[:, 1]}, Space.reals(2),
        columns="minimise a, minimise b", algorithm="nsga2", budget=4000, seed=1,
    ).front(frame=False)
    assert len(front["a"]) > 10


def test_asking_and_telling_gives_the_run_of_the_function():
    settings = dict(population=30, select={"kind": "tournament", "size": 3}, budget=2000, seed=9)
    run = knossos.AskTell(Space.bits(LENGTH), **settings)
    kept = []
    while (genomes := run.ask()) is not None:
        assert (run.ask() == genomes).all()  # the same until they are told
        kept.append((genomes, genomes.copy()))
        run.tell(ones(genomes))
    assert all((genomes == copy).all() for genomes, copy in kept)
    assert run.result().digest == knossos.evolve(ones, Space.bits(LENGTH), **settings).digest
    with pytest.raises(ValueError, match="nothing was asked"):
        run.tell([1.0])
    run = knossos.AskTell(Space.bits(LENGTH), **settings)
    genomes = run.ask()
    with pytest.raises(ValueError, match=r"tell was given values of shape \[1\] for 30 individuals"):
        run.tell([1.0])
    with pytest.raises(TypeError, match="tell was given None"):
        run.tell(None)
    run.tell(ones(genomes))  # as nothing had been told
    run.tell([float("nan")] * len(run.ask()))
    with pytest.raises(knossos.EvaluationError, match="not a number"):
        run.ask()


def asked_nothing_more():
    """Children that are their parents: after the first population there is nothing to evaluate, and no end for a while."""
    run = knossos.AskTell(Space.bits(LENGTH), population=200_000, mutate={"kind": "bit-flip", "probability": 0.0}, budget=10**6)
    run.tell(ones(run.ask()))
    return run


def test_ctrl_c_reaches_who_waits_to_be_asked():
    run = asked_nothing_more()
    before = signal.signal(signal.SIGALRM, signal.default_int_handler)
    try:
        for _ in range(2):
            signal.setitimer(signal.ITIMER_REAL, 0.02)
            with pytest.raises(KeyboardInterrupt):
                run.ask()
            with pytest.raises(ValueError, match="the run has not ended"):
                run.result()
    finally:
        signal.signal(signal.SIGALRM, before)


def test_a_run_that_nobody_wants_any_more_ends():
    run = asked_nothing_more()
    del run  # waits for its thread


def test_runs_of_functions_go_on_from_checkpoints():
    whole = knossos.evolve(ones, Space.bits(LENGTH), budget=2000, seed=4)
    run = knossos.begin(ones, Space.bits(LENGTH), budget=2000, seed=4)
    run.step()
    middle = run.checkpoint()
    assert knossos.begin(ones, Space.bits(LENGTH), budget=2000, seed=4).restore(middle).finish().digest == whole.digest


def test_first_genomes_may_be_given():
    first = []

    def function(genomes):
        first.append(genomes.copy())
        return ones(genomes)

    given = np.ones((2, LENGTH))
    result = knossos.evolve(function, Space.bits(LENGTH), start=given, target=LENGTH, budget=500, seed=1)
    assert result.solved and first[0].all(axis=1).sum() == 2
    with pytest.raises(ValueError, match=r"start\[0, 0\] is 2"):
        knossos.evolve(ones, Space.bits(LENGTH), start=given * 2, budget=500)


class Mine(Exception):
    pass


@pytest.mark.parametrize("threads", [1, 4])
@pytest.mark.parametrize("raised", [Mine("mine"), KeyError("mine"), SystemExit(3), StopIteration()])
def test_what_the_function_raises_arrives_as_it_is(raised, threads):
    calls = []

    def function(genomes):
        calls.append(1)
        if len(calls) == 3:
            raise raised
        return ones(genomes)

    with pytest.raises(type(raised)) as caught:
        knossos.evolve(function, Space.bits(LENGTH), population=10, budget=5000, threads=threads)
    assert caught.value is raised and len(calls) == 3
    assert any(entry.name == "function" for entry in caught.traceback)


def test_ctrl_c_ends_a_run_in_python_and_in_between(tmp_path):
    def function(genomes):
        os.kill(os.getpid(), signal.SIGINT)
        return ones(genomes)

    given = signal.signal(signal.SIGINT, signal.default_int_handler)  # which shells ignore in what they run in the background
    with pytest.raises(KeyboardInterrupt):
        knossos.evolve(function, Space.bits(LENGTH), stop={"generations": 10**9})
    signal.signal(signal.SIGINT, given)
    recipe = knossos.Recipe("pmx-queens", problem__n=30, stop__solved=False, budget=200_000)
    run = recipe.start(seed=1, folder=tmp_path / "run")
    before = signal.signal(signal.SIGALRM, signal.default_int_handler)
    signal.setitimer(signal.ITIMER_REAL, 0.02)
    with pytest.raises(KeyboardInterrupt):
        while True:
            run.advance(3600.0)
    signal.signal(signal.SIGALRM, before)
    del run
    assert knossos.resume(tmp_path / "run").digest == recipe.run(seed=1).digest


@pytest.mark.parametrize(
    "returned, kind, message",
    [
        (lambda genomes: ones(genomes)[:-1], ValueError, r"returned values of shape \[19\] for 20 individuals; it must be \[20\]"),
        (lambda genomes: np.full(len(genomes), np.nan), ValueError, "not a number"),
        (lambda genomes: None, TypeError, "the function returned None"),
        (lambda genomes: {"other": ones(genomes)}, ValueError, "returned no "),
        (lambda genomes: ones(genomes)[:, None, None], ValueError, "shape"),
        (lambda genomes: 1.0, ValueError, "shape"),
        (lambda genomes: ones(genomes) * 1j, TypeError, "the function returned values of type complex128; they must be numbers"),
        (lambda genomes: ["1"] * len(genomes), TypeError, "the function returned values of type str32; they must be numbers"),
        (lambda genomes: (float(one) for one in ones(genomes)), TypeError, None),
    ],
)
def test_values_that_are_none_are_refused(returned, kind, message):
    with pytest.raises(kind, match=message):
        knossos.evolve(returned, Space.bits(LENGTH), population=20, budget=500)


@pytest.mark.parametrize(
    "call, kind, message",
    [
        (lambda: knossos.evolve(ones, Space.bits(8)), ValueError, "never end"),
        (lambda: knossos.evolve(ones, Space.bits(8), budget=100, mutate="swp"), ValueError, "swp"),
        (lambda: knossos.evolve(ones, Space.bits(8), budget=100, columns="most"), ValueError, "most"),
        (lambda: knossos.evolve(3, Space.bits(8), budget=100), TypeError, "function is of type int; it must be a function"),
        (lambda: knossos.evolve(ones, "bits", budget=100), TypeError, "space is of type str; it must be a knossos.Space"),
        (lambda: knossos.evolve(ones, Space.bits(8), budget=100, columns=["maximise a"]), TypeError, "columns is of type list; .* text"),
        (lambda: knossos.evolve(ones, Space.bits(8), budget=100, threads=-1), ValueError, r"threads is -1; .* 0\.\.1024"),
        (lambda: knossos.evolve(ones, Space.bits(8), budget=100, on_generation=5), TypeError, "on_generation is of type int"),
        (lambda: knossos.evolve(ones, Space.bits(8), budget=100, start="11"), TypeError, "start is <U2; it must be an array of numbers"),
        (lambda: knossos.AskTell("bits", budget=100), TypeError, "space is of type str"),
        (lambda: knossos.random_genomes(Space.bits(8), -1, seed=1), ValueError, "count is -1; .* 0 or more"),
        (lambda: knossos.random_genomes(Space.bits(8), 10**15, seed=1), ValueError, "count is 1000000000000000; .* 8000000.0 GB of memory"),
        (lambda: knossos.evolve(ones, Space.bits(8), budget=100, output__device="gpu"), ValueError, "output.device is 'gpu'; .* cpu or auto"),
        (lambda: knossos.AskTell(Space.bits(8), budget=100, output__device="gpu"), ValueError, "output.device is 'gpu'; .* cpu or auto"),
        (lambda: knossos.random_genomes(Space.bits(8), 1, seed=None), TypeError, "seed is None"),
        (lambda: knossos.mutate([[1, 0]], Space.permutation(2), "swap", seed=-1), ValueError, "seed is -1"),
        (lambda: knossos.AskTell(Space.bits(8)), ValueError, "never end"),
        (lambda: Space.bits(8, ones=9), ValueError, "9"),
        (lambda: Space.integers(8, 0), ValueError, None),
        (lambda: Space.reals(3, 1.0, float("nan")), ValueError, None),
        (lambda: Space.bits(2**63), ValueError, "space.length is 9223372036854775808; it must be a whole number"),
        (lambda: Space.bits(-1), ValueError, "space.length is -1; it must be a whole number"),
        (lambda: Space.bits("8"), TypeError, "space.length is '8'; it must be a whole number"),
        (lambda: Space.integers(4, 2.5), TypeError, "space.alphabet is 2.5"),
        (lambda: Space.permutation(None), TypeError, "space.length is None"),
        (lambda: Space.reals(3, "a"), TypeError, "low is 'a'; it must be a number"),
        (lambda: Space.reals_within([(0, 1), 2]), TypeError, "a pair of numbers"),
    ],
)
def test_what_can_be_no_run_is_refused(call, kind, message):
    with pytest.raises(kind, match=message):
        call()


def test_operators_work_on_arrays_by_themselves():
    space = Space.permutation(30)
    parents = knossos.random_genomes(space, 50, seed=1)
    for name in knossos.parts("stages.recombine"):
        try:
            children = knossos.recombine(parents[:25], parents[25:], space, name, seed=2)
        except ValueError as refused:
            assert "works on genomes of kind" in str(refused)
            continue
        for child in children:
            assert (np.sort(child, axis=1) == np.arange(30)).all()
        again = knossos.recombine(parents[:25], parents[25:], space, name, seed=2)
        assert (children[0] == again[0]).all() and (children[1] == again[1]).all()
    mutants = knossos.mutate(parents, space, {"kind": "swap", "probability": 0.0}, seed=3)
    assert ((mutants != parents).sum(axis=1) == 2).all()
    assert (knossos.mutate(parents, space, {"kind": "swap", "probability": 0.0}, seed=3, always=False) == parents).all()
    with pytest.raises(ValueError, match="it takes two"):
        knossos.recombine(parents[:2], parents[:3], space, "partially-matched", seed=1)


#: What an algorithm needs beside what every other one takes.
NEEDED = {
    "nsga2": dict(columns="minimise a, minimise b"),
    "map-elites": dict(columns="maximise a, descriptor b 0..1", algorithm=dict(axes="b 0..1 by 0.1")),
    "chosen": dict(algorithm=dict(choices="1 2; 3 4; 5 6")),
    "duel": dict(algorithm=dict(population=2)),
}


@pytest.mark.parametrize("name", knossos.parts("algorithm"))
def test_every_algorithm_is_there_by_name_and_fields(name):
    def function(genomes):
        return {"a": genomes.sum(axis=1), "b": 1 - genomes[:, 0]}

    fields = {field: default for field, (default, _) in knossos.parts("algorithm")[name][1].items()}
    needed = dict(NEEDED.get(name, {}))
    own = {"population": 20, **needed.pop("algorithm", {})}
    settings = dict(columns="maximise a", budget=400, stop={"generations": 30}, seed=3) | needed
    if name == "annealing":
        own["steps"] = 400  # as many as the budget, if nothing else is said
    full = knossos.evolve(function, Space.reals(4), algorithm={"kind": name, **fields, **own}, **settings)
    short = knossos.evolve(function, Space.reals(4), algorithm={"kind": name, **own}, **settings)
    assert full.digest == short.digest and full.evaluations > own["population"]
    with pytest.raises(ValueError, match="no_such_field"):
        knossos.evolve(function, Space.reals(4), algorithm={"kind": name, "no_such_field": 1, **own}, **settings)


@pytest.mark.parametrize("name", knossos.parts("stages.mutate"))
def test_every_mutation_is_there_by_name_and_fields(name):
    fields = {field: default for field, (default, _) in knossos.parts("stages.mutate")[name][1].items()}
    if name == "mixture":
        fields["of"] = "swap, inversion"
    if name == "problem-move":  # which a function has not
        full, short = (knossos.Recipe("maze", budget=500, mutate=chosen).run(seed=1) for chosen in ({"kind": name, **fields}, name))
        assert full.digest == short.digest
        return
    taken = 0
    for space in (Space.bits(20), Space.bits(20, ones=7), Space.integers(20, 9), Space.permutation(20), Space.reals(20)):
        genomes = knossos.random_genomes(space, 50, seed=1)
        try:
            mutants = knossos.mutate(genomes, space, {"kind": name, **fields}, seed=2)
        except ValueError as refused:
            assert "works on genomes of kind" in str(refused) or "ones" in str(refused)
            continue
        taken += 1
        assert mutants.dtype == genomes.dtype and (mutants != genomes).any()
        if name != "mixture":
            assert (mutants == knossos.mutate(genomes, space, name, seed=2)).all()
    assert taken
    with pytest.raises(ValueError, match="no_such_field"):
        knossos.mutate(genomes, space, {"kind": name, "no_such_field": 1}, seed=2)
