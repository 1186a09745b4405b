"""Studies: many runs of several configurations, their statistics and figures."""

from __future__ import annotations

import csv
import io
import os
from pathlib import Path
from typing import Any

from . import _arguments as _given
from . import _core
from ._frames import frame as _frame
from ._progress import Progress
from ._settings import overrides as _overrides


def study(
    file: str | os.PathLike[str],
    database: str | os.PathLike[str] | None = None,
    *,
    runs: int | None = None,
    seed: int | None = None,
    budget: int | None = None,
    threads: int = 0,
    progress: bool = False,
    **changes: Any,
) -> Study:
    """Does the runs of a study's file that are missing in its database, and opens it.

    Without a `database` that is the file's name with .db, in the working folder. Ctrl-C keeps what is done.

    >>> import knossos, pathlib, tempfile
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (folder / 'small.toml').write_text('''
    ... name = "small"
    ... runs = 10
    ... recipes = ["pmx-queens"]
    ... grid = {"problem.n" = [6, 8]}
    ... ''')
    >>> found = knossos.study(folder / 'small.toml', folder / 'small.db', budget=20_000)
    >>> found.runs, [share == 1 for share in found.table('configurations', frame=False)['success_high']]
    (20, [True, True])
    """
    path = Path(file)
    where = Path(database) if database is not None else Path(path.stem + ".db")
    limits = [None if value is None else _given.whole(name, value) for name, value in (("runs", runs), ("seed", seed), ("budget", budget))]
    arguments = (path, where, *limits, list(_overrides(changes)), _given.threads(threads))
    if progress:
        with Progress() as shown:
            _core.carry_out(*arguments, shown.show_study)
    else:
        _core.carry_out(*arguments, None)
    return Study(where)


def open_study(database: str | os.PathLike[str]) -> Study:
    """What the database of a study holds, as `knossos study` writes it.

    >>> import knossos, pathlib, tempfile
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (folder / 'small.toml').write_text('name = "small"\\nruns = 4\\nrecipes = ["pmx-queens"]\\n')
    >>> _ = knossos.study(folder / 'small.toml', folder / 'small.db', budget=2_000)
    >>> knossos.open_study(folder / 'small.db')
    <Study small: 4 runs>
    """
    return Study(Path(database))


#: Columns of texts, whatever they look like: a configuration may be called 8.
_TEXTS = {"configuration", "problem", "outcome", "first", "second", "compared", "test", "verdict"}


def _number(text: str) -> Any:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def _column(name: str, cells: list[str]) -> list[Any]:
    """Numbers, what is missing among them as NaN; texts as they are unless all are numbers."""
    numbers = [_number(cell) if cell else float("nan") for cell in cells]
    return cells if name in _TEXTS or any(isinstance(one, str) for one in numbers) else numbers


def _columns(text: str) -> dict[str, list[Any]]:
    rows = list(csv.reader(io.StringIO(text)))
    return {name: _column(name, [row[i] for row in rows[1:]]) for i, name in enumerate(rows[0])}


