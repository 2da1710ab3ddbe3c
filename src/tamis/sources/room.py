"""Whether what a file unpacks to fits into the memory that reading may take."""

from tamis.errors import TamisError, spell
from tamis.memory import get_budget

__all__ = ["check_room", "write_size"]


def check_room(size: int, what: str, advice: str = "") -> None:
    """Refuse what takes more bytes than reading may, before it is unpacked."""
    limit = get_budget()
    if size > limit:
        more = spell("memory", write_size(2 * size))
        raise TamisError(
            f"{what} would take {write_size(size)} of memory and the limit is {write_size(limit)}: "
            f"{advice}if the file is sound, raise the limit ({more})."
        )


def write_size(size: int) -> str:
    """Write a number of bytes, rounded up.

    >>> write_size(3 << 30), write_size(5 << 19)
    ('3GB', '3MB')
    """
    shift, unit = (30, "GB") if size >= 2 << 30 else (20, "MB")
    return f"{-(-size >> shift)}{unit}"
