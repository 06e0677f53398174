#!/usr/bin/env bash
# The Python package is built and tested with an environment of its own, build/venv. Quick when it is there.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh python3-dev python3-venv
venv=build/venv
if ! cmp -s python/requirements.txt "$venv/requirements.txt"; then
  python3 -m venv "$venv"
  "$venv/bin/pip" install -q --disable-pip-version-check -r python/requirements.txt
  cp python/requirements.txt "$venv/requirements.txt"
  echo "Python's environment is in $venv"
fi
