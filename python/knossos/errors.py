"""What Knossos raises. The messages are those of the command line.

Each class is also one of Python's own, so that nobody has to know these:

>>> import knossos
>>> try:
...     knossos.Recipe('pmx-quens')
... except KeyError as error:
...     print(error)
there is no recipe 'pmx-quens'; did you mean pmx-queens? (a file ends in .toml)
"""


class Error(Exception):
    """The root of everything that Knossos raises."""

    def __str__(self) -> str:  # KeyError would put quotes around it
        return str(self.args[0]) if self.args else ""


class InvalidInput(Error, ValueError):
    """A setting, array, recipe or file that can't be accepted: says what is wrong, where, and what would be right."""


class UnknownRecipe(InvalidInput, KeyError):
    """There is no recipe of that name."""


class EvaluationError(Error, ValueError):
    """What individuals are worth is not a number, or an evaluator failed."""


class InputOutputError(Error, OSError):
    """A file could not be read or written."""
