# Two commands do everything on a fresh machine (Python 3.11+, pip, make): `make demo` and `make test`.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
SEEDS  ?= 10000
MODELS ?= 5000
SYSTEMS ?= 5000
PROGRAMS ?= 5000
GRAPHS ?= 500
DESIGNS ?= 500
ROUNDS ?= 500
FAULTS ?= faults.log
BOOGIE ?= ../shared/bench/boogie
LIMIT ?= 60
WORLD ?= smtlib vmt chc btor2 aiger boogie proofs
TIME ?= 60
SEED ?= 0

export PIP_CONSTRAINT := $(CURDIR)/constraints.txt
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: demo test check format wheel-newest wheel-lowest bench bench-programs bench-thesis soak soak-numbers soak-programs soak-cluster
.PHONY: pictures script-types bench-scaling faults fuzz fuzz-native docs compile clean

demo: $(VENV)/base
	$(BIN)/python examples/demo.py

# Tests that fork under short limits, or change code on purpose, come first, in processes that have not run thousands of others;
# most of them wait more than they work.

ALONE := tests/whole/test_seeded_table.py $(addprefix tests/run/test_,limits.py start.py frail.py parts.py) tests/cli/test_command_limits.py tests/cli/test_watched.py tests/whole/test_faults.py

PYTEST = env -u PYTHONDONTWRITEBYTECODE $(BIN)/python -m pytest  # rewrites the assertions of all tests once, not in each process

test: $(VENV)/dev compile
	$(PYTEST) -n 4 --dist loadfile $(ALONE)
	$(PYTEST) $(addprefix --ignore=,$(ALONE))

check: $(VENV)/dev
	$(BIN)/ruff format --check src tests examples
	$(BIN)/ruff check src tests examples
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(VENV)/dev
	$(BIN)/ruff format src tests examples
	$(BIN)/ruff check --fix src tests examples

# The site of docs/ and the docstrings, in build/site; a broken link is an error.

docs: export NO_MKDOCS_2_WARNING := 1
docs: $(VENV)/docs
	$(BIN)/mkdocs build --quiet --strict

# The wheel in a fresh environment with the newest, and with the lowest, versions that pyproject.toml allows: the examples, then
# tests. TESTS= means all of them.

TESTS ?= tests/whole/test_wheel.py tests/whole/test_api.py tests/cli/test_commands.py tests/solvers/test_smt_backends.py tests/solvers/test_plain.py

wheel-newest: export PIP_CONSTRAINT :=
wheel-newest: build/newest
	$</bin/python examples/demo.py
	$</bin/python -m pytest $(TESTS)

wheel-lowest: export PIP_CONSTRAINT := $(CURDIR)/build/lowest.txt
wheel-lowest: build/lowest
	$</bin/python examples/demo.py
	$</bin/python -m pytest $(TESTS)

bench: $(VENV)/peers
	$(BIN)/lemmata bench examples --peer abc --timeout 10 --out bench-out

# The tables of docs/evaluation.md; what is in bench-out already is not measured again.

bench-programs: $(VENV)/peers
	$(BIN)/lemmata bench --suite $(BOOGIE) --expected boogie --option "--dialect ultimate" --timeout $(LIMIT) --out bench-out/programs \
	  --contestant "traces/interpolants=--engine traces --checker interpolants" \
	  --contestant "traces/pdr=--engine traces --checker pdr" \
	  --contestant "lifted=--engine lifted" --contestant "auto=--engine auto --workers 1" --peer spacer,spacer-global

bench-thesis: $(VENV)/peers
	$(BIN)/lemmata bench --suite $(BOOGIE) --expected boogie --option "--dialect ultimate" --timeout $(LIMIT) --out bench-out/thesis \
	  --contestant "thesis=--engine lifted --preset thesis" \
	  --contestant "thesis+dnf=--engine lifted --preset thesis --technique dnf=on" \
	  --contestant "thesis+interpolation=--engine lifted --preset thesis --technique interpolation=on" \
	  --contestant "thesis+caching=--engine lifted --preset thesis --technique caching=on" \
	  --contestant "thesis+memory=--engine lifted --preset thesis --technique memory=on" \
	  --contestant "lifted=--engine lifted" --peer spacer,spacer-global

# The table and the plot of docs/scaling.md; what is in build/scaling.json already is not measured again.

bench-scaling: $(VENV)/dev
	$(BIN)/python -m tests.scaling

soak: $(VENV)/dev
	$(BIN)/python -m tests.soak.circuits $(SEEDS)
	$(BIN)/python -m tests.soak.operators 100000
	$(BIN)/python -m tests.soak.words $(MODELS)
	$(BIN)/python -m tests.soak.lia $(SYSTEMS)
	$(BIN)/python -m tests.soak.boogie $(PROGRAMS)
	$(BIN)/python -m tests.soak.graphs $(GRAPHS)
	$(BIN)/python -m tests.soak.c $(PROGRAMS)
	$(BIN)/python -m tests.soak.preprocessor $(PROGRAMS)
	$(BIN)/python -m tests.soak.c_mutations $(PROGRAMS)
	$(BIN)/python -m tests.soak.verilog $(DESIGNS)