class Study:
    """The runs of a study, and what follows from them. Made by `study()` and `open_study()`.

    >>> import knossos, pathlib, tempfile
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (folder / 'two.toml').write_text('name = "two"\\nruns = 5\\nrecipes = ["pmx-queens", "duel-queens"]\\n')
    >>> study = knossos.study(folder / 'two.toml', folder / 'two.db', budget=5_000)
    >>> study.runs, len(study.table('runs', frame=False)['seed']), 'comparisons' in study.tables
    (10, 10, True)
    """

    def __init__(self, database: Path):
        self._core = _core.Study.open(database)
        self._tables = {name.removesuffix(".csv"): text for name, text in self._core.csv().items()}

    @property
    def name(self) -> str:
        """What it is called.

        >>> import knossos, pathlib, tempfile
        >>> file = pathlib.Path(tempfile.mkdtemp()) / 'two.toml'
        >>> _ = file.write_text('name = "two"\\nruns = 5\\nrecipes = ["pmx-queens", "duel-queens"]\\n')
        >>> study = knossos.study(file, file.with_suffix('.db'), budget=2_000)
        >>> study.name
        'two'
        """
        return self._core.name

    @property
    def description(self) -> str:
        """What it is about.

        >>> import knossos, pathlib, tempfile
        >>> file = pathlib.Path(tempfile.mkdtemp()) / 'two.toml'
        >>> _ = file.write_text('name = "two"\\nruns = 5\\nrecipes = ["pmx-queens", "duel-queens"]\\n')
        >>> study = knossos.study(file, file.with_suffix('.db'), budget=2_000)
        >>> study.description
        ''
        """
        return self._core.description

    @property
    def runs(self) -> int:
        """How many there are.

        >>> import knossos, pathlib, tempfile
        >>> file = pathlib.Path(tempfile.mkdtemp()) / 'two.toml'
        >>> _ = file.write_text('name = "two"\\nruns = 5\\nrecipes = ["pmx-queens", "duel-queens"]\\n')
        >>> study = knossos.study(file, file.with_suffix('.db'), budget=2_000)
        >>> study.runs
        10
        """
        return self._core.runs

    @property
    def verdicts(self) -> list[str]:
        """Each comparison of two configurations in a sentence, with its p value.

        >>> import knossos, pathlib, tempfile
        >>> file = pathlib.Path(tempfile.mkdtemp()) / 'two.toml'
        >>> _ = file.write_text('name = "two"\\nruns = 5\\nrecipes = ["pmx-queens", "duel-queens"]\\n')
        >>> study = knossos.study(file, file.with_suffix('.db'), budget=2_000)
        >>> len(study.verdicts), 'p = ' in study.verdicts[0]
        (1, True)
        """
        return self._core.verdicts

    @property
    def tables(self) -> list[str]:
        """The names that table() knows.

        >>> import knossos, pathlib, tempfile
        >>> file = pathlib.Path(tempfile.mkdtemp()) / 'two.toml'
        >>> _ = file.write_text('name = "two"\\nruns = 5\\nrecipes = ["pmx-queens", "duel-queens"]\\n')
        >>> study = knossos.study(file, file.with_suffix('.db'), budget=2_000)
        >>> study.tables[:2]
        ['configurations', 'runs']
        """
        return list(self._tables)

    def table(self, name: str, frame: bool | None = None) -> Any:
        """A table of the report: 'runs', 'configurations', 'comparisons', 'targets', 'budgets', 'ecdf', …

        Numbers that there are none of, such as how long a success takes where nobody succeeds, are NaN.

        >>> import knossos, pathlib, tempfile
        >>> file = pathlib.Path(tempfile.mkdtemp()) / 'two.toml'
        >>> _ = file.write_text('name = "two"\\nruns = 5\\nrecipes = ["pmx-queens", "duel-queens"]\\n')
        >>> study = knossos.study(file, file.with_suffix('.db'), budget=2_000)
        >>> study.table('configurations', frame=False)['runs']
        [5, 5]
        """
        if name not in self._tables:
            raise KeyError(f"there is no table '{name}'; there are {', '.join(self._tables)}")
        return _frame(_columns(self._tables[name]), frame)

    def frame(self) -> Any:
        """A row for each run: a pandas frame, or a dictionary of lists without pandas.

        >>> import knossos, pathlib, tempfile
        >>> file = pathlib.Path(tempfile.mkdtemp()) / 'two.toml'
        >>> _ = file.write_text('name = "two"\\nruns = 5\\nrecipes = ["pmx-queens", "duel-queens"]\\n')
        >>> study = knossos.study(file, file.with_suffix('.db'), budget=2_000)
        >>> len(study.frame()['outcome'])
        10
        """
        return self.table("runs")

    def figure(self, kind: str = "ecdf") -> Any:
        """A matplotlib figure of what the report shows: 'ecdf', 'convergence', 'boxes', 'best', 'success' or 'sizes'.

        Problems whose values mean something else have axes of their own, below each other.

        >>> import knossos, pathlib, tempfile
        >>> file = pathlib.Path(tempfile.mkdtemp()) / 'two.toml'
        >>> _ = file.write_text('name = "two"\\nruns = 5\\nrecipes = ["pmx-queens", "duel-queens"]\\n')
        >>> study = knossos.study(file, file.with_suffix('.db'), budget=2_000)
        >>> len(study.figure('boxes').axes)  # doctest: +SKIP
        1
        """
        from ._figures import study_figure

        return study_figure(self, kind)

    def html(self) -> str:
        """The report as one page.

        >>> import knossos, pathlib, tempfile
        >>> file = pathlib.Path(tempfile.mkdtemp()) / 'two.toml'
        >>> _ = file.write_text('name = "two"\\nruns = 5\\nrecipes = ["pmx-queens", "duel-queens"]\\n')
        >>> study = knossos.study(file, file.with_suffix('.db'), budget=2_000)
        >>> '</html>' in study.html()
        True
        """
        return self._core.html()

    def svg(self) -> dict[str, str]:
        """The plots of the report, by name.

        >>> import knossos, pathlib, tempfile
        >>> file = pathlib.Path(tempfile.mkdtemp()) / 'two.toml'
        >>> _ = file.write_text('name = "two"\\nruns = 5\\nrecipes = ["pmx-queens", "duel-queens"]\\n')
        >>> study = knossos.study(file, file.with_suffix('.db'), budget=2_000)
        >>> 'ecdf.svg' in study.svg()
        True
        """
        return self._core.svg()

    def _repr_markdown_(self) -> str:
        return self._core.markdown()

    def __repr__(self) -> str:
        return f"<Study {self.name}: {self.runs} runs>"
