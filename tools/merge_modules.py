"""Join modules as a plan says: `python tools/merge_modules.py tools/merge_plan.txt`; goes when step 2 of issue 36 has landed.

It moves bodies and imports, rewrites every reference in the repository, and refuses cycles and
names that collide. Tried on main: 205 modules join (693 -> 488, 1,500 lines fewer), types and layers
hold, 700 answers are equal. What was left to mend by hand: layers in pyproject.toml (learners twice,
live_facts), `flag` in cli/flags.py, names of passes in tests (block_tiles -> read_blocks), the kill in
test_pass_checkpoint, `text_lines.py` in docs/decisions.md, tests/fuzz/forks.py, and start-up: `tamis
methods` then loads NumPy (see tests/test_startup.py), so one of the joins of cli or facts is too much.
"""

# ruff: noqa
import ast, re, subprocess, sys
from pathlib import Path

ROOT = Path.cwd()
SRC = ROOT / "src" / "tamis"


def path_of(d):
    p = SRC / Path(*d.split("."))
    return (
        p / "__init__.py"
        if p.is_dir() and not p.with_suffix(".py").exists()
        else p.with_suffix(".py")
    )


def files():
    out = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"], capture_output=True, text=True, check=True
    ).stdout.split("\n")
    return [
        ROOT / f
        for f in out
        if f
        and Path(f).suffix
        in {
            ".py",
            ".md",
            ".js",
            ".ts",
            ".toml",
            ".ipynb",
            ".html",
            ".jinja",
            ".css",
            ".pyi",
            ".cfg",
            ".json",
            ".txt",
            ".rst",
            ".mjs",
        }
        or f.endswith("Makefile")
    ]


def top(tree):
    names = {}
    for n in tree.body:
        if isinstance(n, (ast.FunctionDef, ast.ClassDef, ast.AsyncFunctionDef)):
            names[n.name] = n
        elif isinstance(n, ast.Assign):
            for t in n.targets:
                for x in ast.walk(t):
                    if isinstance(x, ast.Name):
                        names[x.id] = n
        elif isinstance(n, ast.AnnAssign) and isinstance(n.target, ast.Name):
            names[n.target.id] = n
    return names


def is_imp(n):
    if isinstance(n, (ast.Import, ast.ImportFrom)):
        return True
    return (
        isinstance(n, ast.If)
        and "TYPE_CHECKING" in ast.unparse(n.test)
        and all(isinstance(m, (ast.Import, ast.ImportFrom)) for m in n.body)
    )


def is_all(n):
    return isinstance(n, ast.Assign) and any(
        isinstance(t, ast.Name) and t.id == "__all__" for t in n.targets
    )


def span(n, lines):
    start = n.lineno - 1
    if getattr(n, "decorator_list", None):
        start = min(d.lineno for d in n.decorator_list) - 1
    return start, n.end_lineno


def split(text):
    tree = ast.parse(text)
    lines = text.split("\n")
    drop = set()
    imports = []
    doc = ast.get_docstring(tree)
    allnames = None
    body = tree.body
    if doc is not None:
        s, e = span(body[0], lines)
        drop |= set(range(s, e))
        body = body[1:]
    for n in body:
        if is_imp(n):
            s, e = span(n, lines)
            imports.append("\n".join(lines[s:e]))
            drop |= set(range(s, e))
        elif is_all(n):
            s, e = span(n, lines)
            drop |= set(range(s, e))
            allnames = n
    rest = "\n".join(l for i, l in enumerate(lines) if i not in drop)
    rest = re.sub(r"^\n+", "", rest).rstrip("\n")
    return tree, doc, imports, rest, allnames


