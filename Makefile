# Standstill: `make help` lists the targets, docs/development.md explains the builds.

PYTHON  ?= python3
MARCH   ?= native
JOBS    ?= 2
# Arguments of pytest, such as folders: make test TESTS="tests/board -k perft"
TESTS   ?= tests
# Number of processes that share the tests, one more than cores, because some tests wait for clocks and other programs;
# 0 runs them all in pytest's own process, in order, as a debugger needs.
WORKERS ?= $(shell echo $$(($$(getconf _NPROCESSORS_ONLN) + 1)))
# Total time for fuzzing all targets. FUZZ="names" selects some of the targets in tests/fuzz/targets.py.
SECONDS ?= 600
# Random tests that repeat more often if STANDSTILL_LONG is set (tests/amounts.py).
LONG := tests/clock tests/ctest tests/annotate/test_workers.py tests/correspondence tests/kit/test_c_file.py \
	tests/match/test_resuming.py tests/pgn tests/session/test_clock_games.py tests/uci/test_random_sessions.py \
	tests/variants tests/xboard
# LOCKED=1 installs exactly the releases in requirements/ci.txt, checked by hash, as continuous integration does.
export MARCH REQUEST WORKERS LOCKED

PY   := .venv/bin/python
PIP  := $(PY) -m pip install -q --disable-pip-version-check
TREE := PYTHONPATH=build/tree:. $(PY)
.DEFAULT_GOAL := build
.DELETE_ON_ERROR:
# The content of a file. make 3.81, the version on macOS, does not support $(file <NAME).
text = $(shell cat $(1) 2>/dev/null)
.PHONY: FORCE
.PRECIOUS: .venv/.installed-% build/%/python build/%/standstill build/%/ctest
# --- what has changed since the last build --------------------------------------------------------------------------
# A virtual environment keeps its Python until PYTHON names another one.
ifeq ($(wildcard $(PY)),)
VENV_STALE := FORCE
else ifneq ($(origin PYTHON),file)
ifneq ($(call text,.venv/.python),$(PYTHON))
VENV_STALE := FORCE
endif
endif

ifneq ($(call text,.venv/.installed),$(LOCKED))
INSTALL_STALE := FORCE
endif
# The flags of the last build are kept in a file. The processor is one of them, because -march=native depends on it: on
# another machine the build may crash on an unknown instruction.
REQUEST := $(MARCH) $(if $(filter default,$(origin CC)),,$(CC)) $(CFLAGS) $(CPPFLAGS) $(LDFLAGS) \
	$(shell { cat /proc/cpuinfo || sysctl machdep.cpu; } 2>/dev/null | grep -im1 '^flags\|features' | cksum)
ifneq ($(call text,build/request),$(REQUEST))
BUILD_STALE := FORCE
endif
# A missing module has to be built, even if the stamp is up to date.
MODULES := $(basename $(wildcard cext/*.pyx cext/*/*.pyx))
ifneq ($(strip $(foreach name,$(MODULES),$(if $(wildcard $(name).*.so),,$(name)))),)
BUILD_STALE := FORCE
endif
# The launcher contains the full path of its interpreter, so a moved clone needs a new launcher.
ifneq ($(call text,build/place),$(CURDIR))
LAUNCHER_STALE := FORCE
endif

# --- the environment and the build in the tree ----------------------------------------------------------------------
.venv/.python: $(VENV_STALE)
	@tools/make/environment.sh '$(PYTHON)' $@

.venv/.installed: .venv/.python tools/building/requirements.py pyproject.toml $(if $(LOCKED),requirements/ci.txt) $(INSTALL_STALE)
	@echo "installing what the build and the commands need into .venv"
	@tools/make/install.sh $(PY) build && tools/make/install.sh $(PY) run
	@printf '%s' '$(LOCKED)' > $@

.venv/.installed-%: .venv/.installed
	tools/make/install.sh $(PY) $*
	@touch $@

# setup.py writes build/inplace/lib.state/flags if the flags differ, even if it is called directly with another BUILD.
build/stamp: .venv/.installed $(wildcard cext/*.pyx cext/*/*.pyx cext/*/*.pxd cext/*/*.h build/inplace/lib.state/flags) $(BUILD_STALE)
	@mkdir -p build
	@BUILD=release $(PY) setup.py -q build_ext --inplace -j $(JOBS)
	@printf '%s' "$$REQUEST" > build/request
	@touch $@

standstill: .venv/.python tools/building/commands.py $(LAUNCHER_STALE) | build/stamp
	@$(PY) setup.py -q launcher
	@printf '%s' "$(CURDIR)" > build/place

# --- builds outside the tree: build/NAME/lib, build/NAME/standstill --------------------------------------------------
# The name of a build is its kind, except that `portable` is a release build.
kind = $(if $(filter portable,$*),release,$*)
# An interpreter with the environment of the build, for its tests and launcher.
build/%/python: FORCE | .venv/.installed
	@BUILD=$(kind) $(PY) setup.py -q interpreter --output $@

