"""Columns that others determine, as all views show them."""

from tamis.columns.same_order import Relation
from tamis.facts.selection_answer import RelationFacts

__all__ = ["relation_facts"]


def relation_facts(found: Relation) -> RelationFacts:
    """Give what is known of one such column."""
    return RelationFacts(**vars(found))
