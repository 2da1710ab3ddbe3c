#!/usr/bin/env -S uv run --script
# /// script
# dependencies = ["nox>=2025.2.9"]
# ///
"""What `make test` runs, and the same in other environments: `nox -l` lists the sessions.

`nox` alone runs lint, tests and docs. The matrix (BLAS kernels, threads, the lowest and the newest
packages) is `nox -s matrix`, which is `make matrix`; one cell of it is
`nox -s matrix -- --cells "lowest Haswell"`.
"""

import shutil
from pathlib import Path

import nox

nox.needs_version = ">=2025.2.9"
nox.options.default_venv_backend = "uv|virtualenv"
nox.options.reuse_existing_virtualenvs = True

ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1"}
# The tests of these either need no data frame library or skip what does.
BARE = ("tests/numerics", "tests/sources", "tests/cli/test_commands.py", "tests/cli/test_main.py")
PYTEST = ("pytest", "-n", "auto", "--dist", "worksteal", "--durations=100", "--durations-min=2")


def install(session: nox.Session, *groups: str) -> None:
    """Install tamis and its papers as they are here, with groups of pyproject.toml."""
    named = [word for group in groups for word in ("--group", group)]
    if session.venv_backend != "uv":
        session.install("pip>=25.1")  # the first that knows groups
    session.install("--editable", ".", "--editable", "papers", *named)


@nox.session
def lint(session: nox.Session) -> None:
    """Check format, style, types and layers."""
    install(session, "dev")
    session.run("ruff", "format", "--check", ".")
    session.run("ruff", "check", ".")
    session.run("mypy")
    session.run("lint-imports", "--no-cache")


@nox.session(python=["3.11", "3.12", "3.13", "3.14"])
def tests(session: nox.Session) -> None:
    """Run the tests on one Python."""
    install(session, "dev")
    session.run(*PYTEST, *session.posargs, env=ONE_THREAD)


@nox.session(default=False)
def bare(session: nox.Session) -> None:
    """Run without any optional package: what reads tables, the command, and every method."""
    install(session, "test")
    session.run(*PYTEST, "-m", "not slow", *BARE, env=ONE_THREAD)
    session.run("tamis", "demo")
    session.run("python", "tests/matrix/picks.py", env=ONE_THREAD, silent=True)


@nox.session(default=False)
def matrix(session: nox.Session) -> None:
    """Compare all answers over BLAS kernels, threads, the lowest and the newest packages."""
    install(session, "dev")
    session.install("uv")
    session.run("python", "tests/matrix", *session.posargs)


@nox.session
def docs(session: nox.Session) -> None:
    """Build the site: warnings are errors, links are checked."""
    install(session, "docs")
    session.run("python", "docs/build.py")
    session.run("python", "-m", "sphinx", "-W", "--keep-going", "docs", "docs/_build/html")
    session.run("python", "docs/links.py", "docs/_build/html")


@nox.session(default=False)
def build(session: nox.Session) -> None:
    """Build both packages, check their metadata and pages, and list what the wheel installs."""
    session.install("build", "cyclonedx-bom", "pip>=24.3", "twine")
    shutil.rmtree("dist", ignore_errors=True)
    for folder in (".", "papers"):
        session.run("python", "-m", "build", "--outdir", "dist", folder)
    session.run("twine", "check", "--strict", *map(str, Path("dist").iterdir()))
    empty = Path(session.create_tmp()) / "empty"  # tamis and what it needs, nothing else
    session.run("python", "-m", "venv", "--clear", "--without-pip", str(empty))
    python = str(empty / "bin" / "python")
    wheel = str(next(Path("dist").glob("tamis-*.whl")))
    session.run("python", "-m", "pip", "--python", python, "install", "--quiet", wheel)
    Path("sbom").mkdir(exist_ok=True)
    session.run("cyclonedx-py", "environment", python, "--output-file", "sbom/tamis.cdx.json")


@nox.session(default=False, python=["3.11", "3.12", "3.13", "3.14"])
@nox.parametrize("archive", ["tamis-*.whl", "tamis-*.tar.gz"], ids=["wheel", "sdist"])
def installed(session: nox.Session, archive: str) -> None:
    """Install what `build` made, with the base dependencies only, and use it as a user would."""
    session.install(*map(str, Path("dist").glob(archive)))
    script = Path("tests/matrix/installed.py").resolve()
    with session.chdir(session.create_tmp()):  # away from the source
        session.run("python", "-W", "error", str(script))


@nox.session(default=False)
def bench(session: nox.Session) -> None:
    """Print time, memory and quality of every method."""
    install(session, "bench")
    session.run("python", "-m", "benchmarks", *session.posargs)


if __name__ == "__main__":
    nox.main()
