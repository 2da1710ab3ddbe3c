"""What is said about the order of the kept columns."""

from collections.abc import Sequence

__all__ = ["GIVEN", "order_sentence"]

GIVEN = "In the order given."


def order_sentence(names: Sequence[object], included: Sequence[object], *, best: bool) -> str:
    """Say in which order kept columns are named, of which some were `included` by the user.

    `best` says that each of the others explains most of what those before it leave.

    >>> order_sentence(["a", "b"], [], best=True)
    'Best first.'
    >>> order_sentence(["a", "b", "c"], ["b", "a"], best=True)
    'The columns you included, then best first.'
    >>> order_sentence(["a", "b", "c"], ["c"], best=True)
    'In the order of the method; columns you included are among them.'
    """
    count = len(included)
    if count and set(names[:count]) == set(included):
        others = ", then best first." if best else ", then in the order of the method."
        return "The columns you included" + (others if count < len(names) else ".")
    if count:
        return "In the order of the method; columns you included are among them."
    return "Best first." if best else "In the order they were selected."
