#!/usr/bin/env bash
# Installs what the project needs and is missing: Debian packages, and MuJoCo from its Python wheel (which ships headers
# and library) into build/deps. Quick when nothing is missing. Where the wheel can't be had, Debian's older MuJoCo does.
# Arguments: further Debian packages, for what few need.
set -euo pipefail
cd "$(dirname "$0")/.."

packages=("$@" g++ cmake ninja-build make python3 python3-pip unzip
  libeigen3-dev libfmt-dev libcli11-dev nlohmann-json3-dev libtinyxml2-dev libassimp-dev libhdf5-dev libmujoco-dev
  zlib1g-dev libboost-dev libqhull-dev libccd-dev libgtest-dev librapidcheck-dev libbenchmark-dev libsiconos-numerics-dev clang-format clang-tidy
  chromium)  # chromium: the tests of the viewer's page, uzawa render
# The viewer's page is built with node; any that is there already will do.
command -v node >/dev/null && command -v npm >/dev/null || packages+=(nodejs npm)

missing=()
for package in "${packages[@]}"; do
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
done
if [ ${#missing[@]} -gt 0 ]; then
  echo "Installing: ${missing[*]}"
  as_root=()
  [ "$(id -u)" -eq 0 ] || as_root=(sudo)
  "${as_root[@]}" apt-get update -qq
  DEBIAN_FRONTEND=noninteractive "${as_root[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
fi

version=$(sed -n 's/^set(UZAWA_MUJOCO_VERSION \([0-9.]*\)).*/\1/p' cmake/MuJoCo.cmake)
target=build/deps/mujoco-$version
if [ ! -e "$target/libmujoco.so.$version" ]; then
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  if python3 -m pip download -q --disable-pip-version-check --no-deps --only-binary=:all: --python-version 3.11 \
      -d "$work" "mujoco==$version" && unzip -q "$work"/mujoco-*.whl 'mujoco/include/*' 'mujoco/libmujoco.so*' -d "$work"; then
    mkdir -p "$(dirname "$target")"
    rm -rf "$target.part" && mv "$work/mujoco" "$target.part" && mv "$target.part" "$target"
    echo "MuJoCo $version is in $target"
  else
    echo "MuJoCo $version can't be had from the Python registry; the build uses Debian's" >&2
  fi
fi
