"""All experiments of the papers, in the order of the papers, found by their ids."""

from collections.abc import Sequence

from tamis.errors import TamisError
from tamis.evaluation.protocols import cui_dy, cunningham, peluffo, preservation_note, yen
from tamis.evaluation.protocols.protocol import Protocol
from tamis.registry import nearest

__all__ = ["chosen", "protocols"]

_PAPERS = (yen, cunningham, preservation_note, cui_dy, peluffo)


def protocols() -> tuple[Protocol, ...]:
    """Give every protocol."""
    return tuple(protocol for paper in _PAPERS for protocol in paper.PROTOCOLS)


def chosen(ids: str | Sequence[str]) -> tuple[Protocol, ...]:
    """Give the protocols that were named, each once and in the papers' order; "all" for all."""
    every = protocols()
    asked = [ids] if isinstance(ids, str) else list(ids)
    if not asked:
        raise TamisError("No experiment is named: give its id, or all.")
    if "all" in asked:
        return every
    known = [protocol.id for protocol in every]
    for one in asked:
        if one not in known:
            raise TamisError(f"There is no experiment {one!r}{nearest(one, known)}")
    return tuple(protocol for protocol in every if protocol.id in asked)
