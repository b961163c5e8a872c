# Two commands do everything on a fresh machine (Python 3.11+, pip, make): `make demo` and `make test`.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
SEEDS  ?= 10000
MODELS ?= 5000
SYSTEMS ?= 5000
PROGRAMS ?= 5000
BOOGIE ?= ../shared/bench/boogie
LIMIT ?= 60

export PIP_CONSTRAINT := $(CURDIR)/constraints.txt
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: demo test check format bench bench-programs bench-thesis soak soak-numbers soak-programs clean

demo: $(VENV)/base
	$(BIN)/python examples/demo.py

test: $(VENV)/dev
	$(BIN)/python -m pytest

check: $(VENV)/dev
	$(BIN)/ruff format --check src tests examples
	$(BIN)/ruff check src tests examples
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(VENV)/dev
	$(BIN)/ruff format src tests examples
	$(BIN)/ruff check --fix src tests examples

bench: $(VENV)/peers
	$(BIN)/lemmata bench examples --peer abc --timeout 10 --out bench-out

# The tables of docs/evaluation.md; what is in bench-out already is not measured again.

bench-programs: $(VENV)/peers
	$(BIN)/lemmata bench --suite $(BOOGIE) --expected boogie --timeout $(LIMIT) --out bench-out/programs \
	  --contestant "traces/interpolants=--engine traces --checker interpolants" \
	  --contestant "traces/pdr=--engine traces --checker pdr" \
	  --contestant "lifted=--engine lifted" --contestant "auto=--engine auto --workers 1" --peer spacer,spacer-global

bench-thesis: $(VENV)/peers
	$(BIN)/lemmata bench --suite $(BOOGIE) --expected boogie --timeout $(LIMIT) --out bench-out/thesis \
	  --contestant "thesis=--engine lifted --preset thesis" \
	  --contestant "thesis+dnf=--engine lifted --preset thesis --technique dnf=on" \
	  --contestant "thesis+interpolation=--engine lifted --preset thesis --technique interpolation=on" \
	  --contestant "thesis+caching=--engine lifted --preset thesis --technique caching=on" \
	  --contestant "thesis+memory=--engine lifted --preset thesis --technique memory=on" \
	  --contestant "lifted=--engine lifted" --peer spacer,spacer-global

soak: $(VENV)/dev
	$(BIN)/python -m tests.test_random $(SEEDS)
	$(BIN)/python -m tests.test_smt_agreement 100000
	$(BIN)/python -m tests.test_random_words $(MODELS)
	$(BIN)/python -m tests.test_random_lia $(SYSTEMS)
	$(BIN)/python -m tests.test_boogie_random $(PROGRAMS)

soak-numbers: $(VENV)/dev
	$(BIN)/python -m tests.test_random_lia $(SYSTEMS)

soak-programs: $(VENV)/dev
	$(BIN)/python -m tests.test_boogie_random $(PROGRAMS)

clean:
	rm -rf $(VENV) bench-out .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis

# One environment, three sizes: to run, to develop, to compare with peers.

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Lemmata needs Python 3.11 or newer; call: make PYTHON=/path/to/python3.11 ..."; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/base: $(VENV)/bin/python pyproject.toml constraints.txt
	$(BIN)/python -m pip install -q -e .
	@touch $@

$(VENV)/dev: $(VENV)/base
	$(BIN)/python -m pip install -q -e ".[dev]"
	@touch $@

$(VENV)/peers: $(VENV)/base
	$(BIN)/python -m pip install -q -e ".[all]"
	@touch $@
