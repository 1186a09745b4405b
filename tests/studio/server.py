"""Starts the studio for a test, in a workspace of its own."""

import http.client
import json
import os
import pathlib
import re
import select
import signal
import subprocess
import tempfile
import time

PROGRAM = os.environ.get("KNOSSOS", "build/release/bin/knossos")
SKIPPED = 77  # tells ctest that a test could not be run here


class Studio:
    def __init__(self, workspace=None, launch=subprocess.Popen):
        self.launch = launch
        self.own = tempfile.TemporaryDirectory() if workspace is None else None
        self.workspace = pathlib.Path(self.own.name if self.own else workspace) / "workspace"
        self.process = None
        self.start()

    def start(self):
        self.process = self.launch(
            [PROGRAM, "studio", "--no-open", "--workspace", str(self.workspace)],
            stdout=subprocess.PIPE,
            text=True,
        )
        ready, _, _ = select.select([self.process.stdout], [], [], 60)
        line = self.process.stdout.readline() if ready else ""
        found = re.search(r"http://127\.0\.0\.1:(\d+)/", line)
        if not found:
            raise RuntimeError(f"the studio did not start: {line!r}")
        self.port = int(found.group(1))
        self.address = found.group(0)

    def end(self, how=signal.SIGTERM):
        self.process.send_signal(how)
        code = self.process.wait(timeout=60)
        self.process.stdout.close()
        return code

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.end()
        if self.own:
            self.own.cleanup()

    def request(self, method, path, body=None, headers=None, timeout=30):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        sent = dict(headers or {})
        if isinstance(body, (dict, list)):
            body = json.dumps(body)
            sent.setdefault("Content-Type", "application/json")
        try:
            connection.request(method, path, body, sent)
            answer = connection.getresponse()
            return answer.status, answer.read(), dict(answer.getheaders())
        finally:
            connection.close()

    def get(self, path):
        status, body, _ = self.request("GET", path)
        assert status == 200, (path, status, body[:300])
        return json.loads(body)

    def order(self, recipe, seed=1, **more):
        status, body, _ = self.request("POST", "/api/runs", {"recipe": recipe, "seed": seed, **more})
        assert status == 201, (status, body)
        return json.loads(body)

    def control(self, run, action, **more):
        status, body, _ = self.request("POST", f"/api/runs/{run}/control", {"action": action, **more})
        assert status == 200, (status, body)
        return json.loads(body)

    def wait_until(self, run, condition, what, seconds=120):
        """Follows the events of a run until the condition holds of one."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=seconds)
        connection.request("GET", f"/api/runs/{run}/events")
        answer = connection.getresponse()
        try:
            for raw in answer:
                if raw.startswith(b"data: "):
                    event = json.loads(raw[6:])
                    if condition(event):
                        return event
        finally:
            connection.close()
        raise AssertionError(f"{run} never {what}")

    def wait_for(self, run, *states, seconds=120):
        return self.wait_until(run, lambda event: event["run"]["state"] in states, f"was {states}", seconds)

    def memory(self):
        """Resident bytes."""
        pages = int(pathlib.Path(f"/proc/{self.process.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")

    def is_alive(self):
        began = time.monotonic()
        status, _, _ = self.request("GET", "/api/runs", timeout=10)
        return status == 200 and self.process.poll() is None and time.monotonic() - began < 10
