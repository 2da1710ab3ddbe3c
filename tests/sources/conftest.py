"""What the tests of files share."""

import pytest

from tamis.sources import anndata, spreadsheet, studies


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read files in this process: another one takes up to a second to start."""
    for reader, work in (
        (anndata, anndata.describe_store),
        (spreadsheet, spreadsheet.write_sheet),
        (studies, studies.write_study),
    ):
        monkeypatch.setattr(reader, "run_apart", lambda _, given, __, work=work: work(*given))
