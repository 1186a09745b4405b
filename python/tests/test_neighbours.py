"""Knossos beside DEAP, pyribs and Gymnasium, each where it is installed."""

import array
import random

import numpy as np
import pytest

import knossos
import knossos.deap


def test_functions_of_a_toolbox_work_on_lists_arrays_and_many_at_once():
    random.seed(1)
    for cross in (
        knossos.deap.cxPartialyMatched, knossos.deap.cxOrdered, knossos.deap.cxCycle, knossos.deap.cxEdgeRecombination
    ):
        one, two = list(range(9)), list(range(8, -1, -1))
        children = cross(one, two)
        assert children[0] is one and children[1] is two  # in place
        assert sorted(one) == sorted(two) == list(range(9)) and all(type(gene) is int for gene in one)
        many = np.random.default_rng(1).permuted(np.tile(np.arange(9), (200, 1)), axis=1)
        others, before = many[::-1].copy(), many.copy()
        assert cross(many, others)[0] is many and (many != before).any()
        assert (np.sort(many, axis=1) == np.arange(9)).all() and (np.sort(others, axis=1) == np.arange(9)).all()
    for cross in (knossos.deap.cxOnePoint, knossos.deap.cxTwoPoint, lambda a, b: knossos.deap.cxUniform(a, b, 0.5)):
        one, two = np.zeros((300, 7)), np.ones((300, 7))
        cross(one, two)
        assert (one + two == 1).all() and 0.2 < one.mean() < 0.8
        reals = [0.25, -3.5, 7.0], [1.5, 2.5, -1.0]
        crossed = cross(list(reals[0]), list(reals[1]))
        assert all({a, b} == {c, d} for a, b, c, d in zip(*reals, *crossed))


def test_genes_keep_their_types():
    random.seed(4)
    for cross in (knossos.deap.cxOnePoint, knossos.deap.cxTwoPoint, lambda a, b: knossos.deap.cxUniform(a, b, 0.5)):
        one, two = [0.0, 1.0, 2.0, 3.0], [4, 5, 6, 2**62 + 1]
        cross(one, two)
        for i, pair in enumerate([(0.0, 4), (1.0, 5), (2.0, 6), (3.0, 2**62 + 1)]):
            assert {(one[i], type(one[i])), (two[i], type(two[i]))} == {(gene, type(gene)) for gene in pair}
        words, others = ["a", "b", "c"], ["x", "y", "z"]
        cross(words, others)
        assert all({a, b} == pair for a, b, pair in zip(words, others, [{"a", "x"}, {"b", "y"}, {"c", "z"}]))
        rows, columns = [[1, 2], [3, 4]], [[5.5, 6.5], [7.5, 8.5]]
        cross(rows, columns)
        assert sorted(sum(rows + columns, [])) == [1, 2, 3, 4, 5.5, 6.5, 7.5, 8.5]
    whole, numbers = [0.0, 1.0, 2.0], array.array("i", [2, 1, 0])
    knossos.deap.cxPartialyMatched(whole, numbers)
    assert all(type(gene) is float for gene in whole) and sorted(numbers) == [0, 1, 2]
    (flipped,) = knossos.deap.mutFlipBit([True, 0, 1.0], 1.0)
    assert flipped == [False, 1, 0.0] and [type(gene) for gene in flipped] == [bool, int, float]
    (kept,) = knossos.deap.mutPolynomialBounded([0.0, 1], 20, 0, 1, 0.0)
    assert [type(gene) for gene in kept] == [float, int]


def test_mutations_change_what_they_should():
    random.seed(2)
    bits = np.zeros((2000, 40), np.uint8)
    knossos.deap.mutFlipBit(bits, 0.1)
    assert 0.09 < bits.mean() < 0.11
    assert knossos.deap.mutFlipBit([1, 0, 1], 0.0) == ([1, 0, 1],)
    assert sorted(knossos.deap.mutShuffleIndexes([0, 1, 2, 3, 4], 0.5)[0]) == [0, 1, 2, 3, 4]
    turned = knossos.deap.mutInversion(list(range(10)))[0]
    assert sorted(turned) == list(range(10)) and turned != list(range(10))
    (reals,) = knossos.deap.mutPolynomialBounded(np.full((500, 3), 0.5), 20, [0, 0, 0.4], 1, 1.0)
    assert (reals[:, 2] >= 0.4).all() and reals.min() >= 0 and reals.max() <= 1 and (reals != 0.5).mean() > 0.9
    a, b = knossos.deap.cxSimulatedBinaryBounded([0.2, 0.9], [0.6, 0.1], 15, 0, 1)
    assert all(0 <= gene <= 1 for gene in a + b)


