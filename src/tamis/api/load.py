"""`load`: a choice that was saved."""

from os import PathLike
from pathlib import Path

from tamis.results.choice_file import read_choice
from tamis.results.saved_choice import SavedChoice


def load(path: str | PathLike[str]) -> SavedChoice:
    """Read a choice that `Selection.save` or `tamis select --save` wrote.

    Examples
    --------
    >>> import numpy as np, tempfile
    >>> from tamis import select
    >>> X = np.random.default_rng(0).standard_normal((50, 4)) @ np.triu(np.ones((4, 4)))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     load(select(X, k=2).save(Path(folder) / "choice.tamis"))
    <SavedChoice of 2 columns that predict 2 others>
    """
    return read_choice(Path(path))
