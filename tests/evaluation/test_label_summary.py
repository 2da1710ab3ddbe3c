import numpy as np

from tamis.evaluation.record import count_labels


def test_labels_are_counted_by_their_text_without_missing_ones():
    labels = np.array(["b", "a", None, "b", float("nan")], dtype=object)
    found = count_labels(labels, "kind", "classification", used=True)
    assert found.counts == {"a": 1, "b": 2}
    assert list(found.counts) == ["a", "b"]
    assert (found.column, found.used, found.given) == ("kind", True, None)


def test_numbers_that_no_two_rows_share_are_no_classes():
    for labels in (np.arange(21), np.linspace(0, 1, 15), [3, 9, 4, 1]):
        found = count_labels(labels, "y", "auto", used=False)
        assert found.task == "regression"
    for labels in ([3, 9, 3, 1], ["a", "b", "c"]):
        found = count_labels(labels, "y", "auto", used=False)
        assert found.task == "classification"


def test_equal_numbers_are_one_class_and_a_given_array_is_kept():
    labels = [0, 0.0, -0.0, 1]
    found = count_labels(labels, None, "classification", used=False, given=labels)
    assert sorted(found.counts.values()) == [1, 3]
    assert found.given.tolist() == labels
