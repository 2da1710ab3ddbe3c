"""What the script of a selection's page reads, packed."""

import json
from collections.abc import Iterator, Mapping, Sequence

from tamis.errors import spell_name
from tamis.facts.explorer import ExplorerFacts, LiveFacts, SampledValues
from tamis.facts.json_values import to_plain
from tamis.facts.selection_answer import SelectionFacts
from tamis.presentation.page.pack import deflate, pack
from tamis.presentation.prose.about_relations import relation_reasons
from tamis.presentation.prose.about_rows import gap_sentence, kind_words
from tamis.presentation.prose.about_selection import selection_sentence
from tamis.presentation.prose.words import Words

__all__ = ["embed_facts"]

_SPOKEN = ("before", "after", "alone", "nothing", "share", "signed", "in_percent")


def embed_facts(
    facts: SelectionFacts, explorer: ExplorerFacts, words: Words, rows: int
) -> Mapping[str, object]:
    """Return what the script needs; `rows` are shown of a table at first."""
    curve, fates, found, held = explorer.curve, explorer.fates, explorer.map, facts.held_out
    sample = explorer.sample
    return {
        "rows": rows,
        "title": facts.title,
        "words": {name: vars(words)[name] for name in _SPOKEN},
        "measure": facts.measure,
        "ranked": facts.ranked,
        "sentence": selection_sentence(facts),
        "k": facts.k,
        "knee": explorer.knee,
        "path": explorer.table.path,
        "axis": explorer.table.axis,
        "retained": _round_shares(curve.retained),
        "bound": _round_shares(curve.bound),
        "held": _round_shares(held.share) if held else [],
        "chance": [None if level is None else round(level, 6) for level in curve.chance],
        "limits": {"safe": fates.safe / 1000, "lost": 0.1},
        "counts": to_plain(fates.counts, {}),
        "steps": fates.steps,
        "sources": explorer.sources.complete,
        "swaps": explorer.swaps,
        "included": facts.included,
        "frequency": facts.stability.frequency if facts.stability else None,
        "sample": {"why": gap_sentence(sample.gap), "rows": sample.rows, "seen": sample.seen},
        "patterns": to_plain(explorer.patterns, {}),
        "map": found and {"columns": found.columns, "values": pack(_below(found.values))},
        "live": _live(explorer.live) if explorer.live else None,
        "blocks": _blocks(facts, explorer),
    }


def _live(live: LiveFacts) -> Mapping[str, object]:
    """Return what the page chooses again from, with the options as they are written."""
    spelled = {name: spell_name(name) for name in ("include", "forbid")}
    apart = ("matrix", "patterns")
    plain = {name: to_plain(value, {}) for name, value in vars(live).items() if name not in apart}
    return {**plain, "spelled": spelled, "patterns": to_plain(live.patterns, {})}


def _blocks(facts: SelectionFacts, explorer: ExplorerFacts) -> dict[str, str]:
    """Return the long parts, deflated."""
    sample = explorer.sample
    skipped = {row.column: row.why for row in facts.skipped}
    skipped |= dict.fromkeys(facts.constant, "constant")
    words, each = kind_words(sample.kinds) if sample.kinds else ([], None)
    table = {
        "names": explorer.table.names,
        "used": explorer.table.used,
        "skipped": skipped,
        "missing": facts.missing.shares,
        "texts": facts.texts,
        "reasons": relation_reasons(facts.relations, facts.names)
        | {row.column: row.reason for row in facts.dropped if row.reason},
        "kinds": {"words": words, "each": each} if sample.kinds else None,
        "sampled": [_embed_sample(one) for one in sample.columns],
    }
    return {
        "table": _written(table),
        "listed": _written(to_plain(explorer.listed, {})),
        "shares": deflate(explorer.fates.values),
        "columns": deflate(explorer.sources.columns),
        "records": deflate(explorer.sources.records),
        "values": deflate(sample.values),
        **({"gram": deflate(explorer.live.matrix)} if explorer.live else {}),
    }


def _written(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return deflate(text.encode("utf-8", "surrogatepass"))


def _embed_sample(found: SampledValues) -> list[object]:
    """Return column, distinct values, then for rows: range, mean and deviation, and labels."""
    labels = [list(found.labels)] if found.labels else []
    return [found.column, found.distinct, *(found.numbers or ()), *labels]


def _round_shares(shares: Sequence[float]) -> list[float]:
    return [round(share, 6) for share in shares]


def _below(values: Sequence[Sequence[int]]) -> Iterator[int]:
    """Yield what lies below the diagonal."""
    for row, line in enumerate(values):
        yield from line[:row]
