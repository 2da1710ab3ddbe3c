"""What goes wrong on the workers of an engine is one sentence."""

import pytest

from tamis.errors import TamisError
from tamis.sources.read import on_workers

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


@pytest.mark.parametrize(("text", "reason"), REASONS.values(), ids=REASONS)
def test_the_reason_is_found_among_pages_of_calls(text, reason):
    with pytest.raises(TamisError) as refusal, on_workers("Spark"):
        raise RuntimeError(text)
    sentence = f"Spark cannot compute the table ({reason}): fix the frame and run again."
    assert str(refusal.value) == sentence


def test_a_sentence_of_tamis_stays_what_it_is():
    with pytest.raises(TamisError, match=r"^Column 'a' is odd\.$"), on_workers("Dask"):
        raise TamisError("Column 'a' is odd.")
