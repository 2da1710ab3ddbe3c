"""Columns that others determine, as all views show them."""

from collections.abc import Collection, Iterable

from tamis.columns.relation import Relation
from tamis.facts.relation_answer import RelationFacts

__all__ = ["list_relations", "relation_facts"]


def relation_facts(found: Relation) -> RelationFacts:
    """Give what is known of one such column."""
    return RelationFacts(**vars(found))


def list_relations(
    found: Iterable[Relation], columns: Collection[str]
) -> tuple[RelationFacts, ...]:
    """Give those of which column and parts were all analysed."""
    there = set(columns)
    return tuple(relation_facts(one) for one in found if there >= {one.column, *one.parts})
