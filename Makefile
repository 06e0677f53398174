# Two commands do everything, set-up included: `make demo` and `make test`.
.PHONY: all setup build demo test python sanitize tsan bench lint format docs install clean
.DEFAULT_GOAL := build

setup:
	@scripts/setup.sh

# Configures a preset and builds what is asked for, the program if nothing is: make build, make build PRESET=debug
PRESET ?= release
TARGETS = uzawa
build: setup
	@mkdir -p build
	@cmake --preset $(PRESET) -Wno-dev > build/configure-$(PRESET).log 2>&1 || (cat build/configure-$(PRESET).log; exit 1)
	@cmake --build --preset $(PRESET) --target $(TARGETS)

# Tests and benchmarks as well.
all: TARGETS = all
all: build

demo: TARGETS = uzawa benchmark_dynamics
demo: build
	@scripts/demo.sh

# ctest lists what was skipped last; say the count once more below it.
test: all
	@ctest --preset $(PRESET) --output-log build/test-$(PRESET).log
	@grep 'tests passed' build/test-$(PRESET).log

# The Python package in build/release/python, and its tests.
python:
	@scripts/setup_python.sh
	@mkdir -p build
	@cmake --preset $(PRESET) -Wno-dev -DUZAWA_PYTHON=ON > build/configure-python.log 2>&1 || (cat build/configure-python.log; exit 1)
	@cmake --build --preset $(PRESET) --target uzawa_core uzawa_stub uzawa
	@ctest --preset $(PRESET) -R '^Python' -V | grep -E '^[0-9]+: .*(passed|failed|FAILED|Error)|tests passed'

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
