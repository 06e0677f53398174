#!/usr/bin/env bash
# Formatting and static analysis of everything that is ours. Needs the preset lint configured (make lint does that).
set -euo pipefail
cd "$(dirname "$0")/.."
git ls-files '*.cpp' '*.hpp' | xargs clang-format --dry-run -Werror
echo "clang-format: clean"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# GCC-only flags are unknown to clang-tidy's front end.
if ! run-clang-tidy -quiet -p build/lint -extra-arg=-Wno-unknown-warning-option "$PWD/(src|scenarios|papers|apps|benchmarks|tests)/.*" \
    >"$log" 2>&1; then
  grep -E 'error:|warning:' "$log" | sort -u
  exit 1
fi
echo "clang-tidy: clean"
