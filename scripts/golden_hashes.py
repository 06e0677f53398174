#!/usr/bin/env python3
"""Hashes of short runs, to compare two builds bit by bit.

    scripts/golden_hashes.py build/release/uzawa --threads 1 2 8 > before.txt
    scripts/golden_hashes.py build/release/uzawa --threads 1 2 8 --compare before.txt

Prints one line a run: name, threads, hash of every frame of its log. Exits with 1 where a run failed, where threads
changed its hash, or where a line differs from the file to compare with. Needs h5py. Bits may change with compiler,
libraries and UZAWA_MARCH: hashes are for one machine, not for the repository.
"""
import argparse
import hashlib
import subprocess
import sys
import tempfile
from pathlib import Path

import h5py

ROOT = Path(__file__).resolve().parent.parent
MENAGERIE = ROOT.parent / "shared" / "data" / "menagerie"

# name: arguments of `uzawa run`. Every method, every kind of body, joint and shape is in one of them.
RUNS = {
    "box-stack": ["box-stack", "--time", "1"],
    "box-stack, pgs": ["box-stack", "--time", "0.3", "--solver", "pgs"],
    "heavy-on-light": ["heavy-on-light", "--time", "1"],
    "push-box": ["push-box", "--time", "0.5"],
    "pinch": ["pinch", "--time", "0.5"],
    "pinch, soft-convex": ["pinch", "--time", "0.3", "--solver", "soft-convex"],
    "card-house": ["card-house", "--time", "0.5"],
    "sphere-pile": ["sphere-pile", "--time", "0.4"],
    "quadruped-drop": ["quadruped-drop", "--time", "1"],
    "quadruped-drop, subadmm": ["quadruped-drop", "--time", "0.6", "--solver", "subadmm"],
    "newton-cradle": ["newton-cradle", "--time", "1"],
    "spinning-coin": ["spinning-coin", "--time", "0.5"],
    "bolt-nut": ["bolt-nut", "--time", "0.5"],
    "bolt-nut-assembly": ["bolt-nut-assembly", "--time", "1.5"],
    "dish-piling": ["dish-piling", "--time", "0.3"],
    "dish-sliding": ["dish-sliding", "--time", "0.3"],
    "door-handle": ["door-handle", "--time", "1"],
    "laikago-drop": ["laikago-drop", "--time", "0.8"],
    "pouring": ["pouring", "--time", "0.5", "--set", "particles=9"],
    "franka-box": ["franka-box", "--time", "0.5"],
    "humanoid_scene.xml": [str(ROOT / "models" / "humanoid_scene.xml"), "--time", "0.5"],
    "quadruped_scene.xml": [str(ROOT / "models" / "quadruped_scene.xml"), "--time", "0.5"],
    "mobile_panda.xml": [str(ROOT / "models" / "mobile_panda.xml"), "--time", "0.3"],
    "cassie": [str(MENAGERIE / "agility_cassie" / "scene.xml"), "--time", "0.3"],
    "shadow hand": [str(MENAGERIE / "shadow_hand" / "scene_right.xml"), "--time", "0.3"],
}

STATES = ["time", "q", "v", "activation"]
REST = [
    "status", "solve_status", "iterations", "inner_iterations", "resolves", "residual", "siconos", "penetration",
    "contacts/geoms", "contacts/position", "contacts/normal", "contacts/gap", "contacts/force", "contacts/key",
    "rows/source", "rows/element", "rows/part", "rows/force",
]  # not stage_seconds: no two runs take the same time


def hash_of(program, arguments, threads, datasets):
    """The hash, or why there is none."""
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "run.h5"
        run = subprocess.run([program, "run", *arguments, "--threads", str(threads), "--log", str(log)],
                             capture_output=True, text=True, check=False)
        if not log.exists():
            return f"FAILED with {run.returncode}: {' '.join(run.stderr.split())[-200:]}"
        digest = hashlib.sha256()
        with h5py.File(log) as file:
            for name in datasets:
                data = file[name][...]
                digest.update(f"{name} {data.shape} ".encode() + data.tobytes())
        return digest.hexdigest()[:16]


def is_absent(arguments):
    return arguments[0].endswith(".xml") and not Path(arguments[0]).exists()


def read_hashes(path):
    lines = [line.rstrip("\n").split("\t") for line in open(path, encoding="utf8")]
    return {(name, threads): value for name, threads, value in lines}


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", help="the `uzawa` to run")
    parser.add_argument("--threads", nargs="+", default=["1"], metavar="N", help="numbers of threads (default: 1)")
    parser.add_argument("--only", nargs="+", metavar="NAME", choices=RUNS, help="these runs instead of all")
    parser.add_argument("--states", action="store_true", help="hash states alone, not contacts and solver figures")
    parser.add_argument("--compare", metavar="FILE", help="output of an earlier call")
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    golden = read_hashes(arguments.compare) if arguments.compare else None
    datasets = STATES if arguments.states else STATES + REST
    wrong = []
    for name in arguments.only or RUNS:
        if is_absent(RUNS[name]):
            print(f"{name}: {RUNS[name][0]} is not there, left out", file=sys.stderr)
            continue
        first = None
        for threads in arguments.threads:
            value = hash_of(arguments.program, RUNS[name], threads, datasets)
            print(name, threads, value, sep="\t", flush=True)
            first = first or value
            if value.startswith("FAILED"):
                wrong.append(f"{name}, {threads} threads: {value}")
            elif value != first:
                wrong.append(f"{name}: {threads} threads give {value}, {arguments.threads[0]} give {first}")
            if golden is not None and golden.get((name, threads)) != value:
                expected = golden.get((name, threads), "nothing")
                wrong.append(f"{name}, {threads} threads: {value}, {arguments.compare} has {expected}")
    for line in wrong:
        print(line, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
