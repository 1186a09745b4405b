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
    """The root of everything that Knossos raises.

    >>> import knossos
    >>> issubclass(knossos.InvalidInput, knossos.Error) and issubclass(knossos.InvalidInput, ValueError)
    True
    """

    def __str__(self) -> str:  # KeyError would put quotes around it
        return str(self.args[0]) if self.args else ""


class InvalidInput(Error, ValueError):
    """A setting, array, recipe or file that can't be accepted: says what is wrong, where, and what would be right.

    >>> import knossos
    >>> try:
    ...     knossos.Recipe('pmx-queens', population=-1)
    ... except knossos.InvalidInput as error:
    ...     print('population' in str(error))
    True
    """


class UnknownRecipe(InvalidInput, KeyError):
    """There is no recipe of that name.

    >>> import knossos
    >>> try:
    ...     knossos.Recipe('mace')
    ... except knossos.UnknownRecipe as error:
    ...     print('maze' in str(error))
    True
    """


class EvaluationError(Error, ValueError):
    """What individuals are worth is not a number, or an evaluator failed.

    >>> import knossos, numpy
    >>> try:
    ...     knossos.evolve(lambda genomes: numpy.full(len(genomes), numpy.nan), knossos.Space.bits(8), budget=100, seed=1)
    ... except knossos.EvaluationError:
    ...     print('not a number')
    not a number
    """


class InputOutputError(Error, OSError):
    """A file could not be read or written.

    >>> import knossos
    >>> try:
    ...     knossos.Recipe('maze', budget=100).run(seed=1).save('/no/such/folder/level.png')
    ... except knossos.InputOutputError as error:
    ...     print('/no/such/folder' in str(error))
    True
    """
