#!/usr/bin/python3
"""serve.py PORT FOLDER: serves the files of a folder to this machine alone, with the two headers with which browsers let a
page have threads."""

import functools
import http.server
import sys


class Isolated(http.server.SimpleHTTPRequestHandler):
    def end_headers(self):
        self.send_header("Cross-Origin-Opener-Policy", "same-origin")
        self.send_header("Cross-Origin-Embedder-Policy", "require-corp")
        super().end_headers()


if __name__ == "__main__":
    port, folder = int(sys.argv[1]), sys.argv[2]
    try:
        server = http.server.ThreadingHTTPServer(("127.0.0.1", port), functools.partial(Isolated, directory=folder))
    except OSError as error:
        sys.exit(f"port {port} can't be had: {error.strerror}; another one: --port N")
    print(f"http://127.0.0.1:{port}/", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass
