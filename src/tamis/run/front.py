"""The front of every call: a table is opened once, and anew where reading shows another kind."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, TypeVar

from tamis.errors import TamisError, TextAmongNumbers, Unreadable
from tamis.memory import limit_memory
from tamis.registry import DEFAULT_METHOD, get
from tamis.run.request import Request
from tamis.sources.open import open_source
from tamis.sources.positions import find_positions, has_patterns, match_columns
from tamis.sources.source import Source, Unread

T = TypeVar("T")

BY_INFORMATION = "representatives"  # the method that takes all as categories
WHY_DEFAULT = "the default"


def request_default(asked: dict[str, Any]) -> Request:
    """Make the request of the default method, or of the one for categories if it takes more of it.

    Where neither takes what is asked, the one with most of the options says what is wrong.
    """
    own = asked.get("options") or ()
    ids = sorted(
        (DEFAULT_METHOD, BY_INFORMATION), key=lambda one: sum(not get(one).has(n) for n in own)
    )
    try:
        request = Request.of(ids[0], **asked, why=WHY_DEFAULT)
    except TamisError as refusal:
        with suppress(TamisError):
            request = Request.of(ids[1], **asked, why=WHY_DEFAULT)
            if request.missing.codes_numbers:  # which is for categories alone
                return request
        raise refusal from None
    return request


def read_for(
    request: Request, data: Any, run: Callable[[Source], T], *, takes_text: bool = True
) -> T:
    """Open a table as a request says, within its memory, and run on it."""
    with limit_memory(request.memory):
        return read_table(
            data,
            run,
            takes_text=takes_text,
            skip_corrupt=request.skip_corrupt,
            categories=request.categories,
            numbers=request.numbers,
            known=request.known.texts,
        )


def read_table(
    data: Any,
    run: Callable[[Source], T],
    *,
    takes_text: bool = True,
    skip_corrupt: bool = False,
    categories: Sequence[str | int] = (),
    numbers: Sequence[str | int] = (),
    known: Sequence[str] = (),
) -> T:
    """Run on a table, and anew where reading it shows that it must be opened in another way.

    Text files are typed by their first lines: chromosomes 1, 2, ... become X and Y only later. That
    is an error where text is not taken. A damaged part is an error, too, unless it is to be
    skipped: every pass then does without all of it, and `info.unread` lists it. Columns in
    `categories` and `numbers` are taken for such; those in `known` hold text, as was seen before.
    """
    text: list[str] = list(known)
    doubts: list[str] = []
    late: dict[str, Exception] = {}
    unread: Unread | None = {} if skip_corrupt else None
    while True:
        try:
            source = open_table(data, text, categories, numbers, unread)
            info = source.info.with_doubts(doubts)
            source.info = replace(info, late=late, unread=tuple(unread or ()))
            return run(source)
        except TextAmongNumbers as found:
            more = [name for name in found.columns if name not in text]
            if not more or not takes_text:
                raise
            text += more
            late |= dict.fromkeys(more, found)
            doubts += [found.doubt] if found.doubt else []
        except Unreadable as found:
            if unread is None or found.part in unread:
                raise
            unread[found.part] = str(found)


def open_table(
    data: Any,
    text: Sequence[str] = (),
    categories: Sequence[str | int] = (),
    numbers: Sequence[str | int] = (),
    unread: Unread | None = None,
    exact: Sequence[str] = (),
) -> Source:
    """Open a table, some columns of which are taken for another kind than they seem.

    Those in `exact` are given as they are written.
    """
    if has_patterns([*categories, *numbers]):
        first = open_source(data, text=list(text), unread=unread)
        categories = match_columns(first, "categories", categories)
        numbers = match_columns(first, "numbers", numbers)
    codes = [name for name in categories if isinstance(name, str)]
    as_text = dict.fromkeys([*codes, *text])
    source = open_source(data, exact=exact, text=list(as_text), unread=unread)
    if not categories and not numbers:
        return source
    asked = {source.names[j] for j in find_positions(source, numbers)}
    if thousands := asked & set(source.info.undecided):  # which is now decided
        as_text |= dict.fromkeys(sorted(thousands))
        source = open_source(data, exact=exact, text=list(as_text), unread=unread)
    from tamis.sources.marked import recast

    return recast(source, categories, numbers)
