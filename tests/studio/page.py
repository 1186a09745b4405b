#!/usr/bin/python3
"""Runs the tests of the page in a real browser, or says why it can't. Arguments go to pytest."""

import os
import shutil
import sys

from server import SKIPPED

try:
    import pytest
    import selenium  # noqa: F401 (only whether it is there: test_page.py uses it)
except ImportError as missing:
    print(f"skipped: {missing.name} is not installed (packages/studio)")
    sys.exit(SKIPPED)
for program in ("chromium", "chromedriver"):
    if not shutil.which(program):
        print(f"skipped: {program} is not installed (packages/studio)")
        sys.exit(SKIPPED)
here = os.path.dirname(os.path.abspath(__file__))
sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", "--durations=5", os.path.join(here, "test_page.py"), *sys.argv[1:]]))
