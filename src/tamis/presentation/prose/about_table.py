"""What is said about the table: missing values, damaged parts, labels, suspicious columns."""

from collections.abc import Mapping, Sequence
from pathlib import PurePath

from tamis.errors import as_term, by_door, spell, spell_name
from tamis.facts.explorer import SampleGap
from tamis.facts.selection_answer import ClippedFacts
from tamis.facts.shared_answer import (
    ClusterFacts,
    HeavyRowFacts,
    LabelFacts,
    MissingFacts,
    RowFacts,
    SummaryFacts,
    SuspiciousColumn,
    UnreadFacts,
)
from tamis.presentation.prose.writing import (
    LONGEST,
    count_words,
    cut,
    list_names,
    percent,
    shorten_name,
)
from tamis.registry.missing_policy import describe_treatment
from tamis.rules.search import STD_PER_MAD

_WORST_COLUMNS = 6
_CLIPPED_COLUMNS = 4
_UNREAD_PARTS = 6
_CLASSES = 6
_FIRM_CLUSTERS = 0.8  # adjusted Rand index: those that agree less are others in each half
_SUSPICIONS = {
    "label": ("may be labels, but is analysed as a column", "y"),
    "response": ("may be what is to be predicted, but is analysed as a column", "y"),
    "codes": ("may be codes for categories, but is analysed as numbers", "categories"),
    "frequencies": ("may say how many rows each row stands for, but is analysed", "weights"),
    "leak": ("%s; omit it if it is known only afterwards", "exclude"),
}


def missing_sentence(missing: MissingFacts, longest: int = LONGEST) -> str:
    """Say how many rows were dropped, or what was filled, with the worst columns.

    Names have at most `longest` characters; nothing is said where no value is missing.

    >>> missing_sentence(MissingFacts("mean", 40, 40, None, 0, False, {"age": 0.95, "bmi": 0.1}))
    'Missing values filled with the column mean: age (95.0% of the rows), bmi (10.0%).'
    """
    rows, used = missing.rows_read, missing.rows_used
    worst = _list_worst(missing.shares, longest)
    if done := describe_treatment(missing.done):
        common, infinite = missing.fewest_common, missing.infinite
        if common is not None:  # columns are related by the rows that have both
            known = f"{percent(missing.observed)} of all values; at least {common:,} rows each"
            done += f" ({known}); missing"
        said = f"{done}: {worst}"
        if infinite:
            values = "value counts" if infinite == 1 else "values count"
            said += f"; {infinite:,} infinite {values} as missing"
        if missing.rows_complete is not None:  # in a summary it is too late for that
            said += f"; see {spell_name('missing')} for other ways"
        return f"{said}." if worst else ""
    if used == rows:
        return ""
    lost = missing.rows_unlabelled
    why = "labels" if lost == rows - used else "values"
    some = f", {lost:,} of them without a label" if 0 < lost < rows - used else ""
    text = f"Dropped {rows - used:,} of {rows:,} rows because of missing {why}{some}; "
    text += f"{used:,} are used."
    return f"{text} Missing most often: {worst}." if worst else text


def _list_worst(shares: Mapping[str, float], longest: int) -> str:
    short = shorten_name(list(shares)[:_WORST_COLUMNS], longest)
    shown: list[str] = []
    for name, share in list(shares.items())[:_WORST_COLUMNS]:
        size = percent(share) if share >= 1e-3 else "under 0.1%"
        shown.append(f"{short[name]} ({size}{'' if shown else ' of the rows'})")
    rest = len(shares) - _WORST_COLUMNS
    more = f" and {count_words(rest, 'more column')}" if rest > 0 else ""
    return ", ".join(shown) + more


def clipped_sentence(clipped: ClippedFacts, longest: int = LONGEST) -> str:
    """Say how many extreme values were limited, where, and how to keep them.

    >>> clipped_sentence(ClippedFacts({"a": 12, "b": 1}, 11, 7.413))
    'Values beyond about 5 robust standard deviations limited: 13 in 2 columns (a 12, b 1), 11 ...'
    """
    short = shorten_name(list(clipped.columns)[:_CLIPPED_COLUMNS], longest)
    shown = ", ".join(f"{text} {clipped.columns[name]:,}" for name, text in short.items())
    more = ", ..." if len(clipped.columns) > _CLIPPED_COLUMNS else ""
    values = sum(clipped.columns.values())
    columns = f"{count_words(len(clipped.columns), 'column')} ({shown}{more})"
    where = f"{columns}, {count_words(clipped.rows, 'row')}"
    keep = by_door('options={"outliers": "keep"}', spell("outliers", "keep"))
    beyond = f"beyond about {clipped.deviations / STD_PER_MAD:.0f} robust standard deviations"
    return f"Values {beyond} limited: {values:,} in {where}; {keep} uses them as they are."


