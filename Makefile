VENV := .venv
BIN := $(VENV)/bin
PYTHON ?= python3

# Two workers share the cores; more threads in each would only wait for one another.
PYTEST := OPENBLAS_NUM_THREADS=1 $(BIN)/pytest -n auto --dist worksteal

.PHONY: demo test check lint matrix bench docs papers

demo: $(VENV)/installed
	$(BIN)/tamis demo

test: lint
	$(PYTEST)

check: lint
	$(PYTEST) -q -m "not slow"

lint: $(VENV)/installed-dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

matrix: $(VENV)/installed-dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check uv
	$(BIN)/python tests/matrix

bench: $(VENV)/installed-bench
	$(BIN)/python -m benchmarks

docs: $(VENV)/installed-dev
	$(BIN)/python docs/build.py

# Up to an hour; a run that was stopped goes on.
papers: $(VENV)/installed
	$(BIN)/tamis reproduce all --data ../shared/data --output build/papers
	cp build/papers/papers.md docs/papers.md

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/installed: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	touch $@

$(VENV)/installed-dev: $(VENV)/installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[dev]"
	touch $@

$(VENV)/installed-bench: $(VENV)/installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[bench]"
	touch $@
