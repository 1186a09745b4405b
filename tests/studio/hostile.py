#!/usr/bin/python3
"""Sends the studio what no friend would: each gets a proper status, and the server lives on in bounded memory."""

import json
import os
import pathlib
import socket
import sys
import threading

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from server import Studio

failures = []


def check(what, found, *expected):
    good = found in expected
    print(f"  {'ok ' if good else 'BAD'} {what}: {found}" + ("" if good else f", expected {expected}"))
    if not good:
        failures.append(what)


def raw(studio, data, timeout=30):
    """Sends bytes and returns the status of the answer, 0 if there is none."""
    with socket.create_connection(("127.0.0.1", studio.port), timeout=timeout) as connection:
        try:
            connection.sendall(data)
        except OSError:
            pass
        received = b""
        try:
            while b"\r\n" not in received:
                part = connection.recv(4096)
                if not part:
                    break
                received += part
        except OSError:
            pass
    words = received.split(b" ", 2)
    return int(words[1]) if len(words) > 1 and words[0].startswith(b"HTTP/") else 0


def status(studio, method, path, body=None, headers=None):
    return studio.request(method, path, body, headers)[0]


def foreign(studio):
    print("pages from elsewhere")
    port = studio.port
    check("its own name", status(studio, "GET", "/", headers={"Host": f"localhost:{port}"}), 200)
    check("another Host", status(studio, "GET", "/", headers={"Host": "evil.example"}), 421)
    check("another Host with the port", status(studio, "GET", "/api/runs", headers={"Host": f"evil.example:{port}"}), 421)
    check("another port", status(studio, "GET", "/", headers={"Host": "127.0.0.1:1"}), 421)
    check("no Host", raw(studio, b"GET / HTTP/1.1\r\n\r\n"), 400)
    check("two Hosts", raw(studio, f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nHost: evil\r\n\r\n".encode()), 400)
    order = {"recipe": "pmx-queens"}
    for origin in ("http://evil.example", "null", f"https://127.0.0.1:{port}", f"http://127.0.0.1:{port}.evil.example"):
        check(f"a post from {origin}", status(studio, "POST", "/api/runs", order, {"Origin": origin}), 403)
    check("a post from the page", status(studio, "POST", "/api/runs", order, {"Origin": f"http://127.0.0.1:{port}"}), 201)
    check("a read across sites", status(studio, "GET", "/api/runs", headers={"Sec-Fetch-Site": "cross-site"}), 403)
    check("a form's post", status(studio, "POST", "/api/runs", json.dumps(order), {"Content-Type": "text/plain"}), 415)
    check("a preflight", status(studio, "OPTIONS", "/api/runs", headers={"Access-Control-Request-Method": "POST"}), 405)
    _, _, headers = studio.request("GET", "/")
    policy = headers.get("Content-Security-Policy", "")
    check("no script from elsewhere", "default-src 'none'" in policy and "unsafe" not in policy and "*" not in policy, True)
    check("no open door", any(name.lower().startswith("access-control") for name in headers), False)
    listening = [
        line.split()[1]
        for name in ("tcp", "tcp6")
        for line in pathlib.Path(f"/proc/net/{name}").read_text().splitlines()[1:]
        if line.split()[3] == "0A" and line.split()[1].endswith(f":{port:04X}")
    ]
    check("listens on 127.0.0.1 alone", listening, [f"0100007F:{port:04X}"])


def sizes(studio):
    print("too much")
    host = f"Host: 127.0.0.1:{studio.port}\r\n".encode()
    check("a header of 1 MB", raw(studio, b"GET / HTTP/1.1\r\n" + host + b"X: " + b"a" * 1_000_000 + b"\r\n\r\n"), 431)
    check("10,000 headers", raw(studio, b"GET / HTTP/1.1\r\n" + host + b"X: y\r\n" * 10_000 + b"\r\n"), 431)
    check("a target of 100 kB", raw(studio, b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\n" + host + b"\r\n"), 431, 414)
    announced = b"POST /api/runs HTTP/1.1\r\n" + host + b"Content-Type: application/json\r\n"
    check("a body of 1 GB", raw(studio, announced + b"Content-Length: 1000000000\r\n\r\n"), 413)
    check("a body of 3 MB", raw(studio, announced + b"Content-Length: 3000000\r\n\r\n" + b" " * 3_000_000), 413)
    check("a negative length", raw(studio, announced + b"Content-Length: -5\r\n\r\n"), 400)
    chunk = b"10000\r\n" + b" " * 0x10000 + b"\r\n"
    check("an endless chunked body", raw(studio, announced + b"Transfer-Encoding: chunked\r\n\r\n" + chunk * 200), 413)
    check("a length and chunks", raw(studio, announced + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"), 400)


def nonsense(studio):
    print("nonsense")
    host = f"Host: 127.0.0.1:{studio.port}\r\n".encode()
    check("noise", raw(studio, bytes(range(256)) * 4), 400)
    check("a TLS hello", raw(studio, b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\0" * 64), 400)
    check("another protocol", raw(studio, b"GET / SPDY/9\r\n\r\n"), 400)
    check("an unknown method", raw(studio, b"BREW /api/runs HTTP/1.1\r\n" + host + b"\r\n"), 405)
    check("a target without a path", raw(studio, b"GET http://evil.example/ HTTP/1.1\r\n" + host + b"\r\n"), 400)
    for body in (b"{", b"", b"[]", b"nul", b"\xff\xfe", b'{"recipe":1e999}', b"[" * 100_000, b'{"a":' * 5000):
        check(f"the body {body[:20]!r}", status(studio, "POST", "/api/runs", body, {"Content-Type": "application/json"}), 400)
    orders = {
        "an unknown recipe": {"recipe": "pmx-queenz"},
        "no recipe": {},
        "a recipe that is a file": {"recipe": "/etc/passwd"},
        "a recipe that is a path": {"recipe": "../../../etc/passwd.toml"},
        "a recipe that is a number": {"recipe": 5},
        "broken TOML": {"toml": "[[["},
        "TOML without a problem": {"toml": "[stop]\ngenerations = 1\n"},
        "TOML without an end": {"toml": '[problem]\nkind = "queens"\n'},
        "gigantic n": {"recipe": "pmx-queens", "set": {"problem.n": 4294967295}},
        "gigantic boards": {"recipe": "duel-queens", "set": {"problem.n": 4294967295}},
        "a gigantic population": {"recipe": "pmx-queens", "set": {"algorithm.population": 2147483647}},
        "a gigantic maze": {"recipe": "maze", "set": {"problem.width": 1024, "problem.height": 1024}},
        "an endless automaton": {"recipe": "maze-automaton", "set": {"problem.steps": 100000, "problem.width": 256, "problem.height": 256}},
        "n that is a text": {"recipe": "pmx-queens", "set": {"problem.n": "many"}},
        "three queens": {"recipe": "pmx-queens", "set": {"problem.n": 3}},
        "an unknown key": {"recipe": "pmx-queens", "set": {"problem.m": 3}},
        "a key with a newline": {"recipe": "pmx-queens", "set": {"a\n[stop]": 3}},
        "a value that is a list": {"recipe": "pmx-queens", "set": {"problem.n": [8]}},
        "a negative seed": {"recipe": "pmx-queens", "seed": -1},
        "a seed that is a text": {"recipe": "pmx-queens", "seed": "x"},
        "a negative speed": {"recipe": "pmx-queens", "speed": -1},
    }
    for what, order in orders.items():
        check(what, status(studio, "POST", "/api/runs", order), 422)
    levels = {
        "no level": {},
        "an empty level": {"level": {"cells": []}},
        "a ragged level": {"level": {"cells": ["...", "."]}},
        "unknown cells": {"level": {"cells": ["abc"]}},
        "places off the grid": {"level": {"cells": ["..."], "exit": [9, 9]}},
        "places that are texts": {"level": {"cells": ["..."], "exit": "here"}},
        "a level that is too large": {"level": {"cells": ["." * 600] * 600}},
        "an unknown fitness": {"level": {"cells": ["..."]}, "fitness": "nice"},
        "wishes that make no sense": {"level": {"cells": ["..."]}, "goal": "path 9..1"},
    }
    for what, level in levels.items():
        check(what, status(studio, "POST", "/api/levels/survey", level), 422)
    level = {"level": {"cells": ["...", "..."]}}
    check("an unknown format", status(studio, "POST", "/api/levels/export?format=exe", level), 422)
    check("a format for boards", status(studio, "POST", "/api/levels/export?format=fen", level), 422)
    check("a gigantic cell", status(studio, "POST", "/api/levels/export?format=png&cell=99999", level), 422)
    check("an unknown part", status(studio, "POST", "/api/levels/export?format=png&part=7", level), 404)
    run = studio.order("pmx-queens", seed=3)["id"]
    check("an unknown action", status(studio, "POST", f"/api/runs/{run}/control", {"action": "explode"}), 422, 409)
    check("a frame that is no number", status(studio, "GET", f"/api/runs/{run}/frames/abc"), 422)
    check("a frame at 2^70", status(studio, "GET", f"/api/runs/{run}/frames/1180591620717411303424"), 422)
    check("the wrong method", status(studio, "PUT", f"/api/runs/{run}", {}), 405)
    check("an unknown run", status(studio, "GET", "/api/runs/nobody"), 404)


def paths(studio):
    print("paths")
    outside = studio.workspace.parent / "secret.html"
    outside.write_text("secret")
    (studio.workspace / "linked.html").symlink_to(outside)
    (studio.workspace / "linked").symlink_to(studio.workspace.parent)
    for path in (
        "/../secret.html",
        "/..%2fsecret.html",
        "/%2e%2e/%2e%2e/%2e%2e/etc/passwd",
        "/studies/../../secret.html",
        "/studies/..%2Fsecret.html",
        "/studies/linked.html",
        "/studies/linked",
        "/studies/recipe.toml",
        "/api/runs/..%2f..%2fetc/recipe.toml",
        "/api/runs/%2e%2e/recipe.toml",
        "/api/runs/../history",
        "//etc/passwd",
        "/index.html/../../etc/passwd",
    ):
        check(path, status(studio, "GET", path), 404)
    check("a zero byte", status(studio, "GET", "/index.html%00.png"), 400)
    check("a broken escape", status(studio, "GET", "/%zz"), 400)
    check("deleting the workspace", status(studio, "DELETE", "/api/runs/.."), 404)
    check("deleting by an escape", status(studio, "DELETE", "/api/runs/%2e%2e%2f%2e%2e"), 404)
    named = studio.request("POST", "/api/runs", {"toml": 'name = "../../../../tmp/x y/\\u0000"\n[problem]\nkind = "queens"\n[stop]\nsolved = true\ngenerations = 5\n'})
    made = json.loads(named[1]).get("id", "")
    check("a recipe named like a path", named[0] == 201 and (studio.workspace / made / "recipe.toml").exists(), True)
    check("nothing beside the workspace", sorted(p.name for p in studio.workspace.parent.iterdir()), ["secret.html", "workspace"])


def slowness(studio):
    print("slow clients")
    statuses = []

    def slow():
        with socket.create_connection(("127.0.0.1", studio.port), timeout=60) as connection:
            connection.sendall(b"GET / HTTP/1.1\r\nHost: 127.0")
            try:
                statuses.append(connection.recv(64)[9:12])
            except OSError:
                statuses.append(b"")

    idle = [socket.create_connection(("127.0.0.1", studio.port), timeout=60) for _ in range(50)]
    threads = [threading.Thread(target=slow) for _ in range(50)]
    for thread in threads:
        thread.start()
    check("others are served meanwhile", studio.is_alive(), True)
    for thread in threads:
        thread.join()
    check("50 slow headers", set(statuses), {b"408"})
    closed = sum(1 for connection in idle if connection.recv(1) == b"")
    check("50 silent connections are closed", closed, 50)
    crowd = []
    for _ in range(700):
        try:
            crowd.append(socket.create_connection(("127.0.0.1", studio.port), timeout=5))
        except OSError:
            break
    for connection in crowd:
        connection.close()
    check("alive after a crowd", studio.is_alive(), True)


def queue(studio):
    print("a full queue")
    before = studio.memory()
    found = set()
    made = []
    for seed in range(60):
        code, body, _ = studio.request("POST", "/api/runs", {"recipe": "maze", "seed": seed, "speed": 1})
        found.add(code)
        if code == 201:
            made.append(json.loads(body)["id"])
    check("refused when it is full", found, {201, 429})
    for run in made:
        status(studio, "DELETE", f"/api/runs/{run}")
    check("runs can be deleted", all(status(studio, "GET", f"/api/runs/{run}") == 404 for run in made), True)
    check("memory stays bounded", studio.memory() < before + 100_000_000, True)


def main():
    with Studio() as studio:
        for part in (foreign, sizes, nonsense, paths, queue, slowness):
            part(studio)
            check("alive", studio.is_alive(), True)
        print(f"  resident: {studio.memory() / 1e6:.0f} MB")
        check("bounded memory", studio.memory() < 300_000_000, True)
        check("ends when asked", studio.end(), 0)
    print(f"{len(failures)} failed" if failures else "all refused properly")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
