"""Columns that give the target away, as columns to check."""

from tamis.columns.leaks import Leak
from tamis.run.request import Request
from tamis.statistics.suspects import Suspect

__all__ = ["suspect_leaks"]

MAX_LEAKS = 6  # that are named
_WHOLE = 0.9995  # share predicted that is written as 100%


def suspect_leaks(request: Request) -> tuple[Suspect, ...]:
    """Name the columns that predict the target, best first, and those that make it."""
    known = request.preparation
    if known is None or known.judgement is None:
        return ()
    ordered = sorted(known.judgement.leaks, key=lambda leak: -leak.share)[:MAX_LEAKS]
    found = {leak.column: Suspect(leak.column, "leak", _say(leak)) for leak in ordered}
    for one in known.judgement.made:
        parts = list(one.parts)
        for name in parts[:MAX_LEAKS]:
            more = len(parts) - 1
            others = f"with {more} other{'' if more == 1 else 's'} " if more else ""
            found[name] = Suspect(name, "leak", f"determines the target exactly {others}".rstrip())
    return tuple(found.values())


def _say(leak: Leak) -> str:
    if leak.share >= _WHOLE:
        return "determines the target"
    return f"nearly determines the target ({leak.share:.1%} of it on held-out rows)"
