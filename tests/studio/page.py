#!/usr/bin/python3
"""Runs the tests of the page in a real browser, or says why it can't. Arguments go to pytest."""

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
files = sorted(str(path) for path in pathlib.Path(__file__).resolve().parent.glob("test_*.py"))
sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", "--durations=5", *files, *sys.argv[1:]]))
