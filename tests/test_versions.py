"""Results say which versions made them, also from a tree that was never installed."""

import importlib.metadata
from importlib.metadata import PackageNotFoundError

import numpy as np
import pytest

import tamis
from tamis.versions import version_of


@pytest.fixture
def uninstalled(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(name: str) -> str:
        raise PackageNotFoundError(name)

    monkeypatch.setattr("tamis.versions.version", fail)


@pytest.mark.usefixtures("uninstalled")
def test_results_of_a_tree_that_is_not_installed_have_versions(tmp_path, numbers) -> None:
    found = tamis.select(numbers, 2)
    versions = found.to_dict()["repeat"]["versions"]
    assert versions["tamis"] == tamis.__version__
    assert versions["numpy"] == np.__version__
    path = tamis.summarise(numbers).save(tmp_path / "a.tamis")
    assert tamis.select(path, 2).names == found.names


@pytest.mark.usefixtures("uninstalled")
def test_a_package_is_found_whatever_its_module_is_called() -> None:
    assert version_of("scikit-learn") == importlib.metadata.version("scikit-learn")