def test_what_is_drawn_follows_from_the_seed_of_random():
    def children():
        random.seed(5)
        return knossos.deap.cxPartialyMatched(list(range(20)), list(range(19, -1, -1)))

    assert children() == children()


@pytest.mark.parametrize(
    "call",
    [
        lambda: knossos.deap.cxPartialyMatched([0, 0, 1], [0, 1, 2]),
        lambda: knossos.deap.cxPartialyMatched([0, 1, 2], [0, 1]),
        lambda: knossos.deap.cxPartialyMatched([], []),
        lambda: knossos.deap.cxTwoPoint([], []),
        lambda: knossos.deap.cxTwoPoint([0, 1, 2], [0, 1]),
        lambda: knossos.deap.cxUniform([0, 1], [1, 0], 1.5),
        lambda: knossos.deap.mutFlipBit([0, 2], 0.5),
        lambda: knossos.deap.mutFlipBit([0, 1], 1.5),
        lambda: knossos.deap.mutPolynomialBounded([0.5], 20, 1, 0, 0.5),
    ],
)
def test_what_is_no_individual_is_refused(call):
    with pytest.raises(ValueError):
        call()


def test_complex_genes_are_refused():
    with pytest.raises(TypeError, match="complex"):
        knossos.deap.mutFlipBit([1j, 0], 0.5)


def test_deap_solves_queens_with_our_functions():
    pytest.importorskip("deap")
    from deap import algorithms, base, creator, tools

    random.seed(3)
    creator.create("Fewest", base.Fitness, weights=(-1.0,))
    creator.create("Board", list, fitness=creator.Fewest)
    toolbox = base.Toolbox()
    toolbox.register("board", tools.initIterate, creator.Board, lambda: random.sample(range(8), 8))
    toolbox.register("population", tools.initRepeat, list, toolbox.board)
    toolbox.register("mate", knossos.deap.cxPartialyMatched)
    toolbox.register("mutate", knossos.deap.mutShuffleIndexes, indpb=0.2)
    toolbox.register("select", tools.selTournament, tournsize=3)
    toolbox.register("evaluate", lambda board: (float(knossos.queens.conflicts(np.array([board], np.uint8))[0]),))
    population, _ = algorithms.eaSimple(toolbox.population(60), toolbox, 0.7, 0.3, 60, verbose=False)
    assert tools.selBest(population, 1)[0].fitness.values == (0.0,)


def test_an_emitter_fills_an_archive_of_pyribs():
    pytest.importorskip("ribs")
    from ribs.archives import GridArchive
    from ribs.emitters import GaussianEmitter
    from ribs.schedulers import Scheduler

    import knossos.ribs

    space = knossos.Space.reals(6, -1.0, 1.0)

    def filled(emitter_of):
        archive = GridArchive(solution_dim=6, dims=[20, 20], ranges=[(-1, 1), (-1, 1)], seed=1)
        scheduler = Scheduler(archive, [emitter_of(archive)])
        for _ in range(60):
            genomes = scheduler.ask()
            assert genomes.min() >= -1 and genomes.max() <= 1 and len(genomes) == 50
            scheduler.tell(-(genomes[:, 2:] ** 2).sum(axis=1), genomes[:, :2])
        return archive

    def ours(archive):
        return knossos.ribs.Emitter(
            archive, space, recombine="blend", mutate={"kind": "gaussian", "sigma": 0.2}, batch_size=50, seed=4
        )

    archive, again = filled(ours), filled(ours)
    assert archive.stats.num_elites > 150 and archive.stats.qd_score == again.stats.qd_score
    theirs = filled(lambda archive: GaussianEmitter(archive, sigma=0.2, x0=np.zeros(6), bounds=[(-1, 1)] * 6, batch_size=50, seed=4))
    assert archive.stats.coverage > 0.5 * theirs.stats.coverage


