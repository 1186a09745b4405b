"""An environment for agents: find the way through a maze that was evolved for you. Needs gymnasium."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np

from . import _arguments as _given
from .levels import Generator

#: East, south, west, north: what actions 0 to 3 add to (row, column).
_STEPS = ((0, 1), (1, 0), (0, -1), (-1, 0))
_ROCK, _AGENT, _EXIT = 1, 2, 3


def _cell(text: str) -> tuple[int, int] | None:
    """'x,y' of a recipe as (row, column); nothing of nothing."""
    if not text:
        return None
    x, y = text.split(",")
    return int(y), int(x)


class MazeEnv(gymnasium.Env):
    """A maze from entrance to exit; every reset of a new seed has a maze of its own.

    What is seen is uint8 [height, width]: 0 floor, 1 rock, 2 the agent, 3 the exit. Each step costs 1 / cells, the exit
    brings 1.

    >>> import knossos.gymnasium
    >>> env = knossos.gymnasium.MazeEnv(goal='path 20..30', problem__width=10, problem__height=10, budget=2000)
    >>> seen, info = env.reset(seed=3)
    >>> seen.shape, seen[0, 0].item(), seen[9, 9].item()
    ((10, 10), 2, 3)
    """

    metadata = {"render_modes": ["ansi"]}

    def __init__(self, goal: str | None = None, recipe: str = "maze", render_mode: str | None = None, **changes: Any):
        self._generator = Generator(recipe, **changes)
        self._goal = goal
        problem = self._generator.recipe(goal).values["problem"]
        if problem["kind"] != "maze":
            raise ValueError(f"the recipe {recipe} makes no mazes to walk through; one whose problem is a maze does, such as 'maze'")
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ValueError(f"render_mode is {render_mode!r}; it must be 'ansi' or None")
        shape = (problem["height"], problem["width"])
        self._entrance = _cell(problem["entrance"]) or (0, 0)
        self._exit = _cell(problem["exit"]) or (shape[0] - 1, shape[1] - 1)
        self.observation_space = gymnasium.spaces.Box(0, 3, shape, np.uint8)
        self.action_space = gymnasium.spaces.Discrete(4)
        self.render_mode = render_mode
        self._rock: np.ndarray | None = None
        self._at = self._entrance

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[np.ndarray, dict[str, Any]]:
        """A new maze, with the agent at its entrance: what is seen, and the seed of the level.

        >>> import knossos.gymnasium
        >>> env = knossos.gymnasium.MazeEnv(problem__width=6, problem__height=4, budget=500)
        >>> seen, info = env.reset(seed=3)
        >>> seen.shape, sorted(info)
        ((4, 6), ['level_seed'])
        """
        super().reset(seed=seed)
        level_seed = int(self.np_random.integers(2**62))
        self._rock = self._generator.next_batch(level_seed, 1, self._goal, threads=1)[0] != 0
        self._at = self._entrance
        return self._seen(), {"level_seed": level_seed}

    def step(self, action: int) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """East, south, west or north (0 to 3), unless there is rock: what is seen, reward, whether it is the exit, False, {}.

        >>> import knossos.gymnasium
        >>> env = knossos.gymnasium.MazeEnv(problem__width=6, problem__height=4, budget=500)
        >>> _ = env.reset(seed=3)
        >>> seen, reward, ended, cut_off, info = env.step(3)  # north of the uppermost row there is nothing
        >>> seen[0, 0].item(), reward == -1 / 24, ended, cut_off
        (2, True, False, False)
        """
        if self._rock is None:
            raise gymnasium.error.ResetNeeded("there is no maze yet: call reset() first")
        down, right = _STEPS[_given.whole("action", action, 0, len(_STEPS) - 1)]
        row, column = self._at[0] + down, self._at[1] + right
        inside = 0 <= row < self._rock.shape[0] and 0 <= column < self._rock.shape[1]
        if inside and not self._rock[row, column]:
            self._at = (row, column)
        at_exit = self._at == self._exit
        return self._seen(), 1.0 if at_exit else -1.0 / self._rock.size, at_exit, False, {}

    def render(self) -> str | None:
        """The maze as text, where `render_mode` is 'ansi': # is rock, @ the agent, X the exit.

        >>> import knossos.gymnasium
        >>> env = knossos.gymnasium.MazeEnv(problem__width=6, problem__height=4, budget=500, render_mode='ansi')
        >>> _ = env.reset(seed=3)
        >>> shown = env.render().splitlines()
        >>> len(shown), shown[0][0], shown[-1][-1]
        (4, '@', 'X')
        """
        if self.render_mode != "ansi" or self._rock is None:
            return None
        return "\n".join("".join(".#@X"[cell] for cell in row) for row in self._seen())

    def _seen(self) -> np.ndarray:
        seen = self._rock.astype(np.uint8) * _ROCK
        seen[self._exit] = _EXIT
        seen[self._at] = _AGENT
        return seen
