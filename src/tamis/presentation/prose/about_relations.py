"""What is said about columns that others determine."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from math import isclose, log
from operator import itemgetter

from tamis.errors import as_term
from tamis.facts.shared_answer import RelationFacts
from tamis.presentation.prose.writing import plain

MAX_RELATIONS = 8  # columns that others determine
MAX_TERMS = 6  # of a sum; of a longer one the first three and the last are shown
_LOGARITHMS = {"log10": 1 / log(10), "log2": 1 / log(2)}
_WORDS = {
    "log": "log({})",
    "log1p": "log(1 + {})",
    "root": "square root of {}",
    "reciprocal": "1 / {}",
}


def relation_text(relation: RelationFacts, name: Callable[[str], str] = plain) -> str:
    """Say what a column is of others.

    >>> relation_text(RelationFacts("again", "linear", {"age": 1.0}))
    'copy of age'
    >>> relation_text(RelationFacts("F", "linear", {"C": 1.8}, 32.0))
    '1.8 x C + 32'
    >>> relation_text(RelationFacts("total", "linear", dict.fromkeys(["a", "b", "c"], 1.0)))
    'a + b + c'
    >>> mean = RelationFacts("mean", "linear", {"a": 0.5, "b": 0.5}, rounded=True)
    >>> relation_text(replace(mean, sampled=True, rows=2000))
    '(a + b) / 2, rounded (in 2,000 sampled rows)'
    >>> relation_text(replace(mean, rounded=False, exceptions=2, rows=90))
    '(a + b) / 2 (but for 2 of 90 rows)'
    >>> relation_text(RelationFacts("place", "rank", {"score": -1.0}, within="year"))
    'rank of score within year, largest first'
    """
    rows = f"{relation.rows:,}{' sampled' if relation.sampled else ''} rows"
    sample = f" (in {rows})" if relation.sampled else ""
    if relation.exceptions:
        sample = f" (but for {relation.exceptions:,} of {rows})"
    return f"{_describe(relation, name)}{', rounded' if relation.rounded else ''}{sample}"


def relation_equation(relation: RelationFacts, name: Callable[[str], str] = plain) -> str:
    """Say it as an equation, or as a sentence where it is none.

    >>> relation_equation(RelationFacts("total", "linear", {"a": 1.0, "b": -1.0}))
    'total = a - b'
    >>> relation_equation(RelationFacts("again", "linear", {"age": 1.0}))
    'again is a copy of age'
    """
    text, column = relation_text(relation, name), name(relation.column)
    if relation.is_copy:
        return f"{column} is a {text}"
    if relation.form == "order":
        return f"{column} {text}"
    if relation.form == "codes":
        return f"{column} has the {text}"
    if relation.form == "rank":
        return f"{column} is the {text}" if not relation.nearly else f"{column} is {text}"
    return f"{column} = {text}"


def relation_reasons(relations: Iterable[RelationFacts], kept: Collection[str]) -> dict[str, str]:
    """Say of columns that are not kept what they are of others, or what a kept one is of them.

    >>> total = RelationFacts("total", "linear", {"a": 1.0, "b": 1.0})
    >>> relation_reasons([total], kept=["a", "b"])
    {'total': '= a + b'}
    >>> relation_reasons([total], kept=["total", "b"])
    {'a': 'total = a + b'}
    >>> relation_reasons([RelationFacts("again", "linear", {"a": 1.0})], kept=["again"])
    {'a': 'copy of again'}
    """
    reasons: dict[str, str] = {}
    for relation in relations:
        if relation.column not in kept:
            equals = "= " if relation.form == "linear" and not relation.is_copy else ""
            reasons[relation.column] = f"{equals}{relation_text(relation)}"
            continue
        for part in relation.parts:
            if part not in kept:
                back = replace(relation, column=part, parts={relation.column: 1.0})
                said = relation_text(back) if relation.is_copy else relation_equation(relation)
                reasons.setdefault(part, said)
    return reasons


def list_made(
    relations: Sequence[RelationFacts],
    name: Callable[[str], str] = plain,
    most: int = MAX_RELATIONS,
) -> list[str]:
    """List the columns that others determine, sums first, copies of the same column together.

    >>> twice = [RelationFacts(name, "linear", {"a": 1.0}) for name in ("b", "c")]
    >>> list_made([*twice, RelationFacts("d", "linear", {"a": 2.0})])
    ['b, c are copies of a', 'd = 2 x a']
    """
    copies: dict[str, list[str]] = {}
    for relation in relations:
        if relation.is_copy:
            copies.setdefault(next(iter(relation.parts)), []).append(relation.column)
    lines, done = [], set()
    for relation in sorted(relations, key=lambda relation: -len(relation.parts)):
        original = next(iter(relation.parts))
        if not relation.is_copy or len(copies[original]) == 1:
            lines.append(relation_equation(relation, name))
        elif original not in done:
            done.add(original)
            shown = ", ".join(map(name, copies[original][:MAX_TERMS]))
            more = len(copies[original]) - MAX_TERMS
            shown += f" and {more:,} more" if more > 0 else ""
            lines.append(f"{shown} are copies of {as_term(name(original))}")
    rest = len(lines) - most
    return [*lines[:most], f"... and {rest:,} more"] if rest > 0 else lines


def _describe(relation: RelationFacts, name: Callable[[str], str]) -> str:
    first, weight = next(iter(relation.parts.items()))
    term = as_term(name(first))
    match relation.form:
        case "linear":
            return f"copy of {term}" if relation.is_copy else _write_sum(relation, name)
        case "order":
            return f"{'rises' if weight > 0 else 'falls'} whenever {term} rises"
        case "rank":
            where = f" within {as_term(name(relation.within))}" if relation.within else ""
            ends = "" if weight > 0 else ", largest first"
            return f"{'nearly the ' if relation.nearly else ''}rank of {term}{where}{ends}"
        case "codes":
            return f"same categories as {term}, named otherwise"
    made = _WORDS[relation.form].format(term)
    if weight != 1.0:
        made = f"{_short(weight)} x {made}"
    words = [word for word, size in _LOGARITHMS.items() if abs(weight - size) < 1e-9]
    if relation.form in ("log", "log1p") and words:
        made = f"{words[0]}({term if relation.form == 'log' else f'1 + {term}'})"
    return f"{made}{_write_constant(relation.constant)}"


def _write_sum(relation: RelationFacts, name: Callable[[str], str]) -> str:
    """Write a sum, a difference, a mean, or one with weights."""
    weights = list(relation.parts.values())
    size, count = abs(weights[0]), round(1 / abs(weights[0])) if weights[0] else 0
    equal = all(abs(weight) == size for weight in weights)
    mean = equal and size < 1.0 and len(weights) > 1 and abs(size * count - 1) < 1e-9
    terms = []
    for part, weight in relation.parts.items():
        terms.append((weight < 0, as_term(name(part)) if mean else _weigh(weight, name(part))))
    if not relation.constant:
        terms.sort(key=itemgetter(0))  # b - a reads better than -a + b
    if relation.constant and terms[0][0] and not mean:  # 6 - a reads better than -a + 6
        text = _short(relation.constant) + "".join(_join(terms, first=False))
        return text
    text = "".join(_join(terms, first=True))
    if mean:
        text = f"({text}) / {count}"
    return f"{text}{_write_constant(relation.constant)}"


def _weigh(weight: float, part: str) -> str:
    """Write a column with its weight, as a quotient where that has the shorter number.

    >>> _weigh(1 / 2.54, "cm"), _weigh(0.5, "cm"), _weigh(-1.0, "cm")
    ('cm / 2.54', '0.5 x cm', 'cm')
    """
    size, term = abs(weight), as_term(part)
    if size == 1.0:
        return term
    by, times = _short(1 / size) if size else "", _short(size)
    return f"{term} / {by}" if 0 < len(by) < len(times) - 3 else f"{times} x {term}"


def _join(terms: list[tuple[bool, str]], *, first: bool) -> list[str]:
    """Put signs between terms; of many the first three and the last are written."""
    dots = (all(minus for minus, _ in terms[3:-1]), "...")
    shown = terms if len(terms) <= MAX_TERMS else [*terms[:3], dots, terms[-1]]
    written = [f" {'-' if minus else '+'} {text}" for minus, text in shown]
    if first:
        minus, text = shown[0]
        written[0] = f"{'-' if minus else ''}{text}"
    return written


def _write_constant(constant: float) -> str:
    if not constant:
        return ""
    return f" {'-' if constant < 0 else '+'} {_short(abs(constant))}"


def _short(number: float) -> str:
    """Write a coefficient with all digits that the equation needs to hold.

    >>> _short(1_234_567.25), _short(0.1 + 0.2), _short(1 / 7)
    ('1234567.25', '0.3', '0.14285714285714285')
    """
    text = f"{number:.12g}"
    return text if isclose(float(text), number, rel_tol=1e-15, abs_tol=0.0) else repr(number)
