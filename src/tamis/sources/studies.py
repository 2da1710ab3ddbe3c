"""Files of SPSS, Stata and SAS, with their value and variable labels."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path

from tamis.errors import TamisError
from tamis.memory import batch_bytes, get_budget
from tamis.sources.apart import run_apart
from tamis.sources.feather import FeatherSource
from tamis.sources.files import explain_unreadable
from tamis.sources.scratch import scratch_folder, with_room
from tamis.sources.stamp import Stamp

__all__ = ["StudySource"]

_MAX_LABELS_SHOWN = 5


@dataclass(frozen=True)
class _Study:
    """The Arrow file that a file was written to, and what that says of its columns."""

    copy: Path
    texts: dict[str, str]
    doubts: tuple[str, ...]


# What was converted: a table is opened several times.
_done: dict[tuple[str, int, int], _Study] = {}


class StudySource(FeatherSource):
    """A file of SPSS, Stata or SAS, converted once; the labels of variables are in `info.texts`.

    Codes that a file declares as missing are missing.
    """

    def __init__(self, path: Path) -> None:
        if find_spec("pyreadstat") is None:
            raise TamisError(f"{path.name} needs pyreadstat: pip install 'tamis[studies]'.")
        with explain_unreadable(path):
            key = Stamp(path).key
            if key not in _done:
                _done[key] = _convert(path)
            study = _done[key]
        super().__init__(study.copy)
        self.info = replace(
            self.info, files=(path,), label=path.name, texts=study.texts, doubts=study.doubts
        )


def _convert(path: Path) -> _Study:
    copy = scratch_folder() / path.name
    given = [str(path.absolute()), str(copy), batch_bytes()]
    with with_room():
        said = run_apart("tamis.sources.study_rows", given, get_budget())
    return _Study(copy, said["texts"], _say_categories(path.name, said["unsure"]))


def _say_categories(label: str, names: Sequence[str]) -> tuple[str, ...]:
    """Say which codes are read as categories where the file does not say what they measure."""
    if not names:
        return ()
    shown = ", ".join(map(repr, names[:_MAX_LABELS_SHOWN])) + (
        ", ..." if len(names) > _MAX_LABELS_SHOWN else ""
    )
    what = "column has" if len(names) == 1 else "columns have"
    return (
        f"{len(names)} {what} a label for every code and {'is' if len(names) == 1 else 'are'} read "
        f"as categories ({shown}): remove the labels in {label} where the codes are an order.",
    )
