#!/usr/bin/python3
"""Runs the tests of the page in a real browser, or says why it can't. Arguments go to pytest."""

import os
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
here = os.path.dirname(os.path.abspath(__file__))
files = [os.path.join(here, name) for name in ("test_queens_page.py", "test_page.py", "test_draw_page.py", "test_forms_page.py", "test_dungeon_page.py", "test_studies_page.py", "test_watch_page.py")]
sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", "--durations=5", *files, *sys.argv[1:]]))
