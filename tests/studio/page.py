#!/usr/bin/python3
"""Runs the tests of the page in a real browser, or says why it can't: those of the named files, or of all.

Other arguments go to pytest.
"""

import pathlib
import shutil
import sys

from server import SKIPPED

try:
    import pytest
    import selenium  # noqa: F401 (only whether it is there: conftest.py uses it)
except ImportError as missing:
    print(f"skipped: {missing.name} is not installed (packages/studio)")
    sys.exit(SKIPPED)
for program in ("chromium", "chromedriver"):
    if not shutil.which(program):
        print(f"skipped: {program} is not installed (packages/studio)")
        sys.exit(SKIPPED)
folder = pathlib.Path(__file__).resolve().parent
named = [argument for argument in sys.argv[1:] if argument.startswith("test_")]
others = [argument for argument in sys.argv[1:] if argument not in named]
files = [str(folder / name) for name in named] or sorted(str(path) for path in folder.glob("test_*.py"))
sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", "--durations=5", *files, *others]))
