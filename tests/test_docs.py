"""What the documentation shows is what the code does."""

import doctest
import importlib.util
import re
import runpy
import shlex
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from tamis.cli.commands import tamis as command

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
MADE = {"_build", "gallery", "generated"}
PAGES = {
    str(path.relative_to(ROOT)): path.read_text(encoding="utf-8")
    for path in [ROOT / "README.md", ROOT / "papers" / "README.md", *sorted(DOCS.rglob("*.md"))]
    if not MADE & set(path.parts)
}


def load(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_generated_pages_are_up_to_date():
    for path, text in load(DOCS / "build.py").files().items():
        assert path.read_text(encoding="utf-8") == text, f"run `make docs`: {path.name} is old"


def blocks(language, text):
    return re.findall(rf"^```{language}\n(.*?)^```", text, flags=re.DOTALL | re.MULTILINE)


def pages_with(language, mark=""):
    return [name for name, text in PAGES.items() if any(mark in b for b in blocks(language, text))]


@pytest.mark.parametrize("name", pages_with("python", ">>>"))
def test_python_examples_print_what_they_show(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for block in blocks("python", PAGES[name]):
        test = doctest.DocTestParser().get_doctest(block, names, name, name, 0)
        runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
        runner.run(test, clear_globs=False)
        names = test.globs
        assert runner.failures == 0


@pytest.fixture(scope="module")
def wines():
    from sklearn.datasets import load_wine

    wine = load_wine(as_frame=True)
    rows = wine.target.sample(frac=0.4, random_state=0).index
    X, y = wine.data.loc[rows].iloc[:, :7], wine.target.loc[rows]
    return {"data": X.assign(species=y.map("kind {}".format)), "X": X, "y": y}


@pytest.mark.parametrize("name", [n for n in PAGES if "/methods/" in n and "index" not in n])
def test_the_calls_on_the_page_of_a_method_run(name, wines):
    import tamis

    (block,) = blocks("python", PAGES[name])
    supervised = "y=" in block
    data = wines["data"] if supervised else wines["X"]
    for line in block.splitlines():
        found = eval(line, {"tamis": tamis, "data": data, "X": wines["X"], "y": wines["y"]})
        assert len(getattr(found, "names", found)) > 0


@pytest.mark.parametrize("name", pages_with("python"))
def test_other_python_blocks_compile(name):
    for block in blocks("python", PAGES[name]):
        if ">>>" not in block:
            compile(block, name, "exec")


def shell_lines():
    """Give every command of tamis that a page shows, in a block or in the text, with its page."""
    for name, text in PAGES.items():
        shown = [*blocks("sh", text), *re.findall(r"`(tamis \w+ [^`]+)`", text)]
        shown += [block.splitlines()[0].removeprefix("$ ") for block in blocks("console", text)]
        for line in "\n".join(shown).splitlines():
            words = shlex.split(line, comments=True)
            if words[:1] == ["tamis"]:
                yield name, words


def test_every_command_that_a_page_shows_is_understood(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    seen = 0
    for name, words in shell_lines():
        _, verb, *given = words
        assert verb in command.commands, (name, words)
        for word in given:
            if re.fullmatch(r"@?[\w/-]+\.\w+", word):
                file = Path(word.removeprefix("@"))
                file.parent.mkdir(parents=True, exist_ok=True)
                file.touch()
        with command.commands[verb].make_context(verb, list(given)):
            seen += 1
    assert seen > 60


@pytest.mark.parametrize("name", pages_with("console"))
def test_console_examples_print_what_they_show(name, tmp_path):
    for block in blocks("console", PAGES[name]):
        line, _, expected = block.removeprefix("$ ").partition("\n")
        run = subprocess.run(
            [sys.executable, "-c", "from tamis.cli import main; main()", *shlex.split(line)[1:]],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=True,
        )
        assert re.sub(r"Wrote .*/", "Wrote ", run.stdout).strip() == expected.strip()


def test_the_readme_is_short_and_shows_a_console_session():
    assert len(PAGES["README.md"].encode()) < 6000
    assert "README.md" in pages_with("console")


NAMED_FILE = re.compile(
    r"`((?:[\w.*<>-]+/)*(?:[\w<>-]+/|[\w*<>]+\.(?:py|pyi|md|js|d\.ts|toml|csv|yml|html\.j2)))`"
)
NAMED_CODE = re.compile(r"`(\w+_\w+|_\w+|[A-Z]\w*[a-z][A-Z]\w*)(?:\(.*?\))?`")


def lost_files(text, root):
    """List the files that a page names and that do not exist.

    A path begins at the top, below the package, or beside one named before it in the same item.
    """
    lost = []
    for item in re.split(r"\n(?=\* |\d+\. |\||\n|#)", text):
        folders = [root, root / "src" / "tamis", root / "papers" / "src" / "tamis_papers"]
        for name in NAMED_FILE.findall(item):
            pattern = re.sub(r"<\w+>", "*", name.rstrip("/"))
            found = [path for folder in reversed(folders) for path in folder.glob(pattern)]
            lost += [] if found else [name]
            folders += [path if path.is_dir() else path.parent for path in found[:1]]
    return lost


@pytest.mark.parametrize("page", ["CONTRIBUTING.md", "docs/decisions.md"])
def test_every_file_that_a_page_for_developers_names_exists(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    assert len(NAMED_FILE.findall(text)) > 70
    assert lost_files(text, ROOT) == []


def test_a_file_of_another_folder_is_no_file_that_a_page_names(tmp_path):
    for name in ("src/tamis/run/a.py", "src/tamis/api/b.py"):
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).touch()
    text = "| one | `run/a.py` |\n| two | `b.py`, `api/`, `b.py`, `run/<id>.py`, `run/b.py` |"
    assert lost_files(text, tmp_path) == ["b.py", "run/b.py"]


@pytest.mark.parametrize("page", ["CONTRIBUTING.md", "docs/decisions.md"])
def test_every_function_that_a_page_for_developers_names_exists(page):
    prose = re.sub(r"```.*?```", "", (ROOT / page).read_text(encoding="utf-8"), flags=re.DOTALL)
    sources = [path for part in ("src", "papers", "tests") for path in (ROOT / part).rglob("*.py")]
    known = set(re.findall(r"\w+", "".join(path.read_text("utf-8") for path in sources)))
    assert [name for name in NAMED_CODE.findall(prose) if name not in known] == []


def test_the_map_for_developers_has_every_folder_of_the_package():
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    package = ROOT / "src" / "tamis"
    folders = {path.parent.name for path in package.glob("*/__init__.py")}
    assert sorted(folders - set(re.findall(r"`(\w+)/`", text))) == []


def test_every_change_in_the_changelog_is_one_line():
    lines = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").splitlines()[3:]
    assert [line for line in lines if line and not line.startswith(("* ", "## ", "### "))] == []
    assert max(map(len, lines)) <= 200


def test_no_change_is_in_the_changelog_twice_as_after_a_merge():
    lines = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").splitlines()
    begun = Counter(line[:40] for line in lines if line.startswith("* "))
    assert [start for start, times in begun.items() if times > 1] == []


def test_contributing_is_short_enough_to_be_read():
    assert len((ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").split()) <= 1500


@pytest.mark.parametrize("path", sorted(ROOT.glob("*.md")), ids=lambda path: path.name)
def test_links_between_the_files_of_the_repository_lead_somewhere(path):
    text = re.sub(r"```.*?```", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    links = re.findall(r"\]\(([^)#]+)", text)
    assert not [link for link in links if not (ROOT / link).exists()]


def test_the_link_check_finds_what_leads_nowhere(tmp_path):
    (tmp_path / "a.html").write_text(
        '<h2 id="here"></h2><a href="b.html#there"></a><a href="b.html"></a><a href="#here"></a>'
        '<a href="c.html"></a><script src="https://x.example/y.js"></script>'
    )
    (tmp_path / "b.html").write_text("<p></p>")
    found = load(DOCS / "links.py").broken(tmp_path)
    assert [line.split(": ")[1:] for line in found] == [
        ["b.html#there", "no such anchor"],
        ["c.html", "no such file"],
        ["https://x.example/y.js", "loaded from elsewhere"],
    ]


@pytest.mark.slow
@pytest.mark.parametrize("path", sorted((ROOT / "examples").glob("*.py")), ids=lambda p: p.stem)
def test_example_runs(path, tmp_path, monkeypatch, capsys):
    plt = pytest.importorskip("matplotlib.pyplot", reason="matplotlib (tamis[plot]) is missing")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(plt, "show", lambda: plt.close("all"))
    runpy.run_path(str(path), run_name="__main__")
    assert capsys.readouterr().out.strip()
