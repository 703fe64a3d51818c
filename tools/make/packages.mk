# Makefile targets for the packages that users install, on this machine and on others.

##@ Make packages for users
.PHONY: packages archive pythons everywhere cross arm macos wasm workflows
packages: .venv/.installed-packages ## write sources and a wheel for any Python into dist
	$(PY) -m tools.package.wheels
archive: packages ## write the archive that needs no Python into dist
	PATH="$(CURDIR)/.venv/bin:$$PATH" $(PY) -m tools.package.archive
pythons: .venv/.installed ## try the wheel in dist with every Python that is here
	$(PY) -m tools.package.pythons
everywhere: build ## write the numbers that builds for all machines must find
	$(TREE) tools/package/probe.py > build/everywhere && mv build/everywhere tests/data/everywhere.txt
cross: .venv/.installed-packages ## write a wheel for another machine: TARGET=linux-aarch64
	$(PY) -m tools.package.cross $(TARGET)
arm: export TARGET := linux-aarch64
arm: cross ## make and try the wheel for ARM64 Linux, under qemu as root
	tools/package/arm.sh
wasm: .venv/.installed-packages ## compile the kit for web pages: kit/rmobility.wasm
	$(PIP) 'ziglang>=0.15'
	$(PY) -m tools.package.wasm
workflows: .venv/.installed ## check the workflows that build and publish releases
	tools/package/workflows.sh
macos: .venv/.installed-packages ## build for both kinds of Mac, which shows that it compiles
	$(PIP) 'ziglang>=0.15'
	$(PY) -m tools.package.cross macosx-11.0-arm64
	$(PY) -m tools.package.cross macosx-11.0-x86_64

.PHONY: windows windows-test try-windows
windows: build .venv/.installed-packages ## write the zip and the wheel for Windows into dist
	$(PIP) 'uv>=0.9'
	$(PY) -m tools.windows --jobs $(JOBS)
windows-test: .venv/.installed-tests ## run the engine's tests under Wine: TESTS="tests/uci"
	$(PY) -m tools.windows.testing --jobs $(WORKERS) $(if $(filter file,$(origin TESTS)),,$(TESTS))
try-windows: build .venv/.installed-packages ## build quickly for Windows, and start it under Wine
	$(PIP) 'uv>=0.9'
	$(PY) -m tools.windows --quick --jobs $(JOBS)