# A cluster that loses a node and its driver; the numbers of docs/scale.md.

soak-cluster: $(VENV)/dev
	$(BIN)/python -m tests.soak.cluster 300

soak-numbers: $(VENV)/dev
	$(BIN)/python -m tests.soak.lia $(SYSTEMS)

soak-programs: $(VENV)/dev
	$(BIN)/python -m tests.soak.boogie $(PROGRAMS)
	$(BIN)/python -m tests.soak.c $(PROGRAMS)
	$(BIN)/python -m tests.soak.preprocessor $(PROGRAMS)
	$(BIN)/python -m tests.soak.c_mutations $(PROGRAMS)

# Rounds in which something breaks (tests/support/faults.py); those that the log has are not run again.

faults: $(VENV)/dev
	$(BIN)/python -m tests.support.faults $(ROUNDS) $(FAULTS)

# The types of the pages' scripts (JSDoc), with TypeScript from npm.

PAGE := src/lemmata/report/page
TSC := npx -y -p typescript@5 tsc --noEmit --allowJs --checkJs --strict --target es2022 --lib es2022,dom,dom.iterable

script-types:
	$(TSC) $(addprefix $(PAGE)/,base.js waveform.js checks.js plane.js graph.js clauses.js result.js live.js)
	$(TSC) $(addprefix $(PAGE)/,base.js waveform.js checks.js plane.js graph.js clauses.js result.js show.js)
	$(TSC) $(addprefix $(PAGE)/,base.js checks.js plane.js graph.js player.js)
	$(TSC) $(addprefix $(PAGE)/,base.js bench.js)

# The pictures of pages in docs/, made anew; needs Chromium.

pictures: $(VENV)/dev
	$(BIN)/python -m tests.support.page_pictures docs/pictures

# Files from the grammars against second readers: make fuzz WORLD=btor2 TIME=600 SEED=1; findings are in fuzz-out.

fuzz: $(VENV)/dev
	@for world in $(WORLD); do $(BIN)/python -m tests.fuzz $$world --time $(TIME) --seed $(SEED) || failed=1; done; [ -z "$$failed" ]

# The native core, compiled with sanitizers and with limits so small that tests reach everything, against PySAT.

SCRIPTS ?= 100000
SANITIZED := build/sanitized

fuzz-native: $(VENV)/dev
	rm -rf $(SANITIZED) && mkdir -p $(SANITIZED) && cp -r src $(SANITIZED)/src
	$(BIN)/python hatch_build.py --to $(SANITIZED)/src -g -O1 -fno-omit-frame-pointer -fsanitize=address,undefined \
	  -fno-sanitize-recover=undefined -DSMALL_LIMITS
	LD_PRELOAD="$$($(CC) -print-file-name=libasan.so) $$($(CC) -print-file-name=libubsan.so)" ASAN_OPTIONS=detect_leaks=0 \
	  PYTHONPATH=$(SANITIZED)/src $(BIN)/python -m tests.soak.native $(SCRIPTS)

clean:
	rm -rf $(VENV) build bench-out fuzz-out .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis

# One environment, four sizes: to run, to develop, to write the site, to compare with peers.

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Lemmata needs Python 3.11 or newer; call: make PYTHON=/path/to/python3.11 ..."; exit 1; }
	$(PYTHON) -m venv $(VENV)

# Bytecode is written here, since Python may be told not to write any; then every start would compile what it loads. It is valid
# as long as the sources are (by their hash), and old where they were edited since: those are compiled at each start until the
# next `make compile`.

COMPILE = env -u PYTHONDONTWRITEBYTECODE $(BIN)/python -m compileall -q --invalidation-mode checked-hash

$(VENV)/base: $(VENV)/bin/python pyproject.toml constraints.txt hatch_build.py $(wildcard native/*)
	$(BIN)/python -m pip install -q -e ".[c,verilog]"
	$(COMPILE) src/lemmata
	@touch $@

compile: $(VENV)/base
	$(COMPILE) src/lemmata

$(VENV)/dev: $(VENV)/base
	$(BIN)/python -m pip install -q -e ".[dev]"
	@touch $@

$(VENV)/docs: $(VENV)/base
	$(BIN)/python -m pip install -q -e ".[docs]"
	@touch $@

$(VENV)/peers: $(VENV)/base
	$(BIN)/python -m pip install -q -e ".[all]"
	@touch $@

# Environments without our constraints, anew each time: what is newest changes.

.PHONY: build/wheel build/newest build/lowest

build/wheel: export PIP_CONSTRAINT := $(CURDIR)/constraints.txt
build/wheel:
	rm -rf $@
	$(PYTHON) -m pip wheel -q --no-deps -w $@ .

build/newest build/lowest: build/wheel
	$(PYTHON) .ci/lowest.py > build/lowest.txt
	rm -rf $@
	$(PYTHON) -m venv $@
	$@/bin/python -m pip install -q "$$(echo build/wheel/*.whl)[test,yices]"
	$@/bin/python -c 'import lemmata, sys; assert lemmata.__file__.startswith(sys.prefix), lemmata.__file__'
