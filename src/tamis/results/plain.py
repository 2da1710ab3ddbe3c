"""Results by text: what is shown and written has names as text, whatever the labels are."""

from dataclasses import replace
from typing import Any, TypeVar

__all__ = ["by_text"]

Plain = TypeVar("Plain", bound=Any)


def by_text(found: Plain, **more: Any) -> Plain:
    """Give the same result with all columns named by text; itself if they are already."""
    if found.request.labels is None:
        return found
    shares = {str(name): share for name, share in found.missing.shares.items()}
    return replace(
        found,
        request=replace(found.request, labels=None),
        constant=tuple(map(str, found.constant)),
        skipped={str(name): why for name, why in found.skipped.items()},
        missing=replace(found.missing, shares=shares),
        **more,
    )
