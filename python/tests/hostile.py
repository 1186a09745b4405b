"""hostile.py [--seed N] [--calls N]: calls everything with arguments that nobody should give.

Whatever comes, Python must survive it, and hear of it by an exception of a fitting class. Under the address sanitizer this
finds what goes wrong unseen; test_hostile.py has a taste of it without.
"""

import argparse
import faulthandler
import random
import sys
import tempfile

import numpy as np

import knossos
import knossos.deap
from knossos import Space, _core

try:
    from knossos import gymnasium
except ImportError:  # a neighbour that is not installed
    gymnasium = None


class Mine(Exception):
    """What callbacks of this file raise."""


#: What may be raised. A RuntimeError or SystemError would be an exception of C++ that nobody has translated.
FITTING = (TypeError, ValueError, KeyError, IndexError, OSError, OverflowError, MemoryError, AttributeError, Mine)
if gymnasium is not None:
    FITTING += (gymnasium.gymnasium.error.Error,)


class Hostile:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.numbers = np.random.default_rng(seed)
        self.folder = tempfile.mkdtemp(prefix="hostile-")

    # --- values ---------------------------------------------------------------

    def of(self, *choices):
        chosen = self.random.choice(choices)
        return chosen() if callable(chosen) else chosen

    def integer(self):
        return self.of(-1, 0, 1, 2, 3, 8, 100, 2**31 - 1, 2**31, 2**32, 2**63, 2**64, -(2**63), 10**30)

    def small(self):
        return self.of(0, 1, 2, 3, 5, 8, 13, 64, 65, 130)

    def number(self):
        return self.of(self.integer, 0.0, 0.5, -1.5, 1e308, -1e308, 5e-324, float("nan"), float("inf"), -float("inf"))

    def text(self):
        return self.of(
            "", "path", "path,rock", "x" * 5000, "\0", "a\0b", "é✓", "\ud800", "maze", "pmx-queens", "no-such", "[", '"', "\n",
            "problem.n=3", "maximise", "minimise a, minimise b", "maximise v, must-hold w 3, descriptor d 0..1", "{}", "%s%n",
            self.folder, self.folder + "/x.toml", "/dev/null", "/proc/self/mem", "..",
        )

    def thing(self):
        return self.of(
            None, True, False, self.number, self.text, b"", b"KNOSSOS\0\1\2", [], [[]], (), {}, {"kind": "swap"}, object, [1, "a", None],
            lambda: lambda *_: None, self.array, self.space, Mine, np.float64(3), np.array(7), slice(3), memoryview(b"abc"), range(3),
        )

    def array(self):
        shape = tuple(self.of(0, 1, 2, 3, 5, 8, 17) for _ in range(self.of(0, 1, 2, 2, 3, 3, 3, 4)))
        kind = self.of("u1", "u1", "u1", "?", "u2", "u4", "u8", "i1", "i8", "f4", "f8", "c16", ">u2", "O", "S3", "M8[s]", "V5")
        if kind in ("O", "S3", "M8[s]", "V5"):
            made = np.zeros(shape, kind)
        else:
            made = self.numbers.integers(0, self.of(1, 2, 2, 2, 9, 22, 127), shape).astype(kind)
        if kind in ("f4", "f8") and made.size and self.of(True, False):
            made.flat[0] = self.of(float("nan"), float("inf"), -1.0, 0.5, 1e300)
        for _ in range(self.of(0, 0, 1, 2)):
            made = self.turned(made)
        return made

    def turned(self, made):
        if made.ndim == 0:
            return made
        axis = self.random.randrange(made.ndim)
        how = self.random.randrange(6)
        if how == 0:
            return np.flip(made, axis)
        if how == 1:
            return made.T
        if how == 2:
            return made[(slice(None),) * axis + (slice(None, None, 2),)]
        if how == 3:
            return np.broadcast_to(made, (self.of(0, 1, 3, 40), *made.shape))
        if how == 4 and made.size:
            return np.lib.stride_tricks.as_strided(made, made.shape, (0,) * made.ndim)
        made = made.copy()
        made.flags.writeable = False
        return made

    def levels(self):
        return self.of(self.array, self.thing, lambda: self.numbers.integers(0, self.of(2, 21), (3, 6, 7)).astype(np.uint8))

    def space(self):
        return self.of(
            lambda: Space.bits(self.of(1, 7, 64, 65, 130)), lambda: Space.bits(9, ones=self.of(0, 3, 9)),
            lambda: Space.integers(self.of(1, 5, 40), self.of(1, 2, 3, 200, 300, 70000)), lambda: Space.permutation(self.of(1, 2, 9, 300)),
            lambda: Space.reals(self.of(1, 4), -1.0, 1.0), lambda: Space.reals_within([(0.0, 0.0), (-1e150, 1e150), (1.0, 2.0)]),
        )

    def genomes(self, space):
        rows = knossos.random_genomes(space, self.of(0, 1, 2, 5), seed=self.random.randrange(99)).astype(float)
        return self.of(lambda: rows, lambda: rows[:, ::-1], lambda: rows + 0.5, lambda: -rows, self.thing, lambda: rows * float("nan"))

    def operator(self, place):
        name = self.random.choice(list(knossos.parts(place)))
        fields = knossos.parts(place)[name][1]
        some = {field: self.of(self.number, self.thing, default) for field, (default, _) in fields.items() if self.of(True, False)}
        return self.of(name, {"kind": name, **some}, self.thing)

    def function(self, space, run=lambda: None):
        """A callback: mostly right, at times anything."""

        def values(genomes):
            how = self.random.randrange(14)
            if how == 0:
                raise self.of(Mine, Mine("\0"), ValueError("\ud800"))
            if how == 1:
                return self.thing()
            if how == 2:
                return np.full(len(genomes), self.number() if abs(self.of(0, 1)) else 1.0, dtype=object)
            if how == 3:
                genomes[...] = 0  # is theirs
            if how == 4:
                self.kept = genomes
            if how == 5 and run() is not None:
                self.touch(run())
            if how == 6:
                return {"a": genomes[:, 0], "b": genomes[:, -1], "v": genomes[:, 0], "w": genomes[:, 0], "d": genomes[:, 0]}
            if how == 7:
                knossos.evolve(lambda inner: inner.sum(axis=1), Space.bits(5), budget=20, population=10)
            return genomes.astype(float).sum(axis=1)

        return values

    def touch(self, run):
        """What a callback, or anybody at any time, may try with a run."""
        self.of(
            lambda: run.step(), lambda: run.status, lambda: run.where, lambda: run.population, lambda: run.finished, lambda: run.advance(self.of(0.0, -1.0, float("nan"))),
            lambda: run.restore(self.of(b"", b"x" * 100, self.thing)), lambda: run.restore(self.damaged(run.checkpoint())), lambda: run.result(),
            lambda: run.save(), lambda: repr(run), lambda: run.result().history(frame=False), lambda: run.result().artefact,
        )

    def damaged(self, data):
        data = bytearray(data)
        for _ in range(self.of(0, 1, 3)):
            data[self.random.randrange(len(data))] = self.random.randrange(256)
        return bytes(data[: self.of(len(data), len(data), self.random.randrange(len(data) + 1))])

    def settings(self):
        some = {"budget": self.of(100, 200, 300, 300, 300, self.thing), "population": self.of(10, 20, 30, 40, 40, self.thing)}
        some["stop__generations"] = 40  # where nothing ever changes nothing is evaluated, and no budget used up
        if self.of(True, False, False):
            some[self.of("algorithm", "algorithm__kind")] = self.of(*knossos.parts("algorithm"), self.thing)
        if self.of(True, False, False):
            some["mutate"] = self.operator("stages.mutate")
        if self.of(True, False, False):
            some["recombine"] = self.operator("stages.recombine")
        if self.of(True, False, False, False, False):
            some[self.of("seed", "stop__target", "islands__count", "a", "problem", "stages", "", "__", "restart")] = self.thing()
        # Not so large that it would only take long.
        return {name: value for name, value in some.items() if not (isinstance(value, (int, float)) and value > 300)}

    # --- calls ----------------------------------------------------------------

    def call_measure(self):
        place = lambda: self.of((0, 0), (self.small(), self.small()), (self.integer(), 1), self.thing)  # noqa: E731
        knossos.maze.measure(
            self.levels(), self.of(None, "path", self.text, self.thing), entrance=place(), exit=self.of(None, place),
            checkpoints=self.of((), [place(), place()], self.thing), threads=self.of(0, 1, 3, self.thing_no_threads), frame=False,
        )

    def thing_no_threads(self):
        return self.of(-1, 2**40, "two", None, 0.5)

    def call_judge(self):
        knossos.dungeon.judge(self.levels(), self.of(None, "solution", self.text, self.thing), threads=self.of(0, 2, self.thing_no_threads))

    def call_conflicts(self):
        knossos.queens.conflicts(self.of(self.levels, self.array), threads=self.of(0, 2, self.thing_no_threads))

    def call_raw(self):
        """The bindings themselves, without the Python in front."""
        name = self.random.choice([
            "measure_mazes", "judge_dungeons", "count_queens", "recombine", "mutate", "random_genomes", "toml_text", "read_artefact",
            "verify", "parts", "recipe_names",
        ])
        settings = _core.Recipe.parse("", "x", ["stages.mutate.kind=" + self.of('"swap"', '"bit-flip"', '"gaussian"', '"problem-move"', '"mixture"')])
        given = [self.of(self.thing, self.array, self.space, settings, self.small) for _ in range(self.random.randrange(7))]
        getattr(_core, name)(*given)

    def call_space(self):
        name = self.of("bits", "integers", "permutation", "reals", "reals_within")
        made = getattr(Space, name)(*[self.of(self.integer, self.number, self.thing) for _ in range(self.of(1, 2, 2, 3))])
        assert made == made and hash(made) is not None and repr(made)

    def call_operators(self):
        space = self.space()
        if self.of(True, False):
            knossos.mutate(self.genomes(space), space, self.operator("stages.mutate"), seed=self.of(1, self.thing), always=self.of(True, False))
        else:
            knossos.recombine(
                self.genomes(space), self.genomes(space), space, self.operator("stages.recombine"), seed=self.of(1, self.thing)
            )

    def call_deap(self):
        name = self.random.choice([name for name in dir(knossos.deap) if name.startswith(("cx", "mut"))])
        getattr(knossos.deap, name)(*[self.of([0, 1, 2], [2, 1, 0], self.array, self.number, self.thing) for _ in range(self.of(1, 2, 2, 3, 5))])

    def call_levels(self):
        generator = knossos.levels.Generator(self.of("maze", "dungeon", "sphere", self.text, self.thing), budget=self.of(200, 200, "x", -1, 0.5))
        self.of(generator.next_batch, generator.results)(
            self.of(1, self.integer, self.thing), self.of(0, 1, 2, -1, "x", None), self.of(None, "path 3..9", self.text, self.thing),
            threads=self.of(0, 1, 2, self.thing_no_threads),
        )

    def call_gymnasium(self):
        if gymnasium is None:
            return
        env = gymnasium.MazeEnv(
            self.of(None, "path 3..9", self.text, self.thing), self.of("maze", "dungeon", self.text), self.of(None, "ansi", self.thing),
            budget=self.of(200, 200, "x"), problem__width=self.of(4, 5, -1, 0.5), problem__height=self.of(4, 1, None, "x"),
        )
        for _ in range(self.of(1, 3, 9)):
            try:
                self.of(
                    lambda: env.reset(seed=self.of(None, 1, self.integer, self.thing), options=self.thing()),
                    lambda: env.step(self.of(0, 1, 2, 3, self.integer, self.thing)), env.render,
                )
            except FITTING:
                continue

    def call_evolve(self):
        space = self.space()
        columns = self.of("maximise", "minimise", "minimise a, minimise b", self.text)
        held = []
        function = self.function(space, lambda: held[0] if held else None)
        start = self.of(None, None, None, lambda: self.genomes(space))
        heard = self.of(None, None, lambda: lambda status: self.of(None, True, False, lambda: self.touch(held[0]) if held else None))
        run = knossos.begin(
            function, space, columns=columns, packed=self.of(False, False, True, self.thing), threads=self.of(1, 1, 2, self.thing_no_threads),
            start=start, on_generation=heard, **self.settings(),
        )
        held.append(run)
        for _ in range(3):
            try:
                run.step()
                self.touch(run)
            except FITTING:
                continue
        held.clear()

    def call_ask_tell(self):
        space = self.space()
        run = knossos.AskTell(space, columns=self.of("maximise", "minimise", self.text), packed=self.of(False, True), **self.settings())
        for _ in range(self.of(1, 4, 9)):
            try:
                genomes = self.of(run.ask, lambda: self.array(), run.ask)
                run.tell(self.of(lambda: genomes.sum(axis=1), lambda: genomes[:, 0], self.thing))
                self.of(lambda: None, run.result)
            except FITTING:
                continue

    def call_recipe(self):
        recipe = knossos.Recipe(self.of("pmx-queens", "maze", "dungeon", "zdt1", self.text, self.thing), **self.settings())
        self.of(
            lambda: recipe.decode(self.of(lambda: self.genomes(recipe.space), self.thing)), lambda: recipe.to_toml(), lambda: recipe.values,
            lambda: recipe.run(seed=self.of(1, self.thing), threads=1), lambda: recipe.start(threads=1).restore(self.of(self.thing, b"abc")),
            lambda: self.touch(recipe.start(threads=1)),
        )

    def call_artefact(self):
        recipe = knossos.Recipe(self.of("pmx-queens", "dungeon"), budget=300)
        artefact = recipe.decode(knossos.random_genomes(recipe.space, 1, seed=self.random.randrange(50)))[0]
        self.of(
            lambda: artefact.text(self.of(self.small, self.thing), self.thing()), lambda: artefact.svg(self.of(0, 1, 3, -1, "x"), self.thing()),
            lambda: artefact.png(self.of(0, 1, 3, -1, None)), lambda: artefact.save(self.of(self.text, self.thing)), lambda: artefact.cells,
            lambda: artefact.measures,
        )

    def call_files(self):
        path = self.folder + "/" + self.of("a.txt", "a.tmj", "a.toml", "a.db", "a.json", "a.png")
        with open(path, "wb") as file:
            file.write(self.of(b"", b"{}", b"name = 3", b"E.X\n", b"\xff" * 20, b"SQLite format 3\0", self.random.randbytes(60)))
        self.of(
            lambda: knossos.read(path), lambda: knossos.Recipe(path), lambda: knossos.open_study(path), lambda: knossos.resume(path),
            lambda: knossos.verify(self.of(path, self.folder, self.thing)), lambda: knossos.study(path, self.folder + "/s.db"),
            lambda: knossos.open_study(self.of(self.text, self.thing)), lambda: knossos.read(self.of("/dev/null", "", "\0")),
        )

    def attack(self, calls):
        """Returns how often something was refused and how often it was taken."""
        ways = [getattr(self, name) for name in dir(self) if name.startswith("call_")]
        refused = 0
        for _ in range(calls):
            self.last = self.random.choice(ways)
            try:
                self.last()
            except FITTING as error:
                refused += 1
                str(error)
        return refused, calls - refused


if __name__ == "__main__":
    faulthandler.enable()
    given = argparse.ArgumentParser(description=__doc__)
    given.add_argument("--seed", type=int, default=1)
    given.add_argument("--calls", type=int, default=3000)
    options = given.parse_args()
    for first in range(0, options.calls, 100):
        seed = options.seed * 1_000_003 + first
        print(f"seed {seed}", file=sys.stderr, flush=True)
        refused, taken = Hostile(seed).attack(min(100, options.calls - first))
    print(f"{options.calls} hostile calls survived")
