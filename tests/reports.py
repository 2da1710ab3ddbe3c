"""What a report of a selection is made of, for tests that change a part of it."""

from dataclasses import dataclass, fields, replace
from typing import Any

import tamis
from tamis.facts.explorer import ExplorerFacts
from tamis.facts.selection_answer import SelectionFacts
from tamis.presentation.page.selection import render
from tamis.results.selection_facts import selection_facts
from tamis.results.slider_facts import slider_facts


@dataclass(frozen=True)
class Report:
    """The answer, and what the page shows beyond it."""

    facts: SelectionFacts
    explorer: ExplorerFacts

    def render(self) -> str:
        return render(self.facts, self.explorer)

    def change(self, **changes: Any) -> "Report":
        """Replace parts, wherever they are; a part of both in both."""
        parts = [
            replace(part, **{f.name: changes[f.name] for f in fields(part) if f.name in changes})
            for part in (self.facts, self.explorer)
        ]
        return Report(*parts)


def report_of(found: tamis.Selection, **options: bool) -> Report:
    """Give what the report of this selection is made of."""
    return Report(selection_facts(found), slider_facts(found, **options))
