"""A summary as text for a terminal."""

from typing import Any

from tamis.presentation.names import skipped


def summary_text(facts: dict[str, Any]) -> str:
    """Write what is in a summary, what was done about missing values, and what is not in it."""
    said = (facts["sentence"], facts["missing"]["sentence"], *facts["doubts"])
    lines = [line for line in said if line]
    return "\n".join([*lines, *skipped({"constant": [], **facts})])
