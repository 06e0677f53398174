#!/usr/bin/env bash
# What works so far, shown: load our robots, check their dynamics against MuJoCo, run scenes, leave a
# replay, time us against MuJoCo.
set -euo pipefail
cd "$(dirname "$0")/.."
uzawa=build/release/uzawa

echo "== A robot: uzawa info models/quadruped.xml"
$uzawa info models/quadruped.xml

echo
echo "== Our dynamics against MuJoCo's at 200 random states: uzawa verify"
printf '%-32s %10s %12s %12s %12s %14s\n' model poses 'mass matrix' 'bias force' passive actuator
for model in models/*.xml; do
  $uzawa verify "$model" --states 200 --json | python3 -c '
import json, sys
r = json.load(sys.stdin)
keys = ("pose", "mass_matrix", "bias_force", "passive_force", "actuator_force")
print("%-32s %10.1e %12.1e %12.1e %12.1e %14.1e  %s" % (r["model"], *(r[k] for k in keys), "agrees" if r["passed"] else "DIFFERS"))'
done

echo
echo "== Named scenes, each with its check: uzawa run NAME"
for scene in heavy-on-light push-box pinch newton-cradle spinning-coin; do
  $uzawa run "$scene" | grep -E '^[a-z]|real-time|expected|measured|check'
done

echo
echo "== A replay to look at: uzawa run quadruped-drop --html build/quadruped-drop.html"
$uzawa run quadruped-drop --html build/quadruped-drop.html | grep -E 'replay|check'
echo "open it in a browser: $PWD/build/quadruped-drop.html"
echo "or run it live: $uzawa view quadruped-drop"

echo
echo "== Our speed against MuJoCo's, interleaved: benchmark_dynamics"
build/release/benchmark_dynamics
