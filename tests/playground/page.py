#!/usr/bin/python3
"""Runs the tests of the playground, or says why it can't. Arguments go to pytest."""

import pathlib
import shutil
import sys

try:
    import pytest
    import selenium  # noqa: F401 (only whether it is there: conftest.py uses it)
except ImportError as missing:
    print(f"skipped: {missing.name} is not installed (packages/studio)")
    sys.exit(77)
for program in ("chromium", "chromedriver", "node"):
    if not shutil.which(program):
        print(f"skipped: {program} is not installed")
        sys.exit(77)
folder = pathlib.Path(__file__).resolve().parent
sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", "--durations=5", str(folder), *sys.argv[1:]]))
