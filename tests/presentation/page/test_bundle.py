"""Modules of a page become one plain script: in order, each in its own scope."""

import json
import re
import subprocess
from collections import Counter
from pathlib import Path

import pytest
from tests.needs import NODE, needs_node

from tamis import presentation
from tamis.errors import TamisError
from tamis.presentation.browser.try_page import read_module
from tamis.presentation.page.fill import bundle_modules

PAGES = ("selection", "selection_live", "extraction", "comparison", "try_page", "worker")


def bundle(**texts: str) -> str:
    """Bundle modules that are given as text; the first one is the entry."""
    return bundle_modules(next(iter(texts)), lambda name: texts[name.removesuffix(".js")])


def list_modules() -> list[Path]:
    folder = Path(presentation.__file__).parent
    return [*folder.glob("page/*.js"), *folder.glob("browser/*.js")]


def read_all() -> list[str]:
    return [file.read_text("utf-8") for file in list_modules()]


def test_a_module_stands_once_and_after_those_it_imports() -> None:
    script = bundle(
        entry='import { b } from "./left.js";\nimport { c } from "./right.js";\n',
        left='import { a } from "./shared.js";\nexport const b = a;\n',
        right='import {\n  a,\n} from "./shared.js";\nexport const c = a;\n',
        shared="export const a = 1;\n",
    )
    starts = [script.index(f"modules.{name} =") for name in ("shared", "left", "right", "entry")]
    assert starts == sorted(starts)
    assert script.count("const a=1;") == 1


@needs_node
def test_each_module_has_a_scope_of_its_own() -> None:
    script = bundle(
        entry='import { count, Adder, load } from "./other.js";\nconst own = 1;\n'
        "const show = (late) => JSON.stringify([own, count(), new Adder().two, late]);\n"
        "load().then((late) => console.log(show(late)));\n",
        other="const own = 5;\nexport function count() { return own; }\n"
        "export class Adder { two = 2; }\nexport async function load() { return 7; }\n",
    )
    done = subprocess.run([str(NODE), "-e", script], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == [1, 5, 2, 7]


def test_comments_and_types_are_not_in_the_page() -> None:
    script = bundle(
        entry="\n\n  // Why.\n/** @param {number} a */\nexport const f = (a) => a;\n"
        "/**\n * Long.\n * @returns {number}\n */\nexport const g = () => 1;\n\n"
        "const h = /** @type {{ a: number }} */ (f(2)); // why\n\n"
        "  /** @type {number} */ (h).stay();\n/** @type {number} */\nconst i = 1;\n"
    )
    assert "/*" not in script
    assert "//" not in script
    assert "const h=(f(2));\n(h).stay();\nconst i=1;\n" in script


def test_spaces_inside_texts_and_patterns_stay() -> None:
    lines = 'const a = f("x = y, z");\nconst b = /a , b/;\nconst c = `p : ${d ? `, ${e}` : ""}`;\n'
    script = bundle(entry=lines)
    assert 'const a=f("x = y, z");\n' in script
    assert "/a , b/" in script
    assert '`p : ${d ? `, ${e}` : ""}`' in script


def test_a_script_has_the_rules_that_it_reads_and_no_others() -> None:
    script = bundle(
        entry="const { COUNTER_ENDS: [first], COUNT_WORDS } = RULES.names;\n"
        "const more = RULES.texts.DATE_YEARS;\n"
    )
    rules = next(line for line in script.splitlines() if line.startswith("const RULES="))
    assert rules == (
        'const RULES={"names":{"COUNTER_ENDS":["nr","nummer","key"],'
        '"COUNT_WORDS":new Set(["count","counts"])},"texts":{"DATE_YEARS":[1500,2500]}};'
    )
    assert "RULES" not in bundle(entry="const a = 1;\n")


def test_a_text_that_reads_as_a_comment_stays() -> None:
    script = bundle(entry='const a = "see // there";\nconst b = `${1} // ${2}`;\n')
    assert 'const a = "see // there";\nconst b = `${1} // ${2}`;\n' in script


@pytest.mark.parametrize(
    ("texts", "named"),
    [
        (
            {
                "a": 'import { b } from "./b.js";\nexport const a = 1;\n',
                "b": 'import { a } from "./a.js";\nexport const b = 1;\n',
            },
            "a, b, a",
        ),
        ({"a": 'import { b } from "./b.js";\n', "b": "export const c = 1;\n"}, "imports b"),
        ({"a": "export default 1;\n"}, "export default"),
        ({"a": "export let changing = 1;\n"}, "export let"),
        ({"a": "const text = `one\n  two`;\n"}, "several lines"),
        ({"a": 'import * as b from "./b.js";\n', "b": ""}, "import *"),
        ({"a": "const { MARKS } = RULES.texts;\n"}, "MARKS, which is no rule"),
        ({"a": 'import { b as c } from "./b.js";\n', "b": "export const b = 1;\n"}, "b as c"),
    ],
)
def test_what_a_script_cannot_say_is_refused(texts: dict[str, str], named: str) -> None:
    with pytest.raises(TamisError, match=named.replace("*", r"\*")):
        bundle(**texts)


def test_every_module_is_used_by_a_page() -> None:
    scripts = "".join(bundle_modules(page, read_module) for page in PAGES)
    names = [file.stem for file in list_modules()]
    assert [name for name in names if f"modules.{name} =" not in scripts] == []


def test_a_constant_has_one_name_and_a_name_one_constant() -> None:
    texts = [file.read_text("utf-8") for file in list_modules() if file.parent.name == "page"]
    names = re.findall(r"^(?:export )?const ([A-Z][A-Z_]+)", "".join(texts), re.M)
    assert len(names) > 20
    assert [name for name, count in Counter(names).items() if count > 1] == []


def test_every_export_is_imported_by_another_module_or_used_by_a_test() -> None:
    texts = read_all()
    used = " ".join(
        names for text in texts for names in re.findall(r"^import {([^}]*)}", text, re.M)
    )
    used += "".join(file.read_text("utf-8") for file in Path(__file__).parent.parent.glob("*/*.py"))
    exported = re.findall(r"^export [a-z ]+ (\w+)", "".join(texts), re.M)
    assert len(exported) > 50
    assert [name for name in exported if not re.search(rf"\b{name}\b", used)] == []


def test_a_page_that_cannot_choose_again_does_not_hold_the_greedy_loop() -> None:
    assert "modules.greedy =" in bundle_modules("selection_live", read_module)
    assert "modules.greedy =" not in bundle_modules("selection", read_module)


def test_every_page_forbids_other_bases_forms_and_all_that_it_does_not_name():
    folder = Path(presentation.__file__).parent
    policies = {
        path.name: re.findall(r'Security-Policy" content="([^"]+)"', path.read_text("utf-8"))
        for path in (*folder.rglob("*.j2"), *folder.rglob("*.html"))
        if "<!doctype" in path.read_text("utf-8").lower()
    }
    assert len(policies) >= 3
    for name, found in policies.items():
        for part in ("default-src 'none'", "base-uri 'none'", "form-action 'none'"):
            assert found, name
            assert part in found[0].split("; "), (name, part)
