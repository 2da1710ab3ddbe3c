"""A checked request: the one place that refuses a goal, an option or a setting."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self

from tamis import registry
from tamis.errors import TamisError, spelled, spelled_name
from tamis.registry.extraction import RULE
from tamis.registry.option import MEMORY, SKIP_CORRUPT

Columns = Sequence[str | int]


@dataclass(frozen=True, eq=False)
class Request:
    """What is requested of a table, with every default filled in.

    Of `k`, a number or a share of the columns, and `retain` at most one is set; neither for a
    method that stops at a threshold, which is one of its `own` options, where the `policy` decides
    or when `auto` says that a rule finds `k`. `least` is how many columns there must be to choose
    from, `k_name` and `include_name` what the caller calls `k` and `include`, `why` the reason for
    the method where the user named none.
    """

    method: registry.Method
    k: int | float | None
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
    policy: dict[str, Any] = field(default_factory=dict)
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
    memory: int | None = None
    skip_corrupt: bool = False

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
        memory: Any = None,
        skip_corrupt: Any = False,
    ) -> Self:
        """Check everything that can be checked without the table."""
        method = registry.get(method_id, kind)
        if checkpoint is not None and method.has("checkpoint"):
            options, checkpoint = {**(options or {}), "checkpoint": checkpoint}, None
        refine = registry.REFINE.check(refine)
        scaled = registry.check_shared(method, scale=scale, refine=refine, missing=missing)
        own = registry.check_options(method, options or {})
        task = registry.check_task(method, task)
        k, retain, own = registry.resolve_goal(method, k, retain, own, k_name=k_name)
        if refine is not False and own.get("redundancy") == "drop":
            raise TamisError(
                f"{spelled('refine', refine)} goes by the explained variance alone, and not by the "
                f"scores as {spelled('redundancy', 'drop')} does: omit one of them."
            )
        _check_swaps(refine, own)
        kernels = {option.name for option in method.options}
        held_out, stability = registry.check_repeats(method, held_out=held_out, stability=stability)
        auto = k == registry.AUTO
        _check_blocks(checkpoint, {k_name: k if auto else None}, held_out, stability)
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
            own={name: value for name, value in own.items() if name in kernels},
            policy={name: value for name, value in own.items() if name not in kernels},
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
            memory=MEMORY.check(memory),
            skip_corrupt=SKIP_CORRUPT.check(skip_corrupt),
        )

    @property
    def learns(self) -> bool:
        """Whether labels are needed: by the method, or by the policy."""
        return self.method.supervised or self.policy.get("policy") == "incremental"

    def sized(self, width: int) -> Self:
        """Turn a share of the columns into a number of them, at least 1."""
        if not isinstance(self.k, float):
            return self
        return replace(self, k=max(int(self.k * width), len(self.include), 1))

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
            **({"skip_corrupt": True} if self.skip_corrupt else {}),
            **({"held_out": True} if self.held_out else {}),
            **({"stability": True} if self.stability else {}),
            **own,
            **self._changed_policy,
        }

    @property
    def _changed_policy(self) -> dict[str, Any]:
        """What of the policy is not as usual."""
        usual = {option.name: option.default for option in self.method.taken}
        return {name: value for name, value in self.policy.items() if value != usual[name]}


def _check_blocks(
    checkpoint: Any, size: Mapping[str, Any], held_out: bool, stability: bool
) -> None:
    """Refuse a checkpoint of the rows where they are needed in blocks."""
    repeats = {**size, "held_out": held_out or None, "stability": stability or None}
    for name, value in repeats.items():
        if checkpoint is not None and value is not None:
            raise TamisError(
                f"{spelled('checkpoint', os.fspath(checkpoint))} and {spelled(name, value)}: a "
                "checkpoint keeps no blocks of rows; give one of them."
            )


def _check_swaps(refine: bool | str, own: Mapping[str, Any]) -> None:
    """Refuse swaps where they would undo what an option of the method asks for."""
    for name in ("forbid", "costs"):
        if refine is not False and own.get(name):
            raise TamisError(
                f"{spelled('refine', refine)} goes by the explained variance alone, and not by "
                f"{spelled_name(name)}: omit one of them."
            )
