#!/usr/bin/python3
"""30 runs, 200 event streams and 50 requests a second: no terminal event is lost, and memory stays flat.

A few seconds by default, a minute with KNOSSOS_LONG=1.
"""

import concurrent.futures
import http.client
import os
import re
import selectors
import socket
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from server import Studio

SECONDS = 60 if os.environ.get("KNOSSOS_LONG") == "1" else 6
STREAMS = 200
RUNS = 30
AT_ONCE = 8  # the others wait for their turn
REQUESTS_PER_SECOND = 50


class Stream:
    """Keeps only what it needs: the tail of the text, to find the last event."""

    def __init__(self, port, run, slow=False):
        self.run = run
        self.slow = slow
        self.events = 0
        self.bytes = 0
        self.state = ""
        self.over = False
        self.text = b""
        self.socket = socket.socket()
        if slow:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        self.socket.connect(("127.0.0.1", port))
        self.socket.sendall(f"GET /api/runs/{run}/events HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
        self.socket.setblocking(False)

    def read(self):
        try:
            part = self.socket.recv(1 << 16)
        except BlockingIOError:
            return
        if not part:
            self.over = True
            return
        self.bytes += len(part)
        self.text += part
        *lines, self.text = self.text.split(b"\n")
        for line in lines:
            if line.startswith(b"data: "):
                self.events += 1
                self.state = re.search(rb'"state":"(\w+)"', line).group(1).decode()


def ask(port, paths):
    """Asks at an even pace; in a process of its own, so that reading events does not hold it up."""
    began = time.monotonic()
    slowest = 0.0
    sent = 0
    while time.monotonic() - began < SECONDS:
        due = began + sent / REQUESTS_PER_SECOND
        if due > time.monotonic():
            time.sleep(due - time.monotonic())
        path = paths[sent % len(paths)]
        asked = time.monotonic()
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        connection.request("GET", path)
        answer = connection.getresponse()
        answer.read()
        connection.close()
        assert answer.status == 200, (path, answer.status)
        slowest = max(slowest, time.monotonic() - asked)
        sent += 1
    return sent, slowest


def main():
    began = time.monotonic()
    with Studio() as studio:
        studio.get("/api/registry")
        print(f"  the first answer after {(time.monotonic() - began) * 1000:.0f} ms")
    with Studio() as studio, concurrent.futures.ProcessPoolExecutor(1) as others:
        generations = 20 * SECONDS
        runs = [
            studio.order("maze-direct", seed=i, speed=20, set={"stop.generations": generations})["id"] for i in range(RUNS)
        ]
        streams = [Stream(studio.port, runs[i % RUNS], slow=i < 4) for i in range(STREAMS)]
        selector = selectors.DefaultSelector()
        for stream in streams:
            if not stream.slow:
                selector.register(stream.socket, selectors.EVENT_READ, stream)
        open_streams = sum(1 for stream in streams if not stream.slow)
        paths = ["/api/runs", "/", "/studio.js"]
        paths += [f"/api/runs/{run}/{what}" for run in runs[:AT_ONCE] for what in ("history", "export?format=svg", "frames/50")]
        for run in runs[:AT_ONCE]:  # there is a picture as soon as there is a first generation
            studio.wait_until(run, lambda _, picture=f"/api/runs/{run}/export?format=svg":
                              studio.request("GET", picture)[0] == 200, "had a picture")
        asking = others.submit(ask, studio.port, paths)
        began = time.monotonic()
        memory = []
        while open_streams > 0 and time.monotonic() - began < 5 * SECONDS + 60:
            for key, _ in selector.select(0.1):
                key.data.read()
                if key.data.over:
                    selector.unregister(key.fileobj)
                    open_streams -= 1
            if time.monotonic() - began > len(memory) / 2:
                memory.append(studio.memory())
        sent, slowest = asking.result()
        # Those that never read get the newest state now, not all they missed.
        for stream in streams:
            if stream.slow:
                stream.socket.setblocking(True)
                stream.socket.settimeout(30)
                while not stream.over:
                    stream.read()
        fast = [stream for stream in streams if not stream.slow]
        slow = [stream for stream in streams if stream.slow]
        lost = [stream.run for stream in streams if stream.state != "ended"]
        third = max(1, len(memory) // 3)
        growth = max(memory[-third:]) - max(memory[third : 2 * third])
        print(f"  {RUNS} runs, {STREAMS} streams, {sum(s.events for s in fast):,} events, {sent} requests in {SECONDS} s, slowest {slowest * 1000:.0f} ms")
        print(f"  events per fast stream {min(s.events for s in fast)}..{max(s.events for s in fast)}, per slow one {min(s.events for s in slow)}..{max(s.events for s in slow)}")
        print(f"  resident {memory[0] / 1e6:.0f} MB at first, {memory[-1] / 1e6:.0f} MB at last, growth at the end {growth / 1e6:.1f} MB")
        assert not lost, f"{len(lost)} streams lost their last event"
        assert growth < 20_000_000, "memory grows"
        for one in slow:
            assert one.events <= min(s.events for s in fast if s.run == one.run), "a slow stream got a backlog"
        for run in runs[:2]:
            assert studio.get(f"/api/runs/{run}")["statistics"]["generation"] == generations
    print("all terminal events arrived")
    return 0


if __name__ == "__main__":
    sys.exit(main())