def eager_names(tree):
    """names evaluated while the module is imported"""
    used = set()

    class V(ast.NodeVisitor):
        def visit_FunctionDef(s, n):
            for d in n.decorator_list:
                s.generic(d)
            a = n.args
            for d in a.defaults + [k for k in a.kw_defaults if k]:
                s.generic(d)
            for x in a.args + a.kwonlyargs + a.posonlyargs + [y for y in (a.vararg, a.kwarg) if y]:
                if x.annotation:
                    s.generic(x.annotation)
            if n.returns:
                s.generic(n.returns)

        def generic(s, n):
            for x in ast.walk(n):
                if isinstance(x, ast.Name):
                    used.add(x.id)

        def visit_Lambda(s, n):
            pass

        def visit_Name(s, n):
            used.add(n.id)

    V().visit(tree)
    return used


def imported(imports):
    b = {}
    for t in imports:
        for n in ast.walk(ast.parse(t)):
            if isinstance(n, ast.ImportFrom):
                for a in n.names:
                    b[a.asname or a.name] = (n.module, a.name)
            elif isinstance(n, ast.Import):
                for a in n.names:
                    b[a.asname or a.name.split(".")[0]] = (a.name, None)
    return b


def rename(text, old, new):
    # not attributes, not keyword arguments written x=...: private names only, so a plain word match is enough
    assert re.search(rf"(?<![\w.]){re.escape(old)}\b", text), (old, "not found")
    return re.sub(rf"(?<![\w.]){re.escape(old)}\b", new, text)


def strip_import(text, dotted):
    """remove 'from dotted import ...' anywhere, also in functions; refuse aliases"""
    tree = ast.parse(text)
    lines = text.split("\n")
    drop = {}
    for n in ast.walk(tree):
        if isinstance(n, ast.ImportFrom) and n.module == dotted:
            if any(a.asname for a in n.names):
                raise SystemExit(f"alias of {dotted}: {ast.unparse(n)}")
            for i in range(n.lineno - 1, n.end_lineno):
                drop[i] = 1
    out = [l for i, l in enumerate(lines) if i not in drop]
    return "\n".join(out)


_cache = {}


def eager(p):
    key = (p, p.stat().st_mtime_ns)
    if key not in _cache:
        out = []
        tree = ast.parse(p.read_text())
        stack = list(tree.body)
        while stack:
            n = stack.pop()
            if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
                continue
            if isinstance(n, ast.If) and "TYPE_CHECKING" in ast.unparse(n.test):
                continue
            if isinstance(n, ast.ImportFrom) and n.module and n.module.startswith("tamis"):
                out += [n.module] + [n.module + "." + x.name for x in n.names]
            elif isinstance(n, ast.Import):
                out += [x.name for x in n.names if x.name.startswith("tamis")]
            stack += list(ast.iter_child_nodes(n))
        _cache[key] = out
    return _cache[key]


