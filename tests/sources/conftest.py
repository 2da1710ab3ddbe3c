"""What the tests of files share."""

import pytest

from tamis.sources import anndata, sheet_rows, spreadsheet, stored_matrix, studies, study_rows


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read files in this process: another one takes up to a second to start."""
    for reader, work in (
        (anndata, stored_matrix.describe_store),
        (spreadsheet, sheet_rows.write_sheet),
        (studies, study_rows.write_study),
    ):
        monkeypatch.setattr(reader, "run_apart", lambda _, given, __, work=work: work(*given))
