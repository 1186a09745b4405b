"""How far something is, in a line: in a notebook its output is replaced, on a terminal the line is."""

from __future__ import annotations

import sys
from typing import Any


def in_notebook() -> bool:
    """Whether what is shown goes to a notebook."""
    shell = sys.modules.get("IPython")
    shell = shell.get_ipython() if shell is not None else None
    return shell is not None and shell.__class__.__name__ == "ZMQInteractiveShell"


class Progress:
    """Shows a text in place of the one before; nothing where nobody looks."""

    def __init__(self) -> None:
        self._handle: Any = None
        self._width = 0
        self._notebook = in_notebook()

    def show(self, text: str) -> None:
        if self._notebook:
            from IPython.display import display

            content = {"text/plain": text}
            if self._handle is None:
                self._handle = display(content, raw=True, display_id=True)
            else:
                self._handle.update(content, raw=True)
        elif sys.stderr.isatty():
            self._width = max(self._width, len(text))
            sys.stderr.write("\r" + text.ljust(self._width))
            sys.stderr.flush()

    def show_run(self, status: dict[str, Any]) -> None:
        rate = status["evaluations"] / status["seconds"] if status["seconds"] > 0 else 0.0
        self.show(
            f"generation {status['generation']:,}  best {status['best_ever']:g}  "
            f"{status['evaluations']:,} evaluations  {rate:,.0f} ev/s"
        )

    def show_study(self, progress: dict[str, Any]) -> None:
        self.show(f"{progress['done']:,} of {progress['runs']:,} runs  {progress['solved']:,} solved")

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *ended: object) -> None:
        if self._width and not self._notebook:
            sys.stderr.write("\r" + " " * self._width + "\r")
            sys.stderr.flush()
