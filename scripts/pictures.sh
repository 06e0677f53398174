#!/usr/bin/env bash
# The pictures of README.md, in docs/pictures: each is one frame of a scene, drawn by `uzawa render`.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

picture() {  # NAME FRAME OPTIONS...
  build/release/uzawa render "$1" --frames "$2" --width 480 --height 320 --out "$work" "${@:3}"
  mv "$work/frame_00000.png" "docs/pictures/$1.png"
}

picture quadruped-drop 45 --forces --zoom 1.15
picture card-house 30 --forces --zoom 1.15
picture sphere-pile 60 --zoom 1.1
picture pinch 30 --forces --zoom 1.3
