#!/usr/bin/env python3
"""Scores levels by their rooms: how many squares of two by two open cells they have.

Reads a level a line, as JSON, and answers each with a line: {"fitness": 12}. See docs/extending.md.
"""

import json
import sys

for line in sys.stdin:
    level = json.loads(line)
    rows = level["cells"]  # of "#" and "."
    rooms = sum(
        rows[y][x : x + 2] == ".." == rows[y + 1][x : x + 2]
        for y in range(len(rows) - 1)
        for x in range(len(rows[0]) - 1)
    )
    way = level["measures"]["exit_path"]  # steps from the entrance to the exit; 0 if there is no way
    print(json.dumps({"fitness": min(rooms, 20) + way}), flush=True)
