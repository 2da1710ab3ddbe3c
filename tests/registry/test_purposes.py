import pytest

from tamis import registry
from tamis.registry.purposes import START_HERE, group_methods, name_purpose


def test_every_method_has_one_purpose_and_selection_comes_before_extraction():
    groups = group_methods(registry.methods())
    assert sorted(m.id for group in groups.values() for m in group) == sorted(
        m.id for m in registry.methods()
    )
    kinds = [{m.kind for m in group} for group in groups.values()]
    assert all(len(kind) == 1 for kind in kinds)
    assert kinds[-1] == kinds[-2] == {"extraction"}


@pytest.mark.parametrize("method", registry.methods(), ids=lambda method: method.id)
def test_a_method_that_needs_labels_is_listed_with_those_that_predict_them(method):
    assert any(word in name_purpose(method) for word in ("labels", "classes")) == method.supervised


def test_the_list_begins_with_methods_that_exist():
    assert all(registry.get(one, None) for one in START_HERE)
