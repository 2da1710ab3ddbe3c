"""Columns that others determine, as all views show them."""

from tamis.columns.relation import Relation
from tamis.facts.relation_answer import RelationFacts

__all__ = ["relation_facts"]


def relation_facts(found: Relation) -> RelationFacts:
    """Give what is known of one such column."""
    return RelationFacts(**vars(found))