def test_batches_of_levels_are_prefixes_and_meet_their_goal():
    generator = knossos.levels.Generator("dungeon")
    goal = "solution 25..45, treasure_reachable 2.."
    levels = generator.next_batch(9, 12, goal)
    np.testing.assert_array_equal(levels[:5], generator.next_batch(9, 5, goal, threads=1))
    assert (levels != generator.next_batch(10, 12, goal)).any()
    judged = knossos.dungeon.judge(levels, "solution, treasure_reachable")
    assert judged["unlosable"].all() and (judged["treasure_reachable"] >= 2).all()
    assert ((judged["solution"] >= 25) & (judged["solution"] <= 45)).all()
    assert len({level.tobytes() for level in levels}) == 12
    assert generator.next_batch(9, 0, goal).shape == (0, *levels.shape[1:])
    with pytest.raises(ValueError, match="solutin"):
        generator.next_batch(1, 1, "solutin 3")
    with pytest.raises(ValueError, match="has no cells"):
        knossos.levels.Generator("sphere", budget=200).next_batch(1, 1)
    for wrong, message in ((dict(seed=1, n=-1), "n is -1"), (dict(seed=-1, n=1), "seed is -1"), (dict(seed=1, n=1, threads=-1), "threads is -1")):
        with pytest.raises(ValueError, match=message):
            generator.next_batch(**wrong)


def test_an_agent_walks_through_an_environment():
    gymnasium = pytest.importorskip("gymnasium")
    from gymnasium.utils.env_checker import check_env

    import knossos.gymnasium

    env = knossos.gymnasium.MazeEnv(
        goal="path 20..40", problem__width=10, problem__height=10, budget=3000, render_mode="ansi"
    )
    assert isinstance(env, gymnasium.Env)
    check_env(env, skip_render_check=True)
    seen, _ = env.reset(seed=7)
    path = int(knossos.maze.measure((seen == 1)[None], "path")["path"][0])
    assert 20 <= path <= 40
    distance, front = {(9, 9): 0}, [(9, 9)]
    for at in front:
        for down, right in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            beside = (at[0] + down, at[1] + right)
            if min(beside) >= 0 and max(beside) < 10 and seen[beside] != 1 and beside not in distance:
                distance[beside] = distance[at] + 1
                front.append(beside)
    at, ended, steps = (0, 0), False, 0
    while not ended:
        nearer = [(a, (at[0] + d[0], at[1] + d[1])) for a, d in enumerate(((0, 1), (1, 0), (0, -1), (-1, 0)))]
        action, at = min(nearer, key=lambda choice: distance.get(choice[1], 1000))
        seen, reward, ended, _, _ = env.step(action)
        steps += 1
    assert steps == path and reward == 1.0 and "@" in env.render()


def test_an_environment_knows_its_places_and_what_it_can_do():
    gymnasium = pytest.importorskip("gymnasium")
    import knossos.gymnasium

    env = knossos.gymnasium.MazeEnv(problem__width=8, problem__height=6, problem__entrance="2,1", problem__exit="5,4", budget=300)
    with pytest.raises(gymnasium.error.ResetNeeded, match="reset"):
        env.step(0)
    seen, _ = env.reset(seed=1)
    assert seen[1, 2] == 2 and seen[4, 5] == 3
    for action in (-1, 4):
        with pytest.raises(ValueError, match=rf"action is {action}; it must be a whole number in 0\.\.3"):
            env.step(action)
    with pytest.raises(TypeError, match="action is 0.5"):
        env.step(0.5)
    with pytest.raises(ValueError, match="makes no mazes"):
        knossos.gymnasium.MazeEnv(recipe="dungeon")
    with pytest.raises(ValueError, match="render_mode is 'human'"):
        knossos.gymnasium.MazeEnv(render_mode="human")
