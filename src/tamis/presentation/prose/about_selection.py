"""What is said about a selection, or about a list of columns that was given."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from tamis.errors import as_term, spell, spell_name
from tamis.facts.selection_answer import (
    MOST_CARRIED,
    AutoFacts,
    DroppedColumn,
    LimitFacts,
    OpinionFacts,
    OverfitFacts,
    PredictionFacts,
    ScoreFacts,
    SelectionFacts,
)
from tamis.presentation.prose.words import Words, words_of
from tamis.presentation.prose.writing import (
    LONGEST,
    at_most,
    count_words,
    cut,
    is_worse,
    list_names,
    percent,
    plain,
)
from tamis.registry import get
from tamis.rules.pictures import MAX_CEILING, MOVED, WORSE
from tamis.rules.search import SAFE_SHARE

FIND_NUMBER = "finds a number that the rows support"  # what k="auto" does
_CATEGORIES = 4  # that are named for their levels
_ONLY_CHANCE = ", but nothing of the dropped ones above chance"
_CREDIT_IS_SHARED = (
    "Columns that correlate share their importance in a learner: a dropped column that the kept "
    "ones explain is redundant, not necessarily unrelated to the labels."
)


def selection_sentence(facts: SelectionFacts) -> str:
    """Say in one sentence what was found; in another that the shares are estimates, if so."""
    if facts.score is not None:
        return _score_sentence(facts, facts.score)
    k, auto = facts.k, facts.auto
    if k == facts.used and percent(facts.retained) == "100%":  # of a response it may be less
        return _say_all_kept(facts)
    text = f"Keep {k:,}{_say_interval(auto)} of {facts.used:,} columns: {_say_explained(facts)}."
    text += f" {facts.shortfall}" if facts.shortfall is not None else ""
    if facts.error is None:
        return text
    about = f"estimated from a sketch of the rows, to within {percent(facts.error)}"
    return f"{text} These shares are {about}."


def _say_interval(auto: AutoFacts | None) -> str:
    """Write the interval of the number that was found, where it is more than this number."""
    return "" if auto is None or auto.low == auto.high else f" ({auto.low:,}-{auto.high:,})"


def _say_all_kept(facts: SelectionFacts) -> str:
    """Say that nothing is dropped, and which column would be the first."""
    if facts.k == 1:
        return "Keep the only column that was analysed."
    text = "Keep both columns" if facts.k == 2 else f"Keep all {facts.k:,} columns"
    text += " that were analysed" if facts.used < facts.columns else ""
    text += _say_interval(facts.auto)
    if facts.shortfall is not None:
        return f"{text}. {facts.shortfall}"
    first = facts.first_to_drop
    if first is None:
        return f"{text}."
    least, goal = facts.without_first or 0.0, facts.goal
    where, here = ("", "") if first.new_rows is None else ("on new rows ", percent(first.share))
    figure = percent(first.share if first.new_rows is None else first.new_rows)
    explain = f"{where}the others explain {figure} of it"
    if first.new_rows is not None and is_worse(first.new_rows):
        explain = f"{where}the others are {WORSE} of it"
    if goal is not None and least >= goal:
        forbid = spell("forbid", [first.column])
        explain += f" and {percent(least)} of all columns; {forbid} drops it"
        return f"{text}. {first.column!r} could be dropped: {explain}."
    if goal is not None:
        text += f": nothing can be dropped at {100 * goal:g}%"
    these = f" ({here} on these rows)" if here else ""
    return f"{text}. The first to drop would be {first.column!r}: {explain}{these}."


def _say_explained(facts: SelectionFacts) -> str:
    they, verb = ("it", "explains") if facts.k == 1 else ("they", "explain")
    ceiling = "" if facts.shortfall is not None else _say_ceiling(facts)
    if _holds_differently(facts):
        return _say_on_new_rows(facts, they, f", where {ceiling}" if ceiling else "")
    text = f"{they} {verb} {percent(facts.retained)} {words_of(facts.measure).share}"
    asked = (
        facts.held_out is None and facts.measure == "variance" and "retain" in dict(facts.options)
    )
    text += " on these rows" if asked else ""  # a share was asked for, and this one decided
    joined = f"{', and' if facts.optimal else ';'} {ceiling}" if ceiling else ""
    return text + ("" if facts.beats_chance else _ONLY_CHANCE) + joined


def _holds_differently(facts: SelectionFacts) -> bool:
    """Say whether a share on held-out rows is known, and not just all, as where all is kept."""
    held = facts.held_out
    return held is not None and not (
        percent(held.share[facts.k - 1]) == percent(facts.retained) == "100%"
    )


def _say_on_new_rows(facts: SelectionFacts, they: str, rest: str) -> str:
    """Say what columns explain on held-out rows, then here, with `rest` behind it."""
    share = facts.held_out.share[facts.k - 1] if facts.held_out else 0.0
    verb, are = ("explains", "is") if facts.k == 1 else ("explain", "are")
    of = words_of(facts.measure).share
    here, limited = percent(facts.retained), _say_limited(facts, share)
    if is_worse(share):
        return f"on new rows {they} {are} {WORSE}{limited} ({here} {of} on these rows{rest})"
    said = f"on new rows {they} {verb} {percent(share)} {of}{limited}"
    return f"{said} ({here} on these rows{rest})"


def _say_limited(facts: SelectionFacts, share: float) -> str:
    """Say that extreme values are limited where the share of values as they are is another."""
    as_is = None if facts.clipped is None else facts.clipped.held_out_as_is
    if as_is is None or abs(share - as_is) <= MOVED:
        return ""
    other = WORSE if is_worse(as_is) else percent(as_is)
    return f" with extreme values limited, {other} with all values as they are"


def _say_ceiling(facts: SelectionFacts) -> str:
    """Say how much as many columns could explain of these rows.

    Nothing if all, or where the bound is too high to say anything of these columns.
    """
    sets = "single column" if facts.k == 1 else f"{facts.k:,} columns"
    if facts.optimal:
        within = " within the limits" if facts.limited else ""
        return f"no {sets}{within} could explain more (proven)"
    most = at_most(facts.bound) if facts.bound <= MAX_CEILING * facts.retained else ""
    return (
        "" if percent(facts.retained) == "100%" or not most else f"no {sets} could explain {most}"
    )


def _score_sentence(facts: SelectionFacts, score: ScoreFacts) -> str:
    k, single = facts.k, facts.k == 1
    listed = "the listed column" if single else f"the {k:,} listed columns"
    explain = "explains" if single else "explain"
    if set(facts.names) == set(score.best.names):
        other = "tamis finds none better"
    else:
        best = percent(score.best.retained)
        other = f"the best{'' if single else f' {k:,}'} that tamis finds {explain} {best}"
    ceiling = _say_ceiling(facts)
    other += f" and {ceiling}" if ceiling else ""
    if _holds_differently(facts):
        said = _say_on_new_rows(facts, listed, f", where {other}")
        return f"{said[0].upper()}{said[1:]}."
    share = f"{percent(facts.retained)} {words_of(facts.measure).share}"
    return f"{listed[0].upper()}{listed[1:]} {explain} {share}; {other}."


# Columns that a common rule keeps, one or several, and how they are spoken of again.
_BY_RULE = {
    "variance": (
        ("the column of largest variance", "that one"),
        ("the {:,} of largest variance", "those of largest variance"),
    ),
    "correlation": (
        ("the one that a correlation filter keeps", "that of the filter"),
        ("the {:,} that a correlation filter keeps", "those of the filter"),
    ),
}


def baselines_sentence(facts: SelectionFacts) -> str:
    """Say what as many columns explain on new rows that are chosen in the ways a user would try.

    Where the kept ones are not clearly better, that is said. Nothing where it was not measured.
    """
    held, k = facts.held_out, facts.k
    if held is None or held.random is None:
        return ""
    are, explain = ("is", "explains") if k == 1 else ("are", "explain")
    drawn = "a column drawn at random" if k == 1 else f"{k:,} columns drawn at random"
    worse = is_worse(held.random)
    figure = f"{are} {WORSE}" if worse else f"{explain} {percent(held.random)}"
    text = f"On new rows {drawn} {figure} (median of 20 draws)"
    equals = [] if held.beats_random else ["a random one" if k == 1 else "random ones"]
    shares = [] if held.beats_random else [held.random]
    if held.rule is not None and held.by_rule is not None:
        of, again = _BY_RULE[held.rule][k > 1]
        verb = "" if is_worse(held.by_rule) == worse == 0 else f"{explain} "
        figure = f"{are} {WORSE}" if is_worse(held.by_rule) else f"{verb}{percent(held.by_rule)}"
        text += f", {of.format(k)} {figure}"
        equals += [] if held.beats_rule else [again]
        shares += [] if held.beats_rule else [held.by_rule]
    if not equals:
        return f"{text}."
    kept = ("listed" if facts.score else "kept") + (" one is" if k == 1 else " ones are")
    share = held.share[k - 1]  # as it is printed: equal sets differ in the last bit
    more = any(one < share and percent(one) != percent(share) for one in shares)
    clearly = " clearly" if more else ""
    return f"{text}. The {kept} not{clearly} better than {'either' if equals[1:] else equals[0]}."


def order_sentence(facts: SelectionFacts) -> str:
    """Say in which order the kept columns are named; some may have been included by the user."""
    if facts.score is not None:
        return "In the order given."
    names, included, count = facts.names, facts.included, len(facts.included)
    if count and set(names[:count]) == set(included):
        others = ", then best first." if facts.best_first else ", then in the order of the method."
        return "The columns you included" + (others if count < len(names) else ".")
    if count:
        return "In the order of the method; columns you included are among them."
    return "Best first." if facts.best_first else "In the order they were selected."


def reasons_sentence(facts: SelectionFacts) -> str:
    """Count the reasons of dropped columns, or warn where a low score can have two."""
    rows = facts.dropped
    counts = Counter(row.reason for row in rows if row.reason)
    redundant, irrelevant = counts["redundant"], counts["irrelevant"]
    if not redundant + irrelevant:
        return _CREDIT_IS_SHARED if rows and get(facts.method.id).shares_credit else ""
    of = f"Of {len(rows):,} dropped columns" if len(rows) > 1 else "Of 1 dropped column"
    verb = "is" if redundant == 1 else "are"
    return (
        f"{of}, {redundant:,} {verb} redundant (explained by kept ones) and {irrelevant:,} "
        "irrelevant (low score)."
    )


def overfit_sentence(judged: OverfitFacts) -> str:
    """Say that a choice is overfitted, and which number of columns explains most.

    >>> from tamis.facts.selection_answer import PeakFacts
    >>> overfit_sentence(OverfitFacts(8, 0.9, 0.2, True, 0.1, PeakFacts(3, 0.4), None))
    'Overfitted: 90.0% on these rows. Most on new rows with 3 (40.0%); these 8 explain 20.0%.'
    >>> overfit_sentence(OverfitFacts(8, 0.9, 0.88, False, 0.1, PeakFacts(3, 0.89), None))
    'Most on new rows with 3 (89.0%); these 8 explain 88.0%.'
    """
    peak, worse = judged.peak, is_worse(judged.share)
    said = f"Overfitted: {percent(judged.retained)} on these rows"
    if peak is None:
        held = f"{WORSE} on new rows" if worse else f"{percent(judged.share)} on new rows"
        return f"{said}, {held}." if judged.overfitted else ""
    these = f"these {judged.k:,} {f'are {WORSE}' if worse else f'explain {percent(judged.share)}'}"
    enough = f"Most on new rows with {peak.k:,} ({percent(peak.share)}); {these}."
    return f"{said}. {enough}" if judged.overfitted else enough


def levels_sentence(facts: SelectionFacts) -> str:
    """Say which categories have rare levels that are pooled, and of which level weights are."""
    pooled = [
        f"{cut(one.column, LONGEST)} ({one.rare:,} of {one.levels or 0:,})"
        for one in facts.taken
        if one.rare > 1
    ]
    weighed = {name for row in facts.dropped for name in (row.column, *row.weights)}
    marked = [
        f"{cut(column, LONGEST)} = {cut(level, LONGEST)!r}"
        for column, level in facts.marked.items()
        if column in weighed and facts.weights_are == "coefficients"
    ]
    said = [f"Rare levels pooled into one: {list_names(pooled, _CATEGORIES)}."] if pooled else []
    said += [f"Weights are for {list_names(marked, _CATEGORIES)}."] if marked else []
    return " ".join(said) if facts.dropped else ""


def shrink_sentence(facts: SelectionFacts) -> str:
    """Say that the search shrinks, where it does, and who chose so."""
    if not facts.shrink:
        return ""
    more = ", larger for columns of heavy tails" if facts.shrink_by_tails else ""
    chosen = ", chosen on held-out rows" if facts.shrink_chosen else ", as given"
    return f"Ridge penalty {facts.shrink:g}{more}{chosen}."


def overfit_advice(judged: OverfitFacts) -> str:
    """Write the option that helps, if there is one."""
    return "" if judged.remedy is None else spell("k", judged.remedy)


def overfit_effect(judged: OverfitFacts) -> str:
    """Say what that option does."""
    return "" if judged.remedy is None else FIND_NUMBER


def overfit_text(judged: OverfitFacts | None) -> str:
    """Write the sentence and what helps; nothing where there is nothing to say."""
    if judged is None or not overfit_sentence(judged):
        return ""
    advice = f" {overfit_advice(judged)} {overfit_effect(judged)}." if judged.remedy else ""
    return f"{overfit_sentence(judged)}{advice}"


def is_by_chance(share: float, facts: SelectionFacts) -> bool:
    """Say whether a regression explains no more of a column than of an unrelated one.

    Shared information that is not above chance is dropped before it comes here.
    """
    return facts.measure == "variance" and 0 < share <= (facts.chance or 0.0)


def mostly_by(
    row: DroppedColumn,
    words: Words,
    name: Callable[[str], str] = plain,
    *,
    chance: bool = False,
    times: str = "x",
) -> str:
    """Write which kept columns explain a dropped one: with weights, or with shared information.

    >>> from tamis.presentation.prose.words import GROUPED_VARIANCE, INFORMATION, VARIANCE
    >>> row = DroppedColumn("bmi", 0.9, {"weight": 0.981, "height": -0.31}, 0.9, "")
    >>> mostly_by(row, VARIANCE)
    '0.98 x weight, -0.31 x height'
    >>> mostly_by(row, INFORMATION, chance=True)
    'no more than chance: weight (0.98), height (-0.31)'
    >>> mostly_by(row, GROUPED_VARIANCE)
    '98% by weight, -31% by height'
    >>> mostly_by(DroppedColumn("x", 1.0, {"2300": 1.0}, 1.0, ""), VARIANCE)
    '1.00 x "2300"'
    >>> mostly_by(DroppedColumn("x", 1.0, {"a": 1.0}, 0.12, ""), VARIANCE)
    '1.00 x a (this one alone: 12.0%)'
    """
    pattern = words.weight.replace(" x ", f" {times} ")
    named = [
        pattern.format(as_term(name(column)), weight)
        for column, weight in row.weights.items()
        if abs(weight) >= words.least
    ]
    said = ", ".join(named) or words.nothing
    if words.alone and named and row.carried < MOST_CARRIED * row.share:
        said += f" {words.alone[len(named) - 1].format(percent(row.carried))}"
    return f"no more than chance: {said}" if chance else said


def fates_sentence(facts: SelectionFacts) -> str:
    """Say how many of the dropped columns are safe to drop and how many are lost, if known."""
    counts = Counter(row.status for row in facts.dropped if row.status)
    if not counts:
        return ""
    limit = f"at least {SAFE_SHARE:.0%} explained on new rows, by a lower limit"
    said = [f"{counts['safe']:,} safe ({limit})"]
    said += [f"{counts['partly lost']:,} partly lost or not sure"] if counts["partly lost"] else []
    said += [f"{counts['lost']:,} lost"] if counts["lost"] else []
    return f"Dropped columns: {', '.join(said)}."


_MODELS = {
    "R²": "ridge regression",
    "AUC": "logistic regression",
    "accuracy": "logistic regression",
    "share explained": "a regression on indicators of its classes",
}


def prediction_sentence(facts: PredictionFacts) -> str:
    """Say how well the kept columns predict a response on held-out rows.

    >>> prediction_sentence(PredictionFacts("yield", "R²", 0.5, 0.06, 5, 176, False, 0.61))
    "Predicts 'yield' on held-out rows: R² 0.50 by ridge regression (SD 0.06 over 5 folds); ..."
    """
    what = "the response" if facts.response is None else repr(facts.response)
    again = ", columns selected again in each" if facts.selected_again else ""
    every = "" if facts.with_all is None else f"; {facts.with_all:.2f} with all columns"
    return (
        f"Predicts {what} on held-out rows: {facts.score} {facts.value:.2f} by "
        f"{_MODELS[facts.score]} (SD {facts.std:.2f} over {facts.folds} folds{again}){every}."
    )


MIN_HALF_SAMPLES = 0.1  # of the half-samples, for a column to be named as one of several
ALMOST_ALWAYS = 0.9  # of the half-samples: such a column is not one of several
MAX_STAND_INS = 6


def agreement_sentence(facts: SelectionFacts) -> str:
    """Say how much of what the kept columns explain the columns of a half explain."""
    stability = facts.stability
    if stability is None or stability.explained is None:
        return ""
    share = percent(stability.explained)
    these = "this column explains" if facts.k == 1 else f"these {facts.k:,} explain"
    return f"The columns found on half of the rows explain {share} of what {these}."


def interchangeable(facts: SelectionFacts) -> Iterator[tuple[float, list[tuple[str, str]]]]:
    """Give the sets of columns of which halves keep one: how often, and each with its share.

    Only columns that halves often keep another one for; in the order of the kept columns.
    """
    stability = facts.stability
    for column, others in (stability.stand_ins if stability else {}).items():
        named = {name: often for name, often in others.items() if often >= MIN_HALF_SAMPLES}
        if others.get(column, 0.0) < ALMOST_ALWAYS and len(named) > 1 and column in named:
            shown = list(named.items())[:MAX_STAND_INS]
            yield sum(often for _, often in shown), [(n, f"{often:.0%}") for n, often in shown]


_MAX_LIMITS = 5  # sentences on the costliest


def limit_lines(facts: SelectionFacts) -> list[str]:
    """Say what is taken whole and spent, and for every limit what it keeps out would add."""
    about = [sentence for sentence in (whole_sentence(facts), spent_sentence(facts)) if sentence]
    costly = sorted(facts.limits, key=lambda limit: -limit.gain)
    lines = [*about, *(limit_sentence(limit) for limit in costly[:_MAX_LIMITS])]
    if len(costly) > _MAX_LIMITS:
        rest = costly[_MAX_LIMITS:]
        lines.append(f"{len(rest)} other limits keep out less, {percent(rest[0].gain)} at most.")
    return ["", *lines] if lines else []


def limit_sentence(limit: LimitFacts) -> str:
    """Say what the best column that a limit keeps out would add.

    >>> limit_sentence(LimitFacts("at_most", "A", "a2", 0.012))
    "One more column of 'A' than at_most allows would add 1.2% (a2)."
    >>> limit_sentence(LimitFacts("at_least", "C", "x", 0.012))
    "One column fewer of 'C' than at_least asks for, and x instead, would add 1.2%."
    """
    option, gain = spell_name(limit.option), percent(limit.gain)
    if limit.option == "at_least":
        return (
            f"One column fewer of {limit.group!r} than {option} asks for, and {limit.column} "
            f"instead, would add {gain}."
        )
    if limit.group is not None:
        more = f"One more column of {limit.group!r} than {option} allows"
        return f"{more} would add {gain} ({limit.column})."
    return f"The best column that {option} keeps out would add {gain} ({limit.column})."


def whole_sentence(facts: SelectionFacts) -> str | None:
    """Name the groups that are taken whole, and say that the number to keep counts them.

    None where groups are not taken whole.
    """
    if facts.whole is None:
        return None
    groups = [f"{row.group} ({count_words(row.columns, 'column')})" for row in facts.whole.groups]
    if facts.whole.single:
        groups.append(f"{count_words(facts.whole.single, 'column')} in no group")
    return f"Taken whole: {', '.join(groups)}; {spell_name('k')} counts groups."


def spent_sentence(facts: SelectionFacts) -> str | None:
    """Say what the kept columns cost, of the budget; None without one."""
    if facts.spent is None:
        return None
    return f"The kept columns cost {facts.spent.cost:g} of {facts.spent.budget:g}."


def opinions_sentence(opinions: Sequence[OpinionFacts]) -> str:
    """Say whether trees find what a linear model does not; nothing where nobody asked.

    >>> opinions_sentence([OpinionFacts("x", 0.12, 0.97, True), OpinionFacts("y", 0.1, 0.1, False)])
    'Second opinion: trees predict x (97.0%, linear 12.0%) far better ...'
    >>> opinions_sentence([OpinionFacts("y", 0.88, 0.97, False)])
    'Second opinion: trees predict the dropped column little or no better than a linear model does.'
    """
    if not opinions:
        return ""
    better = sorted((row for row in opinions if row.clearly), key=lambda row: -row.trees)
    if not better:
        columns = f"{len(opinions):,} least explained columns"
        columns = "dropped column" if len(opinions) == 1 else columns
        than = "little or no better than a linear model does"
        return f"Second opinion: trees predict the {columns} {than}."
    said = [f"{row.column} ({percent(row.trees)}, linear {percent(row.linear)})" for row in better]
    return (
        f"Second opinion: trees predict {list_names(said, 4)} far better than a linear model, on "
        "rows that neither has seen: the kept columns say more of them than the shares above show."
    )
