"""Real tables of categories with the class of every row, read in any number of batches."""

from pathlib import Path

import numpy as np
import pytest

from tamis.sources.arrays import ArraySource

SHARED = Path(__file__).parents[4] / "shared" / "data"


@pytest.fixture(params=["kr_vs_kp", "splice"])
def labelled(request):
    path = SHARED / f"{request.param}.npz"
    if not path.exists():
        pytest.skip(f"{request.param}: the data folder ../shared/data is not here")
    with np.load(path, allow_pickle=False) as archive:
        return archive["X"].astype(float), archive["y"]


@pytest.fixture(params=[1, 50])
def batches(request, monkeypatch):
    """Read every array in so many batches."""
    monkeypatch.setattr(
        ArraySource, "batches", lambda source, _: np.array_split(source.array, request.param)
    )