def unread_sentence(unread: UnreadFacts) -> str:
    """Name the files, and the places in them, that the answer does without.

    >>> from tamis.facts.shared_answer import UnreadPart
    >>> unread_sentence(UnreadFacts((UnreadPart("data/a.parquet", "row group 2 of 5"),)))
    'Skipped as damaged: a.parquet (row group 2 of 5).'
    """
    names = [
        f"{PurePath(part.file).name}{f' ({part.place})' if part.place else ''}"
        for part in unread.parts
    ]
    return f"Skipped as damaged: {list_names(names, _UNREAD_PARTS)}." if names else ""


def labels_sentence(labels: LabelFacts, longest: int = LONGEST) -> str:
    r"""Say what the labels are, and whether the method used them.

    The name of their column has at most `longest` characters.

    >>> labels_sentence(LabelFacts("kind", "auto", {"a": 5, "b": 7}, True, "chi2"))
    'Labels in \'kind\': "a" (5 rows), "b" (7 rows).'
    >>> print(labels_sentence(LabelFacts(None, "auto", {"a": 5, "b": 7}, False, "sfs")))
    Labels: "a" (5 rows), "b" (7 rows). The method does not use the labels; ...
    >>> values = {str(value): 1 for value in range(447)}
    >>> labels_sentence(LabelFacts("CEC", "regression", values, True, "forward-regression"))
    'Response: CEC (447 values).'
    """
    counts = labels.counts
    if labels.clusters is not None:
        return _clusters_sentence(counts, labels.clusters)
    unused, instead = "", spell("method", "forward-regression")
    if not labels.used:
        one = labels.task == "regression" and not labels.responses
        what = "responses" if labels.responses else "response" if one else "labels"
        predict = f"{instead} chooses columns that predict {'it' if one else 'them'}"
        unused = f" The method does not use the {what}; {predict}."
    if labels.responses:
        kinds = {"regression": "distinct values"}
        responses = [
            f"{cut(each.name, longest)!r} ({each.values:,} {kinds.get(each.task, 'classes')})"
            for each in labels.responses
        ]
        return f"Responses: {list_names(responses, _CLASSES)}.{unused}"
    where = "" if labels.column is None else f" in {cut(labels.column, longest)!r}"
    if labels.task == "regression" or not 0 < len(counts) <= _CLASSES * 4:
        named = "" if labels.column is None else f" {cut(labels.column, longest)}"
        values = f" ({len(counts):,} values)" if counts else ""
        return f"Response:{named}{values}.{unused}"
    shown = [
        f'"{cut(name, LONGEST)}" ({count_words(rows, "row")})' for name, rows in counts.items()
    ]
    more = f" and {len(shown) - _CLASSES:,} more" if len(shown) > _CLASSES else ""
    return f"Labels{where}: {', '.join(shown[:_CLASSES])}{more}.{unused}"


def _clusters_sentence(counts: Mapping[str, int], clusters: ClusterFacts) -> str:
    """Say what the clusters are that stand for labels, and how firm they are.

    >>> quality = ClusterFacts(9, "silhouette", 1.0, 0.41)
    >>> _clusters_sentence({"cluster 1": 5, "cluster 2": 7}, quality)
    'Labels: 2 clusters of the rows (5, 7), ... The clusters are not stable, so ...'
    """
    sizes = ", ".join(f"{rows:,}" for rows in counts.values())
    on = count_words(clusters.columns, "standardised column")
    said = (
        f"Labels: {len(counts)} clusters of the rows ({sizes}), made by K-means on {on}, their "
        f"number by {clusters.rule} widths. Agreement (adjusted Rand index): {clusters.seeds:.2f} "
        f"with other random seeds, {clusters.halves:.2f} between halves of the rows."
    )
    weak = min(clusters.seeds, clusters.halves) < _FIRM_CLUSTERS
    return said + (" The clusters are not stable, so the columns may rank noise." if weak else "")


def warning_text(suspect: SuspiciousColumn) -> str:
    """Say what a suspicious column looks like.

    >>> warning_text(SuspiciousColumn("churned", "label"))
    'may be labels, but is analysed as a column'
    """
    return _SUSPICIONS[suspect.looks_like][0].replace("%s", suspect.detail)


def warning_advice(suspect: SuspiciousColumn) -> str:
    """Write the option that changes what is done with a suspicious column.

    >>> warning_advice(SuspiciousColumn("region", "codes"))
    'categories=["region"]'
    """
    option = _SUSPICIONS[suspect.looks_like][1]
    return spell(option, suspect.column if option in ("y", "weights") else [suspect.column])


def warning_sentence(suspect: SuspiciousColumn) -> str:
    r"""Say what a suspicious column looks like, and what changes that, in a sentence.

    >>> warning_sentence(SuspiciousColumn("Freq", "frequencies"))
    '\'Freq\' may say how many rows each row stands for, but is analysed: weights="Freq".'
    """
    return f"{suspect.column!r} {warning_text(suspect)}: {warning_advice(suspect)}."


