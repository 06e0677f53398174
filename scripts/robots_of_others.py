#!/usr/bin/env python3
"""Robots of other projects: which load, run, and move as in MuJoCo.

Downloads the packages by name (pip), tries every MJCF and URDF file in them with the program and prints a table a file and
the shares of each kind. Not part of the tests: it needs the network, a python with `pip`, and half an hour.

    scripts/robots_of_others.py build/release/uzawa --folder /tmp/robots            # all
    scripts/robots_of_others.py build/release/uzawa --only panda --time 1           # some
    scripts/robots_of_others.py build/release/uzawa --json rows.json --minutes 7    # piece by piece: go on with rows.json
    ... --mujoco build/deps/mujoco-3.17.0/libmujoco.so.3.17.0                       # step times beside MuJoCo's
"""
import argparse
import ctypes
import json
import multiprocessing
import pathlib
import re
import statistics
import subprocess
import sys
import time
import zipfile

PACKAGES = ["gymnasium", "gymnasium-robotics", "dm_control", "robosuite", "pybullet", "example-robot-data"]
RANDOM_SHAPES = re.compile(r"random_urdfs/(\d+)/")  # a thousand files of one kind: each hundredth is enough


def download(folder):
    """The packages, without what they depend on, one folder each."""
    for package in PACKAGES:
        target = folder / package
        if target.exists():
            continue
        wheels = folder / "wheels" / package
        wheels.mkdir(parents=True, exist_ok=True)
        subprocess.run([sys.executable, "-m", "pip", "download", "--no-deps", "--quiet", "--only-binary", ":all:", "--dest",
                        str(wheels), package], check=True)
        for wheel in wheels.glob("*.whl"):
            zipfile.ZipFile(wheel).extractall(target)


def find_models(folder):
    for path in sorted(folder.rglob("*")):
        random_shape = RANDOM_SHAPES.search(str(path))
        if random_shape and int(random_shape.group(1)) % 100 != 0:
            continue
        if path.suffix == ".urdf":
            yield "URDF", path
        elif path.suffix == ".xml" and "<mujoco" in path.read_text(errors="replace"):
            yield "MJCF", path


def call(program, *arguments, timeout):
    try:
        done = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True, timeout=timeout)
    except subprocess.TimeoutExpired:
        return None, f"not done in {timeout} s"
    error = done.stderr.strip().splitlines()
    start = done.stdout.find("{")
    try:
        return json.loads(done.stdout[start:]), error[-1] if error else ""
    except ValueError:
        return None, error[-1] if error else f"exit code {done.returncode}"


# What MuJoCo itself refuses, and files whose meshes or parts are not in the package, are nobody's failure.
NOT_OURS = re.compile(r"not found; looked for|Error opening file|no such file|XML Error|Schema violation|Unrecognized XML|"
                      r"unrecognized|not found in|no longer supported|repeated|mass and inertia of moving|required attribute|"
                      r"must be positive|invalid keyword|unknown model")


def their_median(library, path, seconds, answer):
    """s, of MuJoCo's steps of an MJCF file from its first keyframe; the cost of the call itself is taken off."""
    mujoco = ctypes.CDLL(library)
    mujoco.mj_loadXML.restype = mujoco.mj_makeData.restype = ctypes.c_void_p
    error = ctypes.create_string_buffer(1000)
    model = ctypes.c_void_p(mujoco.mj_loadXML(str(path).encode(), None, error, 1000))
    if not model:
        return
    data = ctypes.c_void_p(mujoco.mj_makeData(model))
    mujoco.mj_resetDataKeyframe(model, data, 0)  # without keyframes: as in the model
    clock = time.perf_counter

    def timed(call, *arguments):
        start = clock()
        call(*arguments)
        return clock() - start

    overhead = statistics.median(timed(mujoco.mju_min, ctypes.c_double(1), ctypes.c_double(2)) for _ in range(1000))
    steps, end = [], clock() + 30
    while len(steps) < seconds and clock() < end:
        steps.append(timed(mujoco.mj_step, model, data) - overhead)
    answer.put(statistics.median(steps))


def their_step(library, path, steps):
    """In a process of its own: MuJoCo ends the program where a model has an error."""
    answer = multiprocessing.Queue()
    process = multiprocessing.Process(target=their_median, args=(library, path, steps, answer))
    process.start()
    process.join(60)
    if process.is_alive():
        process.kill()
    return answer.get() if not answer.empty() else None