build/%/standstill: build/%/python FORCE | .venv/.installed
	BUILD=$(kind) $(PY) setup.py -q build --build-base build/$* --build-platlib build/$*/lib --parallel $(JOBS)
	@cp engine.ini build/$*/lib/standstill/
	@$(PY) setup.py -q launcher --root build/$*/lib --output $@ --interpreter build/$*/python

build/%/ctest: build/%/standstill FORCE | .venv/.installed-tests
	BUILD=$(kind) $(PY) setup.py -q ctest --build-lib $@ --build-temp $@.temp -j $(JOBS)

build/ctest: FORCE | build .venv/.installed-tests
	BUILD=release $(PY) setup.py -q ctest --build-lib build/ctest --build-temp build/ctest.temp -j $(JOBS)

build/fuzz/coverage.so: tests/fuzz/coverage.c
	@mkdir -p build/fuzz
	$(if $(filter default,$(origin CC)),cc,$(CC)) -O2 -fPIC -shared -o $@ $< -ldl

##@ Build and play
.PHONY: build play web debug clean help
build: build/stamp standstill ## build ./standstill (the default)
	@echo "ready: $(CURDIR)/standstill"
play: build ## build, then watch a short game of the engine with itself
	./standstill selfplay
web: build ## build, then open the pages in a web browser: PAGE=play
	./standstill web $(PAGE)
debug: build/debug/standstill ## build build/debug/standstill, with checks, for a debugger
	@echo "built $<"
clean: ## remove everything built; keep the virtual environment
	rm -rf build dist standstill *.egg-info .pytest_cache .ruff_cache .hypothesis
	find cext -name "*.so" -delete
	find cext engine protocol tests tools -name __pycache__ -prune -exec rm -rf {} + 2>/dev/null || true
help: ## print this list
	@awk -f tools/make/help.awk $(MAKEFILE_LIST)

##@ Test
.PHONY: test test-all test-long ctest perft portable sanitize thread fuzz mutants fresh-mutants
test: build/ctest ## run the fast tests, or some: TESTS="tests/uci -k ponder"
	tools/make/pytest.sh release -m 'not slow' $(TESTS)
test-all: build/ctest ## run every test (half an hour)
	tools/make/pytest.sh release --slow $(TESTS)
test-long: build/ctest ## run slow random tests at full length (an hour)
	STANDSTILL_LONG=1 tools/make/pytest.sh release -m slow $(LONG)
ctest: build/ctest ## run only the C-level tests
	tools/make/pytest.sh release tests/ctest
perft: build .venv/.installed-tests ## run the deep perft tables (minutes)
	tools/make/pytest.sh release -m slow -k perft $(TESTS)
portable: export MARCH := portable
portable: build/portable/ctest ## run the fast tests on a build for any processor
	tools/make/pytest.sh portable -m 'not slow' $(TESTS)
sanitize: build/sanitize/ctest ## run them with address and undefined-behaviour checks
	tools/make/pytest.sh sanitize -m 'not slow' $(TESTS)
thread: build/thread/standstill .venv/.installed-tests ## run the threaded search under the thread sanitizer
	tools/make/pytest.sh thread $(if $(filter file,$(origin TESTS)),tests/search/test_threads.py,$(TESTS))
fuzz: build/fuzz/standstill build/fuzz/coverage.so .venv/.installed-tests ## fuzz the parsers: SECONDS=600 FUZZ="pgn uci"
	@$(PY) -c 'import atheris' 2>/dev/null || $(PIP) 'atheris>=3'
	PYTHONPATH=build/fuzz/lib:. build/fuzz/python -P -m tests.fuzz.run --seconds $(SECONDS) $(FUZZ)
mutants: build/ctest ## make likely mistakes that tests must notice: MUTANTS="words"
	$(TREE) -m tools.mutants.run --jobs $(JOBS) $(MUTANTS)
fresh-mutants: build/ctest ## draw random mistakes, and count those noticed
	$(TREE) -m tools.mutants.fresh --jobs $(JOBS) $(MUTANTS)

##@ Check the source
.PHONY: editor lint hints annotate audit lock
editor: .venv/.installed-tests ## prepare an editor: resolve imports, without compiling
	@$(PY) -m tools.building.tree
lint: editor ## run ruff, cython-lint, mypy, tsc and the check of phrases
	$(PY) -m ruff check .
	PATH="$(CURDIR)/.venv/bin:$$PATH" $(PY) .venv/bin/cython-lint cext tests
	for platform in linux win32 darwin; do $(PY) -m mypy --platform $$platform || exit; done
	$(PY) -m tools.prose
	tools/web/check.sh
hints: .venv/.installed ## fail on a performance hint or a warning of Cython
	$(PY) setup.py -q translate
annotate: .venv/.installed ## write Cython's coloured HTML into build/annotate
	$(PY) setup.py -q translate --annotate-into build/annotate
	@echo "see build/annotate/cext/*/*.html"
audit: .venv/.installed ## check installed packages for vulnerabilities (only warns)
	@tools/make/install.sh $(PY) audit || echo "warning: cannot install pip-audit" >&2
	@$(PY) -m tools.package.audit
lock: .venv/.installed ## write requirements/*.txt: the newest releases, by hash
	$(PIP) 'uv>=0.9'
	$(PY) -m tools.package.lock

include tools/make/measure.mk tools/make/packages.mk
