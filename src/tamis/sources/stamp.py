"""A file must stay what it was when it was opened: size and time of change are compared."""

from pathlib import Path

from tamis.errors import TamisError


class Stamp:
    """Size and time of change of a file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._seen = _seen(path)
        self.size = self._seen[0]

    @property
    def key(self) -> tuple[str, int, int]:
        """Name this state of this file, and no other."""
        return (str(self.path.resolve()), *self._seen)

    def check(self) -> None:
        """Refuse a file that is no longer what it was: one answer cannot rest on two tables."""
        try:
            same = _seen(self.path) == self._seen
        except FileNotFoundError as error:
            raise TamisError(
                f"{self.path.name} has been removed while it was read: put it back and run again."
            ) from error
        if not same:
            raise TamisError(
                f"{self.path.name} has changed while it was read: run again once nothing writes "
                "to it."
            )


def _seen(path: Path) -> tuple[int, int]:
    found = path.stat()
    return found.st_size, found.st_mtime_ns