def try_model(program, kind, path, arguments):
    row = {"kind": kind, "file": str(path.relative_to(arguments.folder)), "loaded": False, "ran": False}
    info, error = call(program, "info", "--json", path, timeout=arguments.patience)
    if info is None or not info["supported"]:
        row["error"] = error if info is None else "not supported: " + "; ".join(info["unsupported"])
        row["ours"] = info is not None or not (NOT_OURS.search(error) and (kind == "MJCF" or "looked for" in error))
        return row
    row["loaded"] = row["ours"] = True
    run, error = call(program, "run", "--json", "--time", arguments.time, path, timeout=arguments.patience)
    if run is None:
        row["error"] = error
        return row
    failed = run["statuses"]["failed"] + (1 if run["ended_by"] else 0)
    row.update(ran=failed == 0, steps=run["steps"], unsolved=run["steps"] - run["statuses"]["solved"],
               residual=run["residual"]["worst"], worst=run["seconds_a_step"]["worst"], median=run["seconds_a_step"]["median"])
    if run["ended_by"]:
        row["error"] = run["ended_by"]
    if arguments.mujoco and kind == "MJCF" and row["ran"] and info["nv"] > 0:  # files of parts have nothing that moves
        theirs = their_step(arguments.mujoco, path, run["steps"])
        row["ratio"] = row["median"] / theirs if theirs else None
    compared, error = call(program, "verify", "--json", "--states", 20, path, timeout=arguments.patience)
    if compared is None:
        row["error"] = error
    else:
        row["difference"] = max(compared[k] for k in ("pose", "mass_matrix", "bias_force", "passive_force", "actuator_force",
                                                      "activation_rate", "tendon_length", "sensors"))
    return row


def print_row(row):
    def number(key, scale=1.0):
        return f"{row[key] * scale:9.2e}" if key in row and row[key] is not None else " " * 9

    print(f"{row['kind']} {'yes' if row['loaded'] else 'no ':3} {'yes' if row['ran'] else 'no ':3} {number('residual')} "
          f"{number('median', 1e6)} {number('worst', 1e6)} {number('difference')} {number('ratio')}  {row['file']}"
          + (f"  [{row['error'][:160]}]" if row.get("error") else ""), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", help="uzawa")
    parser.add_argument("--folder", type=pathlib.Path, default=pathlib.Path("build/robots"), help="for the packages")
    parser.add_argument("--time", type=float, default=5, help="simulated seconds a model")
    parser.add_argument("--patience", type=float, default=300, help="seconds a model and command")
    parser.add_argument("--only", default="", help="files whose path contains this")
    parser.add_argument("--every", type=int, default=1, help="only each n-th file")
    parser.add_argument("--json", type=pathlib.Path, help="file for all rows; those that it has are not run again")
    parser.add_argument("--minutes", type=float, default=1e9, help="then the rest is left to the next call")
    parser.add_argument("--again", default="", help="run rows again whose file contains this, or `failed` ones")
    parser.add_argument("--mujoco", help="library, for step times beside MuJoCo's")
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    download(arguments.folder)
    print("kind load run  residual median us  worst us difference     ratio  file")
    known = json.loads(arguments.json.read_text()) if arguments.json and arguments.json.exists() else []
    if arguments.again:
        failed = arguments.again == "failed"
        known = [r for r in known if not (r["ours"] and not r["ran"] if failed else arguments.again in r["file"])]
    known = {row["file"]: row for row in known}
    models = [m for m in find_models(arguments.folder) if arguments.only in str(m[1])][::arguments.every]
    end = time.monotonic() + 60 * arguments.minutes
    for kind, path in models:
        name = str(path.relative_to(arguments.folder))
        if name in known or time.monotonic() > end:
            continue
        known[name] = try_model(arguments.program, kind, path, arguments)
        print_row(known[name])
        if arguments.json:
            arguments.json.write_text(json.dumps(list(known.values()), indent=1))
    names = [str(path.relative_to(arguments.folder)) for _, path in models]
    rows = [known[name] for name in names if name in known]
    if len(rows) < len(names):
        print(f"{len(names) - len(rows)} files are left")
    for kind in ("MJCF", "URDF"):
        ours = [row for row in rows if row["kind"] == kind and row["ours"]]
        loaded = sum(row["loaded"] for row in ours)
        ran = sum(row["ran"] for row in ours)
        if ours:
            print(f"{kind}: {loaded} of {len(ours)} load ({100 * loaded / len(ours):.1f} %), {ran} run {arguments.time:g} s "
                  f"without a failed step ({100 * ran / len(ours):.1f} %); "
                  f"{sum(r['kind'] == kind and not r['ours'] for r in rows)} left out: MuJoCo refuses them or parts are missing")
    ran = [row for row in rows if row["ran"]]
    print(f"{sum(r['steps'] for r in ran)} steps, {sum(r['unsolved'] for r in ran)} of them not solved to the tolerance, in "
          f"{sum(r['unsolved'] > 0 for r in ran)} of {len(ran)} files")
    for key, unit in (("residual", ""), ("worst", " s"), ("difference", "")):
        known = [row for row in ran if row.get(key) is not None]
        if known:
            most, middle = max(known, key=lambda row: row[key]), statistics.median(row[key] for row in known)
            print(f"largest {key}: {most[key]:.2g}{unit}, {most['file']}; median {middle:.2g}{unit}")
    ratios = sorted((row["ratio"], row["file"]) for row in rows if row.get("ratio"))
    if ratios:
        above = [f"{ratio:.2f} {name}" for ratio, name in reversed(ratios) if ratio > 1.5]
        print(f"step time over MuJoCo's: median {statistics.median(r for r, _ in ratios):.2f} of {len(ratios)}, "
              f"{len(above)} above 1.5: " + ", ".join(above))


if __name__ == "__main__":
    main()
