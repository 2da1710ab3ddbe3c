import pytest

from tamis.errors import TamisError
from tamis.memory import check_room, limit_memory


def test_what_fits_is_let_through_and_more_is_refused_with_twice_the_size():
    with limit_memory(10 << 20):
        check_room(10 << 20, "The file")
        with pytest.raises(TamisError, match=r"11MB.*10MB.*22MB"):
            check_room(11 << 20, "The file")
