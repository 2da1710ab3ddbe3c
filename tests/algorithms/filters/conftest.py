"""Real tables of categories with the class of every row, read in any number of batches."""

import numpy as np
import pytest
from tests.needs import NO_SHARED, SHARED

from tamis.sources.arrays import ArraySource


@pytest.fixture(params=["kr_vs_kp", "splice"])
def labelled(request):
    path = SHARED / "data" / f"{request.param}.npz"
    if not path.exists():
        pytest.skip(NO_SHARED)
    with np.load(path, allow_pickle=False) as archive:
        return archive["X"].astype(float), archive["y"]


@pytest.fixture(params=[1, 50])
def batches(request, monkeypatch):
    """Read every array in so many batches."""
    monkeypatch.setattr(
        ArraySource, "batches", lambda source, _: np.array_split(source.array, request.param)
    )
