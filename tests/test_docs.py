"""What the documentation shows is what the code does."""

import ast
import doctest
import importlib.util
import re
import runpy
import shlex
from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import tamis
from tamis import registry
from tamis.api.compare import COMPARED_SIZES
from tamis.cli import main
from tamis.cli.commands import tamis as command
from tamis.presentation.terminal.selection import TOP
from tamis.registry.command import command_options, options_at
from tamis.sources.table_file import READERS, SUFFIXES

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
def test_console_examples_print_what_they_show(name, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for block in blocks("console", PAGES[name]):
        line, _, expected = block.removeprefix("$ ").partition("\n")
        main(shlex.split(line)[1:])
        printed = capsys.readouterr().out
        assert re.sub(r"Wrote .*/", "Wrote ", printed).strip() == expected.strip()


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
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert len(text.split()) <= 1500
    (rows,) = re.findall(r"\| to change \|.*\n\|---\|---\|\n((?:\|.*\n)+)", text)
    assert len(rows.splitlines()) <= 25


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


def list_flags():
    """Give every flag of every command."""
    loaded = [one.load() if hasattr(one, "load") else one for one in command.commands.values()]
    options = [option for one in (command, *loaded) for option in one.params]
    return {flag for one in options for flag in (*one.opts, *one.secondary_opts)} | {"--help"}


# plink2, in the lines that convert a file.
OTHER_PROGRAMS = {"--vcf", "--make-bed", "--out", "--bfile", "--recode"}
ON_BENCHMARKS = {"docs/scale.md", "docs/decisions.md", "docs/growth.md", "docs/new-rows.md"}


def test_every_flag_that_pages_and_messages_name_exists(trees):
    known, named = list_flags() | OTHER_PROGRAMS, {}
    for name, text in PAGES.items():
        for span in re.findall(r"(?<!`)`(-[^`\n]+|tamis [^`]+)`", text):
            if name in ON_BENCHMARKS and not span.startswith("tamis"):
                continue
            named |= dict.fromkeys(re.findall(r"(?<![\w-])--[a-z][\w-]*", span), name)
    for path, tree in trees.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                said = node.value.replace("--accent", "")  # a colour of pages
                found = re.findall(r"(?<![\w{}-])--[a-z][\w-]*[a-z](?![\w{-])", said)
                named |= dict.fromkeys(found, path.name)
    assert len(named) > 60
    assert {flag: where for flag, where in named.items() if flag not in known} == {}


# What readers call the formats, in the order of the table that says who opens them.
FORMATS = ["CSV", "Excel", *dict.fromkeys(name for name, *_ in READERS.values())][:-1]


def test_the_formats_that_pages_and_help_list_are_those_that_are_read():
    rows = re.findall(r"^\| (`\..*?) \|", PAGES["docs/howto/read.md"], flags=re.MULTILINE)
    listed = {one.lower() for row in rows for one in re.findall(r"`(\.\w+)`", row)}
    beside = {".gz", ".bz2", ".bim", ".fam"}
    assert listed - beside == {*SUFFIXES} - {".tamis"}
    select = command.commands["select"].load()
    for text in (PAGES["docs/index.md"], select.help):
        (shown,) = re.findall(r"(?:Reads|is a table \()\s*(CSV.*?)(?: files|\))", text, re.DOTALL)
        assert re.findall(r"\w+", shown.replace(" and ", ", ")) == FORMATS


def test_the_defaults_that_pages_and_help_name_are_those_of_the_registry():
    shared = {**registry.SHARED, **{one.name: one for one in registry.POLICIES}}
    seen = 0
    for name, text in PAGES.items():
        methods = re.findall(
            r"[Tt]he default(?: method)?,? \(?`([\w-]+)`|`([\w-]+)`, the default", text
        )
        for found in {one or other for one, other in methods} & {m.id for m in registry.METHODS}:
            seen += 1
            assert found == registry.DEFAULT_METHOD, name
        said = r"[Dd]efault:? \(?`(\w+)=\"(\w+)\"|`(\w+)=\"(\w+)\"`, the default"
        for found in re.findall(said, text):
            option, value = found[:2] if found[0] else found[2:]
            seen += 1
            assert shared[option].default == value, name
    assert seen >= 6
    about = {one.name: one.text_at("compare") for one in options_at("compare")}
    assert f"Default: {','.join(map(str, COMPARED_SIZES))}." in about["k"]
    assert f"Default: {TOP}, least explained first." in command_options()["top"].about
    about = {one.name: one.text_at("select") for one in options_at("select")}
    assert f"Default: {registry.SHARED['missing'].default}." in about["missing"]
    assert f"Default: {registry.DEFAULT_METHOD}," in about["method"]
    (sizes,) = re.findall(r"`-k` is ([\d, and]+) by default", PAGES["docs/howto/method.md"])
    assert tuple(map(int, re.findall(r"\d+", sizes))) == COMPARED_SIZES
    (share,) = re.findall(r"By default (\d+)% of the variance", PAGES["docs/howto/number.md"])
    assert int(share) / 100 == registry.get("forward").usual_retain


def test_the_exit_codes_that_pages_name_are_those_of_the_command(tmp_path):
    rows = np.random.default_rng(0).normal(size=(400, 3)) @ np.ones((3, 6))
    table = pd.DataFrame(rows + np.random.default_rng(1).normal(size=(400, 6)), columns=[*"abcdef"])
    table.to_csv(tmp_path / "then.csv", index=False)
    table.drop(columns="a").to_csv(tmp_path / "lacks.csv", index=False)
    tamis.select(table, 2).save(tmp_path / "choice.tamis")
    codes = {}
    for month in ("then.csv", "lacks.csv", "nowhere.csv"):
        try:
            main(["check", str(tmp_path / "choice.tamis"), str(tmp_path / month)])
            codes[month] = 0
        except SystemExit as ended:
            codes[month] = ended.code
    assert codes == {"then.csv": 0, "lacks.csv": 1, "nowhere.csv": 2}
    tables = 0
    for name, text in PAGES.items():
        for table_text in re.findall(
            r"^\| (?:exit )?code.*\n(?:\|.*\n)+", text, flags=re.MULTILINE
        ):
            told = {int(n) for row in re.findall(r"^\| ([\d, .]+)", table_text, re.M)
                    for n in re.findall(r"\d+", row)}  # fmt: skip
            tables += 1
            assert {0, 1, 2} <= told <= {0, 1, 2, 130, 141, 143}, name
    assert tables >= 3
    monthly = " ".join(PAGES["docs/tutorials/monthly.md"].split())
    assert "1: it does not, also where a column is missing" in monthly


def test_the_cards_of_the_first_page_have_the_numbers_of_the_pages_they_lead_to():
    small = [
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "eleven",
        "twelve",
    ]
    words = {word: number for number, word in enumerate(small, start=2)} | {"twenty": 20}
    cards = re.findall(r":link: (tutorials/\w+)\n:link-type: doc\n(.*)", PAGES["docs/index.md"])
    assert len(cards) >= 5
    for link, said in cards:
        page = PAGES[f"docs/{link}.md"].casefold()
        for word in re.findall(r"\w+", said.casefold()):
            number = words.get(word, word if word.isdecimal() else None)
            spoken = [one for one, value in words.items() if str(value) == str(number)]
            there = [re.search(rf"\b{one}\b", page) for one in (number, *spoken)]
            assert number is None or any(there), (link, word)
