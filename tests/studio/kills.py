#!/usr/bin/python3
"""Kills the studio at every file that it writes for a run; the next one ends the run as if nothing had been."""

import http.client
import os
import pathlib
import signal
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from server import Studio

ORDER = {"recipe": "maze", "set": {"problem.width": 8, "problem.height": 8, "stop.evaluations": 300}, "paused": True}


def until_ended(studio, run):
    if studio.get(f"/api/runs/{run}")["state"] == "paused":
        studio.control(run, "play")
    return studio.wait_for(run, "ended", "failed")["run"]


def killed_at(fault, folder):
    """Whether the studio was killed there, and how the run ended, in this studio or the next."""
    os.environ["KNOSSOS_FAULT"] = fault
    with Studio(folder) as studio:
        del os.environ["KNOSSOS_FAULT"]
        return watched(studio, fault)


def watched(studio, fault):
    run = None
    try:
        run = studio.order(**ORDER)["id"]
        while not (studio.workspace / run / "checkpoint.bin").exists():
            studio.get("/api/runs")  # which a studio that was killed does not answer
        ended = until_ended(studio, run)
        killed = False
    except (OSError, http.client.HTTPException, AssertionError, ValueError):
        killed, ended = studio.process.wait(timeout=60) == -signal.SIGKILL, None
        assert killed, f"{fault}: the studio ended by itself"
        studio.start()
    # An order that was not answered need not be there; what is there can be ended and looked at.
    for one in studio.get("/api/runs")["runs"]:
        ended = until_ended(studio, one["id"])
        files = {path.name for path in (studio.workspace / one["id"]).iterdir()}
        assert {"result.json", "frames.bin", "best.svg", "trace.csv"} <= files, (fault, files)
        assert not [name for name in files if name.endswith(".tmp")], (fault, files)
    assert run is None or ended["id"] == run, f"{fault}: {run} is lost"
    assert len(list(studio.workspace.iterdir())) == (ended is not None), fault
    assert studio.end() == 0
    return killed, ended and ended["digest"]


def main():
    digests = set()
    kills = 0
    for place in ("file.half", "file.renamed", "checkpoint.fresh", "checkpoint.between"):
        killed, visit = True, 0
        while killed:
            visit += 1
            with tempfile.TemporaryDirectory() as folder:
                killed, digest = killed_at(f"{place}=kill@{visit}", pathlib.Path(folder))
            kills += killed
            digests |= {digest} - {None}
        print(f"  {place}: killed {visit - 1} times")
        assert visit > 2, place
    assert len(digests) == 1, digests
    print(f"{kills} kills, one result")
    return 0


if __name__ == "__main__":
    sys.exit(main())
