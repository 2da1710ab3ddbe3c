"""Results say which versions made them, also from a tree that was never installed."""

import importlib.metadata
import re
import tomllib
from importlib.metadata import PackageNotFoundError
from pathlib import Path

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
    found = tamis.select(numbers, 2, method="sfs")
    versions = found.to_dict()["repeat"]["versions"]
    assert versions["tamis"] == tamis.__version__
    assert versions["numpy"] == np.__version__
    path = tamis.summarise(numbers).save(tmp_path / "a.tamis")
    assert tamis.select(path, 2, method="sfs").names == found.names


@pytest.mark.usefixtures("uninstalled")
def test_a_package_is_found_whatever_its_module_is_called() -> None:
    assert version_of("scikit-learn") == importlib.metadata.version("scikit-learn")


def test_the_version_is_that_of_the_citation_and_of_the_newest_changes():
    root = Path(__file__).parents[1]
    cited = re.search(r"^version: (.+)$", (root / "CITATION.cff").read_text("utf-8"), re.M)
    newest = re.search(r"^## (.+)$", (root / "CHANGELOG.md").read_text("utf-8"), re.M)
    assert cited is not None
    assert newest is not None
    assert (cited[1], newest[1]) == (tamis.__version__, tamis.__version__)


def test_the_links_of_the_readme_lead_to_files_and_a_package_page_has_none():
    root = Path(__file__).parents[1]
    text = (root / "README.md").read_text("utf-8")
    links = re.findall(r"\]\(([^)]+)\)", text)
    assert [link for link in links if not (root / link).exists()] == []
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))
    hook = project["tool"]["hatch"]["metadata"]["hooks"]["fancy-pypi-readme"]
    for one in hook["substitutions"]:
        text = re.sub(one["pattern"], one["replacement"], text)
    assert re.findall(r"\]\(", text) == []
    assert "docs/_static" not in text
