#!/usr/bin/env bash
# The pictures of README.md and docs/gallery.md, in docs/pictures: each is one frame of a scene, drawn by `uzawa render`.
# scripts/pictures.sh NAME... draws some of them; README's moving picture is called `film`.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
wanted=" $* "

is_wanted() { [[ "$wanted" == "  " || "$wanted" == *" $1 "* ]]; }

picture() {  # NAME FRAME OPTIONS...
  is_wanted "$1" || return 0
  build/release/uzawa render "$1" --frames "$2" --width "$width" --height $((width * 2 / 3)) --out "$work" "${@:3}"
  mv "$work"/frame_*.png "docs/pictures/$1.png"
}
large() { width=720 picture "$@"; }
width=480

if is_wanted film; then
  build/release/uzawa render dish-piling-robot --frames 540:1080:6 --zoom 1.6 --width 600 --height 400 --film --webp --out "$work"
  mv "$work/dish-piling-robot.webp" docs/pictures
fi

large dish-piling-robot 700 --zoom 1.6
large bolt-nut-assembly 400 --zoom 1.3
large pouring 285 --zoom 1.6
large laikago-drop 50 --zoom 1.35 --set side=3

picture franka-box 60 --zoom 1.3
picture granular-stir 150 --zoom 1.3
picture quadruped-drop 40 --zoom 1.2
picture humanoid-squat 30 --zoom 1.2
picture humanoid-tap-dance 40 --zoom 1.2
picture door-handle 60 --zoom 1.2

picture box-stack 30 --forces --zoom 1.1
picture heavy-on-light 30 --forces --zoom 1.1
picture push-box 40 --forces --zoom 1.1
picture pinch 30 --forces --zoom 1.3
picture card-house 30 --forces --zoom 1.15
picture sphere-pile 80 --zoom 1.1
picture newton-cradle 30 --zoom 1.1
picture spinning-coin 10 --zoom 1.1
picture bolt-nut 60 --points --zoom 1.2
picture dish-piling 100 --forces --zoom 1.2
picture dish-sliding 40 --zoom 1.1
picture box-sliding 60 --forces --zoom 1.1
picture box-anisotropic 20 --forces --zoom 1.1

picture soft-mat 150 --zoom 1.3
picture soft-gripper 120 --zoom 1.3
picture soft-ball 120 --zoom 1.3
picture beam-insertion 120 --zoom 1.3
picture cable-winding 300 --zoom 1.3
picture cable-carry 300 --zoom 1.2
picture soft-cube-slope 60 --zoom 1.1
picture soft-ball-pinch 60 --forces --zoom 1.3
picture jelly-stack 90 --zoom 1.3
picture cantilever 160 --zoom 1.1
picture hanging-cable 200 --zoom 1.1
picture capstan 60 --zoom 1.1
picture rope-pile 22 --zoom 1.1

picture hoist 20 --zoom 1.1
picture ring 20 --zoom 1.1
picture net 25 --zoom 1.1
