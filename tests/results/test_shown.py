"""Tab completion teaches what a result can do: its documented names, and no others."""

import numpy as np
import pytest

import tamis

SELECTION = (
    "auto bound chance clusters constant curve dropped error explain held_out held_out_std "
    "included indices k kept missing names nested optimal plot ranking reconstruct "
    "relations report retained save scores second_opinion shortfall skipped stability substitutes "
    "to_dict to_frame transform tree widget"
)
EXTRACTION = (
    "columns components constant inverse_transform k loadings missing n_rows names note plot "
    "report separation shares skipped to_dict to_frame transform values"
)
COMPARISON = (
    "best constant frame missing names notes plot recommendation report skipped to_dict "
    "to_frame unsuitable"
)


def _public(found: object) -> list[str]:
    return sorted(name for name in dir(found) if not name.startswith("_"))


def test_a_selection_shows_its_documented_names(numbers) -> None:
    found = tamis.select(numbers, 2)
    assert _public(found) == SELECTION.split()
    assert _public(tamis.score(numbers, ["x0"])) == sorted(
        [*SELECTION.split(), "additions", "best", "swaps"]
    )


def test_an_extraction_and_a_comparison_do_too(numbers) -> None:
    assert _public(tamis.extract(numbers, 2)) == EXTRACTION.split()
    found = tamis.compare(numbers, ["sfs", "pfs"], k=2, criteria=["share"])
    assert _public(found) == COMPARISON.split()
    pairs = tamis.mutual_information(numbers)
    assert _public(pairs) == ["constant", "missing", "names", "skipped", "to_frame", "values"]


@pytest.mark.parametrize("make", [tamis.select, tamis.extract])
def test_every_name_that_is_shown_can_be_read(make, numbers) -> None:
    found = make(numbers, 2)
    for name in _public(found):
        getattr(found, name)
    assert not np.isnan(getattr(found, "bound", 0.0))
