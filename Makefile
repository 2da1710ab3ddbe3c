VENV := .venv
BIN := $(VENV)/bin
PYTHON ?= python3

# Two workers share the cores; more threads in each would only wait for one another.
PYTEST := OPENBLAS_NUM_THREADS=1 $(BIN)/pytest -n auto --dist worksteal --durations=100 --durations-min=2

.PHONY: demo test nightly check lint house collect js matrix bench docs site papers

# Compiled modules are kept: a quarter of the work of the tests is to compile, over and over.
export PYTHONDONTWRITEBYTECODE :=

INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check

demo: $(VENV)/installed
	$(BIN)/tamis demo

# The checks of the source and the site have one process each, so they share the cores.
test: $(VENV)/installed-dev $(VENV)/installed-docs
	$(MAKE) --no-print-directory -j2 --output-sync=target lint site collect
	$(PYTEST)

# What this compiles, the workers need not compile, each for itself.
collect: $(VENV)/installed-dev
	$(BIN)/pytest -q --collect-only >$(VENV)/collected || { tail -40 $(VENV)/collected; false; }

# All tests, also those that `make test` leaves out, and the share of the lines that they run (it
# takes a third longer to count them, so `make test` does not); then numbers by another kernel.
nightly: $(VENV)/installed-dev
	$(PYTEST) -m "" --cov --cov-report=term:skip-covered
	OPENBLAS_CORETYPE=Nehalem $(PYTEST) -q tests/numerics tests/statistics tests/algorithms tests/evaluation tests/test_contracts.py

check: lint
	$(PYTEST) -q -m "not slow"

lint: $(VENV)/installed-dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

# What a reader of the source meets, beside the values that may only fall (benchmarks/house.json).
house: $(VENV)/installed-dev
	$(BIN)/python -m benchmarks.house

# Lint and types of the pages' JavaScript. Nothing else needs Node: Python puts the pages together.
JS := npm --prefix tools/javascript
js:
	@if ! command -v npm >/dev/null; then \
	    echo "SKIPPED: npm is not installed, so the JavaScript of the pages is not checked."; \
	elif ! node -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 20 || (a === 20 && b > 18) ? 0 : 1)'; then \
	    echo "SKIPPED: the checks of the pages' JavaScript need Node 20.19 or later."; \
	elif ! $(JS) install --silent --fetch-retries=1 --fetch-timeout=30000 --no-package-lock --no-audit --no-fund; then \
	    echo "SKIPPED: npm could not install the checkers of the pages' JavaScript."; \
	else \
	    $(JS) run --silent lint && $(JS) run --silent types; \
	fi

matrix: $(VENV)/installed-dev
	$(INSTALL) uv
	$(BIN)/python tests/matrix

bench: $(VENV)/installed-bench
	$(BIN)/python -m benchmarks

docs: $(VENV)/installed-docs
	$(BIN)/python docs/build.py
	$(MAKE) --no-print-directory site

site: $(VENV)/installed-docs
	$(BIN)/python -m sphinx -j auto -W --keep-going --quiet -d docs/_build/doctrees docs docs/_build/html
	$(BIN)/python docs/links.py docs/_build/html

# Up to an hour; a run that was stopped goes on.
papers: $(VENV)/installed
	$(BIN)/tamis reproduce all --data ../shared/data --output build/papers
	cp build/papers/papers.md docs/papers.md

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/installed: pyproject.toml papers/pyproject.toml | $(VENV)/bin/python
	$(INSTALL) --editable . --editable papers
	touch $@

# Dependency groups need pip 25.1; a new virtual environment may have an older one.
# One rule for the groups of pyproject.toml: dev, docs, bench.
$(VENV)/installed-%: $(VENV)/installed
	$(INSTALL) "pip>=25.1"
	$(INSTALL) --group $*
	touch $@