def graph():
    names = {}
    for p in SRC.rglob("*.py"):
        parts = p.relative_to(SRC.parent).with_suffix("").parts
        names[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = p
    return {
        n: {
            x
            for x in eager(p)
            if x in names and x != n and not (x == "tamis" or n.startswith(x + "."))
        }
        for n, p in names.items()
    }


def reaches(g, s, t, skip):
    seen = set()
    w = [x for x in g[s] if x not in skip]
    while w:
        x = w.pop()
        if x in t:
            return True
        if x in seen:
            continue
        seen.add(x)
        w += list(g[x])
    return False


def merge(b, a, renames):
    pb, pa = path_of(b), path_of(a)
    db, da = "tamis." + b, "tamis." + a
    if not pa.exists() or not pb.exists():
        raise SystemExit(f"no such module: {a} {pa.exists()} or {b} {pb.exists()}")
    ta, tb = pa.read_text(), pb.read_text()
    for old, new in renames:
        ta = rename(ta, old, new)
    ta = strip_import(ta, db)
    tb = strip_import(tb, da)
    treea, doca, impa, resta, alla = split(ta)
    treeb, docb, impb, restb, allb = split(tb)
    na, nb = top(treea), top(treeb)
    na.pop("__all__", None)
    nb.pop("__all__", None)
    both = set(na) & set(nb)
    after = not ((set(na) - both) & eager_names(treeb))
    for n in both:
        if ast.unparse(na[n]) == ast.unparse(nb[n]):
            t = resta if after else restb
            s = ast.get_source_segment(
                t + "\n", next(x for x in ast.parse(t).body if n in top(ast.Module([x], [])))
            )
            if after:
                resta = resta.replace(s, "", 1)
            else:
                restb = restb.replace(s, "", 1)
        else:
            raise SystemExit(f"COLLISION {a} -> {b}: {n}")
    ia, ib = imported(impa), imported(impb)
    for n in ia:
        if n in ib and ia[n] != ib[n] and not (ia[n][1] is None and ib[n][1] is None):
            raise SystemExit(f"IMPORT COLLISION {a}->{b}: {n} {ia[n]} {ib[n]}")
    for n in set(ia) & set(nb):
        raise SystemExit(f"IMPORT/DEF COLLISION {a}->{b}: {n}")
    for n in set(ib) & set(na):
        raise SystemExit(f"DEF/IMPORT COLLISION {a}->{b}: {n}")
    for d, t, imps in ((b, restb, impb), (a, resta, impa)):
        for n in ast.walk(ast.parse(t)):
            if (
                isinstance(n, ast.ImportFrom)
                and n.level == 0
                and n.module in ("tamis." + a.rsplit(".", 1)[0],)
                and any(x.name == a.rsplit(".", 1)[1] for x in n.names)
            ):
                raise SystemExit(f"module import of {a} in {d}")
    note = ""
    if doca and (len(doca.split("\n")) > 1):
        import textwrap

        paras = doca.strip().split("\n\n")
        out = []
        for q in paras:
            if max(len(l) for l in q.split("\n")) > 97 and not q.lstrip().startswith(
                ("*", "-", ">>>")
            ):
                q = textwrap.fill(" ".join(l.strip() for l in q.split("\n")), 97)
            out.append(q)
        note = "\n".join(("# " + l).rstrip() for l in "\n\n".join(out).split("\n")) + "\n"
    head = '"""' + docb_raw(tb) + '"""' if docb is not None else ""
    allt = ast.get_source_segment(tb, allb) if allb is not None else ""
    if alla is not None and allb is not None:
        names = ast.literal_eval(allb.value) + [
            n for n in ast.literal_eval(alla.value) if n not in ast.literal_eval(allb.value)
        ]
        allt = "__all__ = [" + ", ".join('"%s"' % n for n in names) + "]"
    parts = [
        head,
        "\n".join(x for x in impb + impa if not x.startswith("if ")),
        "\n".join(x for x in impb + impa if x.startswith("if ")),
        allt,
    ]
    bodies = [restb, note + resta] if after else [note + resta, restb]
    text = "\n\n".join(p for p in parts + bodies if p.strip()) + "\n"
    ast.parse(text)
    pb.write_text(text)
    pa.unlink()
    # references
    rd = re.compile(rf"\b{re.escape(da)}(?![\w])")
    rs = re.compile(rf"(?<![\w/]){re.escape(a.replace('.', '/'))}\.py\b")
    stem = a.rsplit(".", 1)[1]
    unique = len(list(SRC.rglob(stem + ".py"))) == 0
    rb = re.compile(rf"(?<![\w/.]){re.escape(stem)}\.py\b")
    frm = (
        re.compile(rf"from {re.escape('tamis.' + a.rsplit('.', 1)[0])} import [^\n]*\b{stem}\b")
        if "." in a
        else None
    )
    for f in files():
        if not f.exists() or f.name == "CHANGELOG.md":
            continue
        t = f.read_text()
        n = rd.sub(db, t)
        n = rs.sub(path_of(b).relative_to(SRC).as_posix(), n)
        if unique and f.suffix != ".toml":
            n = rb.sub(
                (b.rsplit(".", 1)[-1] + ".py")
                if path_of(b).name != "__init__.py"
                else b.replace(".", "/") + "/__init__.py",
                n,
            )
        if frm and f.suffix == ".py" and frm.search(n):
            n = fix_module_import(f, n, a, b)
        if n != t:
            f.write_text(n)
    print("merged", a, "->", b, "after" if after else "before", pb.read_text().count("\n"))


def fix_module_import(f, text, a, b):
    pkg = "tamis." + a.rsplit(".", 1)[0]
    stem = a.rsplit(".", 1)[1]
    bp, _, bs = b.rpartition(".")
    if "tamis." + bp != pkg:
        print("MODULE IMPORT by hand", f)
        return text
    tree = ast.parse(text)
    spots = []
    plain = any(
        isinstance(n, ast.ImportFrom)
        and n.module == pkg
        and any(x.name == stem and not x.asname for x in n.names)
        for n in ast.walk(tree)
    )
    for n in ast.walk(tree):
        if plain and isinstance(n, ast.Name) and n.id == stem:
            spots.append((n.lineno, n.col_offset, len(stem)))
    lines = text.split("\n")
    for ln, col, w in sorted(spots, reverse=True):
        enc = lines[ln - 1].encode()
        lines[ln - 1] = (enc[:col] + bs.encode() + enc[col + w :]).decode()
    for n in ast.walk(tree):
        if (
            isinstance(n, ast.ImportFrom)
            and n.module == pkg
            and any(x.name == stem for x in n.names)
        ):
            assert n.lineno == n.end_lineno, (f, ast.unparse(n))
            names = []
            for x in n.names:
                nm = bs if x.name == stem else x.name
                nm += f" as {x.asname}" if x.asname else ""
                if nm not in names:
                    names.append(nm)
            ind = lines[n.lineno - 1][
                : len(lines[n.lineno - 1]) - len(lines[n.lineno - 1].lstrip())
            ]
            lines[n.lineno - 1] = f"{ind}from {pkg} import {', '.join(names)}"
    return "\n".join(lines)


def docb_raw(t):
    n = ast.parse(t).body[0]
    seg = ast.get_source_segment(t, n)
    return seg[3:-3] if seg.startswith('"""') else seg[4:-3]


plan = sys.argv[1:]
lines = [l for l in Path(plan[0]).read_text().split("\n") if l.strip() and not l.startswith("#")]
for l in lines:
    b, rest = l.split(":", 1)
    b, _, brens = b.strip().partition("|")
    for r in brens.split(",") if brens else []:
        o, nw = r.split("=")
        pb = path_of(b)
        pb.write_text(rename(pb.read_text(), o, nw))
    fold = b.rsplit(".", 1)[0] if "." in b else ""
    group = [b] + [
        (x if "." in x else (fold + "." + x if fold else x))
        for x in (i.partition("|")[0] for i in rest.split())
    ]
    g = graph()
    G = {"tamis." + x for x in group}
    missing = [x for x in G if x not in g]
    if missing:
        print("SKIP missing", missing)
        continue
    bad = [x for x in G if reaches(g, x, G, G)]
    if bad:
        print("SKIP CYCLE", b, "from", bad)
        continue
    for item in rest.split():
        a, _, ren = item.partition("|")
        folder = b.rsplit(".", 1)[0] if "." in b else ""
        full = a if "." in a else (folder + "." + a if folder else a)
        try:
            merge(b.strip(), full, [tuple(r.split("=")) for r in ren.split(",") if r])
        except SystemExit as e:
            print("SKIP", e)
subprocess.run(
    [
        ".venv/bin/ruff",
        "check",
        "-q",
        "--select",
        "I,F401,F811,RUF022",
        "--fix",
        "src",
        "tests",
        "papers",
        "benchmarks",
        "docs",
        "examples",
    ]
)
subprocess.run(
    [".venv/bin/ruff", "format", "-q", "src", "tests", "papers", "benchmarks", "docs", "examples"]
)
