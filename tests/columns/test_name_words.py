import pytest

from tamis.columns.name_words import (
    names_area,
    names_codes,
    names_counter,
    names_identifier,
    names_label,
)


@pytest.mark.parametrize(
    "name", ["id", "customer_id", "CustomerID", "patientid", "ID_number", "uuid"]
)
def test_identifiers_are_known_by_their_names(name):
    assert names_identifier(name)


@pytest.mark.parametrize("name", ["paid", "grid", "humid", "width", "idea", "acid"])
def test_words_that_only_contain_the_letters_are_no_identifiers(name):
    assert not names_identifier(name)


@pytest.mark.parametrize(
    ("name", "yes"), [("index", True), ("row_no", True), ("price index", False)]
)
def test_running_numbers_are_known_by_their_names(name, yes):
    assert names_counter(name) is yes


@pytest.mark.parametrize(
    ("name", "values", "yes"),
    [
        ("target", 3, True),
        ("Label", 9, True),
        ("target_temperature", 3, False),
        ("default", 2, True),
    ],
)
def test_labels_are_known_by_a_name_alone_or_by_an_event_of_two_values(name, values, yes):
    assert names_label(name, values) is yes


def test_postal_codes_are_areas_and_codes_are_codes():
    assert names_area("Postal code")
    assert not names_area("zipper")
    assert names_codes("country_code")
    assert not names_codes("encoder")
