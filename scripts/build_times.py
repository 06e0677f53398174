#!/usr/bin/env python3
"""Where the time of a build goes, from ninja's log.

  scripts/build_times.py [build/release/.ninja_log] [--slowest N]

Seconds are from start to end of each command; with as many jobs as cores on a quiet machine that is about the processor time.
"""
import argparse
import collections
import re

KINDS = (  # the first pattern that fits the output's path
    ("precompiled headers", r"cmake_pch\.hxx\.gch$"),
    ("viewer's page", r"^viewer/"),
    ("tests", r"^tests/.*\.o$"),
    ("benchmarks", r"^benchmarks/.*\.o$"),
    ("rooms of src/", r"^src/.*\.o$"),
    ("scenarios", r"uzawa_scenarios\.dir/.*\.o$"),
    ("papers", r"uzawa_papers\.dir/.*\.o$"),
    ("live view", r"uzawa_live\.dir/.*\.o$"),
    ("program", r"^apps/.*\.o$"),
    ("links", r""),
)


def read(path):
    """Output -> seconds, of its last making. A command with several outputs counts once."""
    last = {}
    with open(path, encoding="utf-8") as log:
        for line in log:
            fields = line.rstrip("\n").split("\t")
            if len(fields) == 5:
                last[fields[3]] = (int(fields[0]), int(fields[1]), fields[4])
    once = {(start, end, command): output for output, (start, end, command) in last.items()}
    return {output: (end - start) / 1000 for (start, end, _), output in once.items()}


def kind_of(output):
    return next(name for name, pattern in KINDS if re.search(pattern, output))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("log", nargs="?", default="build/release/.ninja_log")
    parser.add_argument("--slowest", type=int, default=15, metavar="N", help="how many outputs to list")
    options = parser.parse_args()
    seconds = read(options.log)
    total, count = collections.Counter(), collections.Counter()
    for output, took in seconds.items():
        total[kind_of(output)] += took
        count[kind_of(output)] += 1
    print(f"{'kind':<22}{'outputs':>8}{'seconds':>10}{'each':>8}")
    for kind, took in total.most_common():
        print(f"{kind:<22}{count[kind]:>8}{took:>10.1f}{took / count[kind]:>8.1f}")
    print(f"{'all':<22}{len(seconds):>8}{sum(seconds.values()):>10.1f}\n")
    for output, took in sorted(seconds.items(), key=lambda item: -item[1])[: options.slowest]:
        print(f"{took:>8.1f}  {output}")


if __name__ == "__main__":
    main()
