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
echo "== Two bowls and a plate of 0.1 kg under a pot of 5 kg: uzawa run dish-piling"
$uzawa run dish-piling --html build/dish-piling.html
echo "open it in a browser: $PWD/build/dish-piling.html"

echo
echo "== The same by three methods, in about the time that CANAL takes a step"
cat <<'WORDS'
method    CANAL: second order, no limit, done when a step is solved. SubADMM: first order, split into bodies.
          PGS: projected Gauss-Seidel, the usual method. The last two get as many iterations as take about CANAL's time
          on a quiet machine (`uzawa bench scenes` has other numbers of them).
most      iterations of a step at the most
solve     mean wall time of the solver a step, ms, in this run; other programs on the machine make it longer
check     whether the scene ends as expected
measured  what was found; residual: how far impulses are from the laws of contact, m/s and N s, over the steps
WORDS
printf '\n%-9s %-9s %6s  %-6s %s\n' method most solve check measured
for method in "canal 0" "subadmm 80" "pgs 5"; do
  read -r solver most <<< "$method"
  out=$($uzawa run dish-piling --solver "$solver" --max-iterations "$most" --json || true)
  python3 -c '
import json, sys
r, name = json.loads(sys.argv[1]), sys.argv[2]
check = r["check"]
most = sys.argv[3] if sys.argv[3] != "0" else "no limit"
print("%-9s %-9s %6.2f  %-6s %s" % (name, most, 1e3 * r["seconds_a_step"]["solve"],
      "holds" if check["holds"] else "FAILS", check["measured"]))' "$out" "$solver" "$most"
  expected=$(python3 -c 'import json, sys; print(json.loads(sys.argv[1])["check"]["expected"])' "$out")
done
echo "expected: $expected"

echo
echo "== Named scenes, each with its check: uzawa run NAME"
for scene in heavy-on-light push-box pinch newton-cradle spinning-coin bolt-nut bolt-nut-assembly; do
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
