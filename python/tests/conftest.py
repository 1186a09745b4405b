"""What the tests share: the command line, to which Python has to come out equal."""

import json
import os
import subprocess

import pytest


@pytest.fixture(scope="session")
def program():
    """Runs the command line; KNOSSOS_PROGRAM says where it is."""
    path = os.environ.get("KNOSSOS_PROGRAM")
    if not path:
        pytest.skip("KNOSSOS_PROGRAM does not say where the command line is")

    def run(*arguments, check=True):
        return subprocess.run([path, *map(str, arguments)], capture_output=True, text=True, check=check, stdin=subprocess.DEVNULL)

    return run


@pytest.fixture(scope="session")
def program_result(program):
    """What `knossos run --json` says of a run; one that does not reach its target ends with another status."""
    return lambda *arguments: json.loads(program("run", *arguments, "--json", check=False).stdout)
