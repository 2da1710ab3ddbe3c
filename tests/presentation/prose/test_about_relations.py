from tamis.facts.shared_answer import RelationFacts
from tamis.presentation.prose.about_relations import relation_equation


def test_a_difference_begins_with_what_is_taken_from() -> None:
    late = RelationFacts("rest", "linear", {"paid": -1.0, "due": 1.0, "fee": 1.0})
    assert relation_equation(late).endswith("due + fee - paid")
    assert relation_equation(RelationFacts("r", "linear", {"q": -1.0}, 6.0)).endswith("6 - q")
    below = RelationFacts("r", "linear", {"a": -1.0, "b": -1.0})
    assert relation_equation(below).endswith("-a - b")
