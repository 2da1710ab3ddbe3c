"""All experiments of the papers, in the order of the papers, found by their ids."""

import difflib
from collections.abc import Sequence

from tamis.errors import TamisError
from tamis_papers.laboratory.protocol import Protocol
from tamis_papers.protocols import cui_dy, cunningham, peluffo, preservation_note, yen

__all__ = ["choose_protocols", "list_protocols"]

_PAPERS = (yen, cunningham, preservation_note, cui_dy, peluffo)


def list_protocols() -> tuple[Protocol, ...]:
    """Give every protocol."""
    return tuple(protocol for paper in _PAPERS for protocol in paper.PROTOCOLS)


def choose_protocols(ids: str | Sequence[str]) -> tuple[Protocol, ...]:
    """Give the protocols that were named, each once and in the papers' order; "all" for all."""
    every = list_protocols()
    asked = [ids] if isinstance(ids, str) else list(ids)
    if not asked:
        raise TamisError("No experiment is named: give its id, or all.")
    if "all" in asked:
        return every
    known = [protocol.id for protocol in every]
    for one in asked:
        if one not in known:
            raise TamisError(f"There is no experiment {one!r}{_suggest(one, known)}")
    return tuple(protocol for protocol in every if protocol.id in asked)


def _suggest(word: str, known: Sequence[str]) -> str:
    """End a sentence: suggest the id most like `word`, or say how to list them."""
    close = difflib.get_close_matches(word.casefold(), known, n=1)
    return f": did you mean {close[0]!r}?" if close else ": `tamis reproduce --list` lists them."
