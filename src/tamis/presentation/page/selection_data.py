"""What the script of a selection's page reads, packed."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from tamis.presentation.page.pack import deflated, pack
from tamis.presentation.words import Words

__all__ = ["embedded"]

Summary = dict[str, Any]

_SPOKEN = ("before", "after", "alone", "nothing", "share", "signed")


def embedded(summary: Summary, words: Words, rows: int) -> Summary:
    """Return what the script needs; `rows` are shown of a table at first."""
    fates, found, held = summary["fates"], summary["map"], summary["held_out"]
    return {
        "rows": rows,
        "title": summary["title"],
        "words": {name: getattr(words, name) for name in _SPOKEN},
        "measure": summary["measure"],
        "ranked": summary["ranked"],
        "sentence": summary["sentence"],
        "k": summary["k"],
        "knee": summary["knee"],
        "path": summary["table"]["path"],
        "axis": summary["table"]["axis"],
        "retained": _rounded(summary["curve"]["retained"]),
        "bound": _rounded(summary["curve"]["bound"]),
        "held": _rounded(held["share"]) if held else [],
        "chance": [None if level is None else round(level, 6) for level in summary["chances"]],
        "limits": {"safe": fates["limits"]["safe"] / 1000, "lost": 0.1},
        "counts": fates["counts"],
        "steps": fates["steps"],
        "sources": summary["sources"]["all"],
        "swaps": summary["swaps"],
        "included": summary["included"],
        "frequency": (summary["stability"] or {}).get("frequency"),
        "sample": {name: summary["sample"][name] for name in ("why", "rows", "seen")},
        "patterns": summary["patterns"],
        "map": found and {"columns": found["columns"], "values": pack(_below(found["values"]))},
        "live": summary["live"],
        "blocks": _blocks(summary),
    }


def _blocks(summary: Summary) -> dict[str, str]:
    """Return the long parts, deflated."""
    sample, left = summary["sample"], [*summary["skipped"]]
    skipped = {row["column"]: row["why"] for row in left}
    skipped |= dict.fromkeys(summary["constant"], "constant")
    table = {
        "names": summary["table"]["names"],
        "used": summary["table"]["used"],
        "skipped": skipped,
        "missing": summary["missing"].get("shares", {}),
        "reasons": {row["column"]: row["reason"] for row in summary["dropped"] if row["reason"]},
        "kinds": sample["kinds"],
        "sampled": sample["columns"],
    }
    text = json.dumps(table, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return {
        "table": deflated(text.encode("utf-8", "surrogatepass")),
        "shares": deflated(summary["fates"]["values"]),
        "columns": deflated(summary["sources"]["columns"]),
        "records": deflated(summary["sources"]["records"]),
        "values": deflated(sample["values"]),
    }


def _rounded(shares: Sequence[float]) -> list[float]:
    return [round(share, 6) for share in shares]


def _below(values: Sequence[Sequence[int]]) -> Iterator[int]:
    """Yield what lies below the diagonal."""
    for row, line in enumerate(values):
        yield from line[:row]