def summary_sentence(facts: SummaryFacts) -> str:
    """Say how large a summary is."""
    text = f"{facts.rows:,} rows x {len(facts.names):,} columns"
    return text + (f" ({facts.constant:,} constant)." if facts.constant else ".")


_KIND_WORDS = {
    "numeric": "numbers",
    "boolean": "true or false",
    "categorical": "text or categories",
    "row names": "names of the rows",
    "empty": "no values",
}
_OTHER_KIND = "dates or another type"
# Why there are no values of rows; nothing where there are.
SAMPLE_GAPS: dict[SampleGap | None, str] = {
    None: "",
    "unreadable": "The rows of this table could not be read a second time (a stream, a summary, or "
    "a table no longer there).",
    "omitted": "Values of rows were omitted on request.",
}


def row_sentences(facts: RowFacts) -> list[str]:
    """Say how rows were held out and counted, and what to know of them.

    >>> row_sentences(RowFacts(weighted=True, counted=40))
    ['Rows count by their weights, as 40 rows.']
    """
    said = []
    if facts.groups is not None:
        said.append(f"Rows of one group are held out together ({facts.groups:,} groups).")
    if facts.ordered:
        said.append(
            "Held-out rows are stretches of the table; the rows beside a stretch are not learnt "
            "from."
        )
    if facts.weighted:
        number = "" if facts.counted is None else f", as {facts.counted:,} rows"
        said.append(f"Rows count by their weights{number}.")
    if alike_sentence(facts):
        said.append(f"{alike_sentence(facts)} {alike_advice(facts)} {alike_effect(facts)}.")
    return [*said, *([_say_heavy(facts.heavy)] if facts.heavy else [])]


def alike_sentence(facts: RowFacts) -> str:
    """Say of which rows the share on new rows may be lower; nothing where rows are not alike.

    >>> alike_sentence(RowFacts(successive=0.953, time="year"))
    'Rows next to each other are alike (median correlation of successive rows 0.95, in order ...'
    """
    if facts.key is not None:
        return (
            f"Rows with the same {as_term(facts.key)} are alike (median intraclass correlation of "
            f"numbers {facts.similarity or 0.0:.2f}): for rows with a new one the share on new "
            "rows may be lower."
        )
    if facts.successive is None:
        return ""
    order = f", in order of {as_term(facts.time)}" if facts.time is not None else ""
    return (
        "Rows next to each other are alike (median correlation of successive rows "
        f"{facts.successive:.2f}{order}): for rows "
        f"{'before or after them' if order else 'further away'} the share on new rows may be lower."
    )


def alike_advice(facts: RowFacts) -> str:
    """Write the option that helps."""
    return spell("ordered", True) if facts.key is None else spell("row_groups", facts.key)


def alike_effect(facts: RowFacts) -> str:
    """Say what that option does."""
    return "holds out stretches of rows" if facts.key is None else "holds them out together"


def _say_heavy(rows: tuple[HeavyRowFacts, ...]) -> str:
    """Name the rows that make up much of the variance.

    >>> _say_heavy((HeavyRowFacts(57, 0.08),))
    'The 57th row alone makes up 8.0% of the variance of the numbers as given: check it.'
    """
    shown = [f"the {_ordinal(row.row)} row {percent(row.share)}" for row in rows]
    first = f"the {_ordinal(rows[0].row)} row alone makes up {percent(rows[0].share)}"
    shown[0] = f"{first} of the variance of the numbers as given"
    text = ", ".join(shown)
    return f"{text[0].upper()}{text[1:]}: check {'it' if len(rows) == 1 else 'them'}."


def _ordinal(number: int) -> str:
    """Write a place.

    >>> [_ordinal(n) for n in (1, 22, 113, 1203)]
    ['1st', '22nd', '113th', '1,203rd']
    """
    ends = {1: "st", 2: "nd", 3: "rd"} if number // 10 % 10 != 1 else {}
    return f"{number:,}{ends.get(number % 10, 'th')}"


def kind_words(
    kinds: Sequence[str], kind_of: Sequence[int] | None
) -> tuple[list[str], list[int] | None]:
    """Give the words for kinds of columns, in order, and for each column which (None: the first).

    >>> kind_words(("categorical", "date", "numeric"), (0, 2, 1))
    (['dates or another type', 'numbers', 'text or categories'], [2, 1, 0])
    """
    said = [_KIND_WORDS.get(kind, _OTHER_KIND) for kind in kinds]
    words = sorted(set(said))
    place = [words.index(word) for word in said]
    if len(words) == 1 or kind_of is None:
        return words, None
    return words, [place[kind] for kind in kind_of]
