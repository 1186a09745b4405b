"""Nothing that somebody hands over ends the interpreter, or raises what nobody would look for."""

import pytest

from hostile import Hostile


@pytest.mark.parametrize("seed", range(8))
def test_python_survives_hostile_arguments(seed):
    refused, taken = Hostile(seed).attack(100)
    assert refused + taken == 100 and refused > 20
