# Two commands do everything, set-up included: `make demo` and `make test`.
.PHONY: all setup build demo test sanitize tsan bench lint format clean
.DEFAULT_GOAL := build

setup:
	@scripts/setup.sh

# Configures and builds a preset: make build, make build PRESET=debug
PRESET ?= release
build: setup
	@mkdir -p build
	@cmake --preset $(PRESET) -Wno-dev > build/configure-$(PRESET).log 2>&1 || (cat build/configure-$(PRESET).log; exit 1)
	@cmake --build --preset $(PRESET)

demo: build
	@scripts/demo.sh

# ctest lists what was skipped last; say the count once more below it.
test: build
	@ctest --preset $(PRESET) --output-log build/test-$(PRESET).log
	@grep 'tests passed' build/test-$(PRESET).log

# The same tests under AddressSanitizer and UBSan, or ThreadSanitizer.
sanitize tsan:
	@$(MAKE) test PRESET=$@

bench: build
	@build/release/benchmark_dynamics
	@build/release/benchmark_solvers stored

lint: build
	@scripts/lint.sh

format: setup
	@git ls-files '*.cpp' '*.hpp' | xargs clang-format -i

clean:
	rm -rf build
