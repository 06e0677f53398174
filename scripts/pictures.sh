#!/usr/bin/env bash
# The pictures of README.md, in docs/pictures: each is one frame of a scene, drawn by `uzawa render`.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

picture() {  # NAME FRAME OPTIONS...
  build/release/uzawa render "$1" --frames "$2" --width 480 --height 320 --out "$work" "${@:3}"
  mv "$work"/frame_*.png "docs/pictures/$1.png"
}

picture dish-piling-robot 700 --zoom 1.6
picture bolt-nut-assembly 400 --zoom 1.3
picture pouring 285 --zoom 1.6
picture laikago-drop 50 --zoom 1.35 --set side=3
picture card-house 30 --forces --zoom 1.15
picture pinch 30 --forces --zoom 1.3
picture capstan 60 --zoom 1.1
picture jelly-stack 90 --zoom 1.3
picture rope-pile 22 --zoom 1.1
picture soft-ball-pinch 60 --forces --zoom 1.3
