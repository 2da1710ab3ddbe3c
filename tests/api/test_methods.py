import pytest

import tamis
from tamis import registry
from tamis.errors import TamisError


def test_the_table_has_every_method_of_a_kind_and_shows_itself():
    found = tamis.methods("extraction")
    assert [one.id for one in found] == [one.id for one in registry.methods("extraction")]
    assert all(one.id in str(found) and one.id in found._repr_html_() for one in found)
    assert len(tamis.methods()) == len(registry.METHODS)


def test_an_unknown_method_is_refused_with_the_nearest():
    with pytest.raises(TamisError, match="did you mean 'sfs'"):
        registry.get("sfz")
