"""A checked request: the one place that refuses a goal, an option or a setting."""

import os
from collections.abc import Mapping
from dataclasses import field, replace
from typing import Any, Self

import numpy as np

from tamis import registry
from tamis.columns.judgement import NOT_JUDGED, TableJudgement
from tamis.errors import TamisError, spell, spell_name
from tamis.registry.method import ALL_LIMITS
from tamis.registry.missing_policy import USUAL_POLICY, MissingPolicy
from tamis.registry.shared import ROW_OPTIONS, SHARED, Columns, Scale, Shared
from tamis.values import dataclass

__all__ = ["Columns", "Request"]


@dataclass(frozen=True, kw_only=True, eq=False)
class Request(Shared):
    """What is requested of a table, with every default filled in.

    Of `k`, a number or a share of the columns, and `retain` at most one is set; neither for a
    method that stops at a threshold, which is one of its `own` options, where the `policy` decides
    or when `auto` says that a rule finds `k`. `least` is how many columns there must be to choose
    from, `k_name` and `include_name` what the caller calls `k` and `include`, `why` the reason for
    the method where the user named none, `judgement` what is known of the columns of the table
    (`run/front.py`), `NOT_JUDGED` before it was read.
    """

    method: registry.Method
    own: dict[str, Any]
    missing: MissingPolicy = USUAL_POLICY
    scale: Scale = Scale.STANDARD
    policy: dict[str, Any] = field(default_factory=dict)
    auto: bool = False
    least: int = 2
    k_name: str = "k"
    include_name: str = "include"
    why: str = ""
    judgement: TableJudgement = NOT_JUDGED

    @classmethod
    def of(
        cls,
        method_id: str,
        kind: registry.Kind = "selection",
        *,
        options: Mapping[str, Any] | None = None,
        least: int = 2,
        k_name: str = "k",
        include_name: str = "include",
        why: str = "",
        **asked: Any,
    ) -> Self:
        """Check everything that can be checked without the table.

        `asked` are options of the table of shared ones; those not given have their defaults.
        """
        method = registry.get(method_id, kind)
        own_file = method.has("checkpoint")  # the search has progress of its own to write
        checkpoint = None if own_file else asked.get("checkpoint")
        given = {**(options or {})}
        if own_file and asked.get("checkpoint") is not None:
            given["checkpoint"] = asked["checkpoint"]
        own = registry.check_options(method, given)
        goal = (asked.pop("k", None), asked.pop("retain", None))
        k, retain, own = registry.resolve_goal(method, *goal, own, k_name=k_name)
        values = {name: option.default for name, option in SHARED.items()}
        values |= {name: SHARED[name].check(value) for name, value in asked.items()}
        _check_together(values, method, own)
        kernels = {option.name for option in method.own_options}
        auto = isinstance(k, str)
        if own.get("together") and isinstance(k, str | float):
            raise TamisError(
                f"{spell(k_name, k)}: with {spell_name('together')} it counts groups; give a "
                "number of them."
            )
        _check_blocks(checkpoint, {k_name: k if auto else None}, values)
        scale = method.scale if values["scale"] is None else values["scale"]
        values |= {"k": None if auto else k, "retain": retain, "scale": Scale.of(scale)}
        values |= {"missing": MissingPolicy(values["missing"])}
        values |= {name: _as_array(values[name]) for name in ("row_groups", "weights")}
        values |= {"checkpoint": None if checkpoint is None else os.fspath(checkpoint)}
        return cls(
            **values,
            method=method,
            own={name: value for name, value in own.items() if name in kernels},
            policy={name: value for name, value in own.items() if name not in kernels},
            auto=auto,
            least=least,
            k_name=k_name,
            include_name=include_name,
            why=why,
        )

    @property
    def learns(self) -> bool:
        """Whether labels are needed: by the method, or by the policy."""
        supervised = self.method.supervised or self.explains_response
        return supervised or self.policy.get("policy") == "incremental"

    @property
    def judges(self) -> bool:
        """Whether the columns are given, to be judged: limits are then for better ones only."""
        return self.include_name == "columns"

    @property
    def explains_response(self) -> bool:
        """Whether a response is explained, alone or beside the columns."""
        return self.method.needs == "response" or self.own.get("y_weight") is not None

    def with_size(self, width: int) -> Self:
        """Turn a share of the columns into a number of them, at least 1."""
        if not isinstance(self.k, float):
            return self
        return replace(self, k=max(int(self.k * width), len(self.include), 1))

    @property
    def blocks(self) -> bool | None:
        """Whether the rows are needed in blocks; None if that is wanted where it is possible."""
        if self.auto or self.held_out or self.stability:
            return True
        wanted = self.held_out is None or self.own.get("shrink") == "auto"
        return None if self.method.mixed and wanted else False

    def settings(self, labels: str | list[str] | None = None) -> dict[str, Any]:
        """Give the settings that have a meaning for the method; `labels` names their column."""
        selects = self.method.kind == "selection"
        own = self.own if selects else {n: v for n, v in self.own.items() if v is not None}
        always = {
            "scale": self.method.scale is not None,
            "refine": selects and self.method.scale is not None,
            "rule": not selects and self.k is None,
            "missing": True,
        }
        values: dict[str, Any] = {} if labels is None else {"y": labels}
        for name, option in SHARED.items():
            if name in ("k", "retain", "y") or option.role != "answer":
                continue  # the goal stands apart, and labels are given by name
            value: Any = self.scale.asked if name == "scale" else getattr(self, name)
            given = bool(value) if option.default == () else value is not None
            given = given and (option.default in ((), None) or value != option.default)
            if always.get(name, given):
                values[name] = list(value) if option.kind in ("columns", "values") else value
        auto = {"k": registry.AUTO} if self.auto else {}
        return {**auto, **values, **own, **self._changed_policy}

    @property
    def _changed_policy(self) -> dict[str, Any]:
        """What of the policy is not as usual."""
        usual = {option.name: option.default for option in self.method.taken}
        return {name: value for name, value in self.policy.items() if value != usual[name]}


