#!/usr/bin/env -S uv run --script
# /// script
# dependencies = ["nox>=2025.2.9"]
# ///
"""What `make test` runs, and the same in other environments: `nox -l` lists the sessions.

`nox` alone runs lint, tests and docs. The matrix (BLAS kernels, threads, the lowest and the newest
packages) is `nox -s matrix`, which is `make matrix`; one cell of it is
`nox -s matrix -- --cells "lowest Haswell"`.
"""

import nox

nox.needs_version = ">=2025.2.9"
nox.options.default_venv_backend = "uv|virtualenv"
nox.options.reuse_existing_virtualenvs = True

ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1"}
# The tests of these either need no data frame library or skip what does.
BARE = ("tests/numerics", "tests/sources", "tests/cli/test_commands.py", "tests/cli/test_main.py")
PYTEST = ("pytest", "-n", "auto", "--dist", "worksteal")


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


@nox.session(python=["3.11", "3.12", "3.13"])
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
    """Build wheels and source archives of both packages, and run the commands from the wheels."""
    session.install("build")
    for folder in (".", "papers"):
        session.run("python", "-m", "build", "--outdir", "dist", folder)
    session.install("--find-links", "dist", "tamis")
    session.run("tamis", "demo")
    session.install("--find-links", "dist", "tamis-papers")
    session.run("tamis", "reproduce", "cunningham-figure-9", "--output", session.create_tmp())


@nox.session(default=False)
def bench(session: nox.Session) -> None:
    """Print time, memory and quality of every method."""
    install(session, "bench")
    session.run("python", "-m", "benchmarks", *session.posargs)


if __name__ == "__main__":
    nox.main()
