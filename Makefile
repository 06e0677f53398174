# Two commands do everything, set-up included: `make demo` and `make test`.
.PHONY: all setup build demo test python python_packages wheel sanitize tsan bench lint format docs install clean
.DEFAULT_GOAL := build

setup:
	@scripts/setup.sh

# Configures a preset and builds what is asked for, the program if nothing is: make build, make build PRESET=debug
PRESET ?= release
TARGETS = uzawa
build: setup
	@mkdir -p build
	@cmake --preset $(PRESET) -Wno-dev $(OPTIONS) > build/configure-$(PRESET).log 2>&1 || (cat build/configure-$(PRESET).log; exit 1)
	@cmake --build --preset $(PRESET) --target $(TARGETS)

# Tests and benchmarks as well, and in release the Python package: an interpreter without sanitizers can't load the others.
all: TARGETS = all
ifeq ($(PRESET),release)
all: OPTIONS = -DUZAWA_PYTHON=$$(cmp -s python/requirements.txt build/venv/requirements.txt && echo ON || echo OFF)
all: python_packages
endif
all: build

# Where the packages can't be had, the rest goes on without Python.
python_packages:
	@scripts/setup_python.sh || echo "Python's packages can't be had from the registry: its tests are left out" >&2

demo: TARGETS = uzawa benchmark_dynamics
demo: build
	@scripts/demo.sh

# ctest lists what was skipped last; say the counts once more below it: pytest's own, which is one test of ctest, and ctest's.
test: all
	@ctest --preset $(PRESET) --output-log build/test-$(PRESET).log
	@grep -hE '^[0-9]+ passed' build/$(PRESET)/Testing/Temporary/LastTest.log | sed 's/^/pytest: /' || true
	@grep 'tests passed' build/test-$(PRESET).log

# The Python package in build/release/python, and its tests alone.
python: TARGETS = uzawa_core uzawa_stub
python: OPTIONS = -DUZAWA_PYTHON=ON
python: python_packages build
	@ctest --preset $(PRESET) -R '^Python' -V | grep -E '^[0-9]+: .*(passed|failed|FAILED|Error)|tests passed'

# A wheel for any x86-64 machine of the last ten years, with a build of the library a level of instruction sets: three times the
# time of `pip install .`, which builds for this machine.
wheel: python_packages
	@build/venv/bin/pip wheel . --no-deps --no-build-isolation -w build/wheels -C 'cmake.define.UZAWA_LEVELS=x86-64-v2;x86-64-v3;x86-64-v4'
	@ls build/wheels/uzawa-*.whl

# The same tests under AddressSanitizer and UBSan, or ThreadSanitizer.
sanitize tsan:
	@$(MAKE) test PRESET=$@

bench: TARGETS = benchmark_dynamics benchmark_solvers
bench: build
	@build/release/benchmark_dynamics
	@build/release/benchmark_solvers stored

# clang-tidy reads sources with the flags of a build that has no precompiled headers, which are GCC's; nothing is compiled.
lint: PRESET = lint
lint: TARGETS = uzawa_commit
lint: build
	@scripts/lint.sh

format: setup
	@git ls-files '*.cpp' '*.hpp' | xargs clang-format -i

# The reference of the headers; fails where a comment has mark-up that Doxygen does not understand.
docs:
	@scripts/setup.sh doxygen
	@mkdir -p build
	@doxygen docs/Doxyfile
	@echo "open it in a browser: $(CURDIR)/build/docs/html/index.html"

# Program, library and models: make install PREFIX=/usr/local
PREFIX ?= $(HOME)/.local
install: build
	@cmake --install build/$(PRESET) --prefix "$(PREFIX)" > build/install.log || (cat build/install.log; exit 1)
	@echo "installed in $(PREFIX)"
	@command -v uzawa >/dev/null || echo 'to find the program:  export PATH="$(PREFIX)/bin:$$PATH"'
	@echo 'to find the library:  cmake -DCMAKE_PREFIX_PATH="$(PREFIX)" ...'

clean:
	rm -rf build
