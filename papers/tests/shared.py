"""What lies beside the project and is no part of it: tables and printed figures of the papers."""

from pathlib import Path

import pytest
from tests.needs import NO_SHARED, SHARED

from tamis_papers.laboratory.protocol import Table
from tamis_papers.laboratory.tables import find_tables


def find_shared(name: str) -> Path:
    """Give a file or folder of ../shared, or skip the test and say which one it needs."""
    path = SHARED / name
    if not path.exists():
        pytest.skip(NO_SHARED)
    return path


def load_shared(name: str) -> Table:
    """Give a table of ../shared/data, or skip the test."""
    return find_tables([name], find_shared(f"data/{name}.npz").parent).tables[name]
