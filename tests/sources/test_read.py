"""A pass fills what it is given; what goes wrong on workers is one sentence."""

import numpy as np
import pandas as pd
import pytest
from tests.engines import FrameInParts

from tamis.errors import TamisError
from tamis.sources.frames import FrameSource
from tamis.sources.read import Accumulator, on_workers, read

JAVA = """An error occurred while calling o226.getResult.
: org.apache.spark.SparkException: Exception thrown in awaitResult:
\tat org.apache.spark.util.SparkThreadUtils$.awaitResult(SparkThreadUtils.scala:70)
"""
REASONS = {
    "its own words": (
        JAVA + "Caused by: x.SparkException: [FAILED_READ.GONE] The file is gone. SQLSTATE: 1",
        "The file is gone. SQLSTATE: 1",
    ),
    "the last cause": (
        JAVA + "Caused by: java.io.IOException: a disk\n\tat x\nCaused by: y.OtherError: is full\n",
        "is full",
    ),
    "the first line": ("nothing works\nat all", "nothing works"),
    "no words": ("", "RuntimeError"),
    "long words": ("Too long. " + "so " * 300, "Too long"),
}


class Total(Accumulator):
    """The sum of all values."""

    total = 0.0

    def add(self, rows):
        self.total += float(rows.sum())

    def merge(self, other):
        self.total += other.total
        return self


@pytest.mark.parametrize("cuts", [None, (3, 8)], ids=["here", "in parts"])
def test_a_pass_fills_the_accumulators_that_it_is_given(cuts):
    frame = pd.DataFrame(np.arange(20.0).reshape(10, 2), columns=["a", "b"])
    given = Total()
    (filled,) = read(FrameSource(frame) if cuts is None else FrameInParts(frame, cuts), [1], given)
    assert filled is given
    assert given.total == 100.0


@pytest.mark.parametrize(("text", "reason"), REASONS.values(), ids=REASONS)
def test_the_reason_is_found_among_pages_of_calls(text, reason):
    with pytest.raises(TamisError) as refusal, on_workers("Spark"):
        raise RuntimeError(text)
    sentence = f"Spark cannot compute the table ({reason}): fix the frame and run again."
    assert str(refusal.value) == sentence


def test_a_sentence_of_tamis_stays_what_it_is():
    with pytest.raises(TamisError, match=r"^Column 'a' is odd\.$"), on_workers("Dask"):
        raise TamisError("Column 'a' is odd.")