def _as_array(given: Any) -> Any:
    """Give values beside the table as an array; the name or position of a column stays so."""
    return given if given is None or isinstance(given, str | int) else np.asarray(given).ravel()


def _check_blocks(checkpoint: Any, size: Mapping[str, Any], asked: Mapping[str, Any]) -> None:
    """Refuse a checkpoint of the rows where they are needed in blocks."""
    repeats = {
        **size,
        "held_out": asked["held_out"] or None,
        "stability": asked["stability"] or None,
    }
    for name, value in repeats.items():
        if checkpoint is not None and value is not None:
            raise TamisError(
                f"{spell('checkpoint', os.fspath(checkpoint))} and {spell(name, value)}: a "
                "checkpoint keeps no blocks of rows; give one of them."
            )


def _check_removals(method: registry.Method, own: Mapping[str, Any]) -> None:
    """Refuse prices that would decide nothing, and a start of two columns within limits."""
    if own.get("costs") and own.get("budget") is None and method.takes_limits == "removing":
        raise TamisError(
            f"{spell('costs', own['costs'])}: method {method.id!r} removes columns whatever they "
            f"cost; give {spell_name('budget')}, or a method that adds columns, such as forward."
        )
    limits = [option.name for option in ALL_LIMITS if own.get(option.name) is not None]
    if own.get("start") == "pair" and limits:
        raise TamisError(
            f"{spell('start', 'pair')} and {spell_name(limits[0])}: the first two columns are "
            f"taken whatever the limits are; use {spell('start', 'column')}."
        )


def _check_row_options(
    asked: Mapping[str, Any], method: registry.Method, own: Mapping[str, Any]
) -> None:
    """Refuse groups, order or weights of rows where nothing could be done with them."""
    given = {option.name: asked[option.name] for option in ROW_OPTIONS}
    shown = {
        name: value if isinstance(value, str | int) else "an array"
        for name, value in given.items()
        if value is not None and value is not False
    }
    clashes = {"checkpoint": asked["checkpoint"]}
    if "weights" in shown:
        ranks, decides = own.get("kind") == "spearman", own.get("policy") == "incremental"
        clashes |= {"kind": "spearman" if ranks else None}
        clashes |= {"policy": "incremental" if decides else None}
    if MissingPolicy(asked["missing"]).pairs:
        clashes["missing"] = asked["missing"]
    for name, value in shown.items():
        method.check_resamples(name, value)
        for other, setting in clashes.items():
            if setting is not None:
                raise TamisError(
                    f"{spell(name, value)} and {spell(other, setting)} do not go together: give "
                    "one of them."
                )
    if {"row_groups", "ordered"} <= set(shown):
        raise TamisError(
            f"{spell('row_groups', shown['row_groups'])} and {spell('ordered', True)}: each says "
            "which rows are held out together; give one of them."
        )


def _check_together(
    asked: Mapping[str, Any], method: registry.Method, own: Mapping[str, Any]
) -> None:
    """Refuse what the method cannot do, and options that exclude each other."""
    refine = asked["refine"]
    both = [name for name in asked["categories"] if name in set(asked["numbers"])]
    if both:
        raise TamisError(
            f"{spell('categories', both[:1])} and {spell('numbers', both[:1])}: a column is "
            "taken as one of them, omit the other."
        )
    registry.check_shared(method, asked)
    _check_removals(method, own)
    if own.get("together") and refine == "exact":
        raise TamisError(
            f"{spell('refine', refine)} searches sets of single columns, and "
            f"{spell_name('together')} takes groups whole: use {spell('refine', True)}."
        )
    _check_row_options(asked, method, own)
    if refine is False:
        return
    if own.get("redundancy") == "drop":
        raise TamisError(
            f"{spell('refine', refine)} goes by the explained variance alone, and not by "
            f"the scores as {spell('redundancy', 'drop')} does: omit one of them."
        )
    if own.get("costs") and own.get("budget") is None:
        raise TamisError(
            f"{spell('refine', refine)} goes by the explained variance alone, and not by "
            f"{spell_name('costs')}: omit one of them, or give {spell_name('budget')}."
        )
    for name in ("importance", "y_weight") if refine == "exact" else ():
        if own.get(name) is not None:
            raise TamisError(
                f"{spell('refine', refine)} goes by the explained variance alone, and not "
                f"by {spell_name(name)}: omit one of them."
            )
