"""What the documentation shows is what the code does."""

import importlib.util
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
GUIDE = (ROOT / "docs" / "guide.md").read_text(encoding="utf-8")
SUMMARIES = (ROOT / "docs" / "summaries.md").read_text(encoding="utf-8")
AUTO = (ROOT / "docs" / "auto.md").read_text(encoding="utf-8")


def load(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_generated_pages_are_up_to_date():
    for path, text in load(ROOT / "docs" / "build.py").files().items():
        assert path.read_text(encoding="utf-8") == text, f"run `make docs`: {path.name} is old"


def blocks(language, text=README):
    return re.findall(rf"```{language}\n(.*?)```", text, flags=re.DOTALL)


@pytest.mark.parametrize(
    "text",
    [README, GUIDE, AUTO, SUMMARIES],
    ids=["readme", "guide", "auto", "summaries"],
)
def test_python_examples_print_what_they_show(text, tmp_path, monkeypatch):
    import doctest

    monkeypatch.chdir(tmp_path)
    examples = [block for block in blocks("python", text) if ">>>" in block]
    assert examples
    names: dict[str, object] = {}
    for block in examples:
        test = doctest.DocTestParser().get_doctest(block, names, "README", "README.md", 0)
        runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
        runner.run(test, clear_globs=False)
        names = test.globs
        assert runner.failures == 0


def test_every_file_that_contributing_names_exists():
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`((?!tests/)(?:\w+/)*(?:\w+/|[\w.]+\.(?:py|md|j2)))`", text))
    there = {f"/{path.relative_to(ROOT).as_posix()}" for path in ROOT.glob("[!.]*/**/*.*")}
    lost = {n for n in named if not any(f"/{n}" in path for path in there)}
    assert len(named) > 30
    assert not lost


def test_console_examples_of_the_readme_print_what_they_show(tmp_path):
    shown = 0
    for block in blocks("console"):
        command, _, expected = block.removeprefix("$ ").partition("\n")
        run = subprocess.run(
            [sys.executable, "-c", "from tamis.cli import main; main()", *shlex.split(command)[1:]],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=True,
        )
        assert re.sub(r"Wrote .*/", "Wrote ", run.stdout).strip() == expected.strip()
        shown += 1
    assert shown


@pytest.mark.slow
@pytest.mark.parametrize("path", sorted((ROOT / "examples").glob("*.py")), ids=lambda p: p.stem)
def test_example_runs(path, tmp_path):
    run = subprocess.run(
        [sys.executable, str(path)], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout.strip()
