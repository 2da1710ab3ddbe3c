"""Messages, docstrings and pages use the words of the field."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCES = (ROOT / "src" / "tamis", ROOT / "papers" / "src")
READ = {".py", ".j2", ".js"}

PAGES = (
    "README.md",
    "CONTRIBUTING.md",
    "papers/README.md",
    "docs/*.md",
    "docs/[!_]*/*.md",
    "docs/*.py",
    "docs/ext/*.py",
    "examples/*.py",
)

# The phrase as a pattern, what to write, and a sentence in which it must be found.
PHRASES = [
    (r"same spread|unit spread", "standardise", "Bring the columns to the same spread."),
    (r"\bt(old|ells?|elling)\b", "explain, separate, say", "They tell 49.4% of the information."),
    (r"\b(left|lea(ve|ves|ving)) (it |them |the \w+ )?out\b", "skip, drop, omit", "Left out: age."),
    (r"\bt(ook|akes?|aking) (no )?part\b", "analysed, not analysed", "Columns that took no part."),
    (r"\bplays? no part\b", "does not matter", "The order plays no part."),
    (r"\bgaps\b", "missing values", "Columns with gaps."),
    (r"\bwhole (numbers?|rows?|tables?)\b", "integer; full", "Give a whole number."),
    (r"\blikeness\b", "similarity", "The likeness of two columns."),
    (r"\bgone\b|\bwent by\b", "removed", "The first gone first."),
    (r"\bcan go\b|\bmay go\b|\bmost columns go\b", "removed, dropped", "Why the others can go."),
    (r"\bstill there\b", "remaining", "The columns still there."),
    (r"\blook(s|ed|ing)? at\b", "analyse, compare", "The only columns to look at."),
    (r"\bdirections? to find\b|\bnew directions\b", "components", "Build a few new directions."),
    (r"\bon (the|two|its) directions\b", "scores", "The rows on two directions."),
    (r"\bsets? (\w+ )*apart\b", "separate", "What sets the classes apart."),
    (
        r"\bcorrelate too much\b|\bstands? best\b",
        "representative",
        "Columns that correlate too much.",
    ),
    (r"\bmend\b", "fix", "Mend that line."),
    (r"\btable tamis reads\b", "unsupported file type", "It is no table tamis reads."),
    (r"\bneither numbers nor categories\b", "not supported yet", "Neither numbers nor categories."),
    (r"\balmost an identifier\b", "looks like an identifier", "It is almost an identifier."),
    (r"\breads like\b", "say it plainly", "Its order reads like one."),
    (r"\bthe asked\b|\basked:", "your choice", "The asked choice."),
    (r"\bfar from perfect\b|\baway from perfect\b", "below the optimum", "How far from perfect."),
    (r"\breport to look\b|\bword .fast.", "HTML report; benchmarks", 'Behind the word "fast".'),
    (r"\blists what there is\b", "see `tamis select --help`", "'--help' lists what there is."),
    (r"\b[Ii]dentifiers or keys\b", "skipped as identifiers", "Skipped as identifiers or keys."),
    (
        r"\bless than nothing\b|\bworse than the mean\b",
        "worse than predicting the mean",
        "Less than nothing.",
    ),
    (r"\bbeyond itself\b", "explains enough of the others", "It says little beyond itself."),
    (r"\btaken as noisy\b", "ridge penalty", "Columns are taken as noisy (shrinkage 10)."),
    (
        r"\bcarries [\d.]+% of the variance\b",
        "makes up",
        "Row 172 carries 22.4% of the variance.",
    ),
    (
        r"\bbeside what was measured\b",
        "not a measurement",
        "It describes the rows, beside what was measured.",
    ),
    (r"\bweights in SD\b", "change in SD per SD", "Mostly by (weights in SD)."),
    (r"\bplease check\b", "1 thing to check", "Please check 1 point."),
    (r"\bwhat is odd\b|[\"']odd[\"',;] ?done", "unusual values", "What is odd, what is done."),
    (
        r"\banswers only where\b",
        "this table needs the command-line program",
        "It answers only where it can.",
    ),
    (r"^(do|give|say) the same\b(?! (table|rows))", "say what is done", "Do the same for rows."),
    (r"\bpapers? 00\d\b|\bthe survey\b|\b(the|method) card\b", "the authors", "Paper 000, 003."),
]
FOUND = [re.compile(pattern, re.IGNORECASE) for pattern, _, _ in PHRASES]

# Where a word is right.
ALLOWED = {
    ("src/tamis/numerics", "gaps"),  # between eigenvalues
    ("src/tamis/evaluation/held_out.py", "gaps"),  # between values
    ("docs/api/index.md", "tell"),  # a function of tamis.progress
}


def literals(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield every text of a module with its line: messages and docstrings."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value


def texts(trees: dict[Path, ast.Module]) -> Iterator[tuple[str, int, str]]:
    """Yield all that a user can read (messages, help, templates, pages): file, line and text."""
    every = [path for source in SOURCES for path in sorted(source.rglob("*.*"))]
    sources = [path for path in every if path.suffix in READ]
    for path in [*sources, *(path for page in PAGES for path in sorted(ROOT.glob(page)))]:
        text = path.read_text(encoding="utf-8")
        tree = trees.get(path) or (ast.parse(text) if path.suffix == ".py" else None)
        parts = [(1, text)] if tree is None else literals(tree)
        yield from ((str(path.relative_to(ROOT)), *part) for part in parts)


def worn(file: str, first: int, text: str) -> Iterator[str]:
    """Say where a text has a phrase of the list, and what to write."""
    for pattern, (_, instead, _) in zip(FOUND, PHRASES, strict=True):
        for hit in pattern.finditer(text):
            if not any(file.startswith(a) and hit[0].lower() == word for a, word in ALLOWED):
                line = first + text.count("\n", 0, hit.start())
                yield f"{file}:{line}: {hit[0]!r}, write: {instead}"


@pytest.mark.parametrize(("pattern", "instead", "example"), PHRASES, ids=[p for p, _, _ in PHRASES])
def test_the_list_finds_its_own_examples_and_not_the_advice(pattern, instead, example):
    assert re.search(pattern, example, re.IGNORECASE)
    assert not re.search(pattern, instead, re.IGNORECASE)


def test_nothing_a_user_reads_has_a_worn_phrase(trees):
    found = [line for part in texts(trees) for line in worn(*part)]
    assert not found, "\n" + "\n".join(found)
