"""A checked request: the one place that refuses a goal, an option or a setting."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from tamis import registry
from tamis.registry.extraction import RULE

Columns = Sequence[str | int]


@dataclass(frozen=True, eq=False)
class Request:
    """What is requested of a table, with every default filled in.

    Of `k` and `retain` at most one is set; neither for a method that stops at a threshold, which is
    one of its `own` options, nor when `auto` says that a rule finds `k`. `least` is how many
    columns there must be to choose from, `k_name` and `include_name` what the caller calls `k` and
    `include`, `why` the reason for the method where the user named none.
    """

    method: registry.Method
    k: int | None
    retain: float | None
    rule: str
    columns: Columns | None
    include: Columns
    exclude: Columns
    categories: Columns
    numbers: Columns
    scale: bool
    refine: bool | str
    missing: str
    own: dict[str, Any]
    y: Any = None
    task: str = "classification"
    least: int = 2
    k_name: str = "k"
    checkpoint: str | None = None
    include_name: str = "include"
    why: str = ""
    auto: bool = False
    held_out: bool = False
    stability: bool = False

    @classmethod
    def of(
        cls,
        method_id: str,
        kind: registry.Kind = "selection",
        *,
        k: Any = None,
        retain: Any = None,
        rule: Any = RULE.default,
        columns: Any = None,
        include: Any = (),
        exclude: Any = (),
        categories: Any = (),
        numbers: Any = (),
        scale: Any = None,
        refine: Any = False,
        missing: Any = "error",
        options: Mapping[str, Any] | None = None,
        y: Any = None,
        task: Any = "auto",
        least: int = 2,
        k_name: str = "k",
        checkpoint: Any = None,
        include_name: str = "include",
        why: str = "",
        held_out: Any = False,
        stability: Any = False,
    ) -> Self:
        """Check everything that can be checked without the table."""
        method = registry.get(method_id, kind)
        refine = registry.REFINE.check(refine)
        scaled = registry.check_shared(method, scale=scale, refine=refine, missing=missing)
        own = registry.check_options(method, options or {})
        task = registry.check_task(method, task)
        k, retain, own = registry.resolve_goal(method, k, retain, own, k_name=k_name)
        held_out, stability = registry.check_repeats(method, held_out=held_out, stability=stability)
        auto = k == registry.AUTO
        return cls(
            method=method,
            k=None if auto else k,
            retain=retain,
            rule=RULE.check(rule),
            columns=registry.COLUMNS.check(columns),
            include=registry.INCLUDE.check(include),
            exclude=registry.EXCLUDE.check(exclude),
            categories=registry.CATEGORIES.check(categories),
            numbers=registry.NUMBERS.check(numbers),
            scale=scaled,
            refine=refine,
            missing=missing,
            own=own,
            y=y,
            task=task,
            least=least,
            k_name=k_name,
            checkpoint=None if checkpoint is None else os.fspath(checkpoint),
            include_name=include_name,
            why=why,
            auto=auto,
            held_out=held_out,
            stability=stability,
        )

    @property
    def blocks(self) -> bool:
        """Whether the search is repeated on parts of the rows."""
        return self.auto or self.held_out or self.stability

    def settings(self, labels: str | None = None) -> dict[str, Any]:
        """Give the settings that have a meaning for the method; `labels` names their column."""
        selects = self.method.kind == "selection"
        own = self.own if selects else {n: v for n, v in self.own.items() if v is not None}
        return {
            **({"k": registry.AUTO} if self.auto else {}),
            **({"y": labels} if labels is not None else {}),
            **({"task": self.task} if self.task == "regression" else {}),
            **({"include": list(self.include)} if self.include else {}),
            **({"exclude": list(self.exclude)} if self.exclude else {}),
            **({"categories": list(self.categories)} if self.categories else {}),
            **({"numbers": list(self.numbers)} if self.numbers else {}),
            **({"columns": list(self.columns)} if self.columns is not None else {}),
            **({} if self.method.scale is None else {"scale": self.scale}),
            **({"refine": self.refine} if selects and self.method.scale is not None else {}),
            **({"rule": self.rule} if not selects and self.k is None else {}),
            "missing": self.missing,
            **({"held_out": True} if self.held_out else {}),
            **({"stability": True} if self.stability else {}),
            **own,
        }
