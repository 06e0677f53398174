"""Which of a wheel's builds is loaded: the best that the processor can run, or the one that is asked for."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import uzawa as uz
from uzawa._engine import core

LEVELS = ("x86-64-v2", "x86-64-v3", "x86-64-v4")
V2 = "sse4_2 ssse3 popcnt cx16"
V3 = V2 + " avx2 fma bmi1 bmi2 f16c movbe"
V4 = V3 + " avx512f avx512dq avx512bw avx512vl avx512cd"


@pytest.fixture
def package(tmp_path):
    """The package as a wheel installs it, with this build in place of all three."""
    folder = tmp_path / "uzawa"
    folder.mkdir()
    for file in Path(uz.__file__).parent.glob("*.py"):
        (folder / file.name).symlink_to(file.resolve())
    for level in LEVELS:
        (folder / "isa" / level).mkdir(parents=True)
        (folder / "isa" / level / Path(core.__file__).name).symlink_to(Path(core.__file__).resolve())
    return tmp_path


def load(package, flags, wanted=""):
    """The folder of the module that a processor with these flags loads; what is written to stderr."""
    code = f"""
import pathlib
read = pathlib.Path.read_text
pathlib.Path.read_text = lambda self, *a, **k: "flags : {flags}" if str(self) == "/proc/cpuinfo" else read(self, *a, **k)
import uzawa
print(pathlib.Path(uzawa._engine.core.__file__).parent.name)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=package,
                          env={**os.environ, "PYTHONPATH": str(package), "UZAWA_ISA": wanted})  # fmt: skip
    return done.stdout.strip(), done.stderr


@pytest.mark.parametrize("flags, best", [(V2, "x86-64-v2"), (V3, "x86-64-v3"), (V4, "x86-64-v4"), (V4.replace("avx512vl", ""), "x86-64-v3"),
                                         (V3.replace("movbe", ""), "x86-64-v2")])  # fmt: skip
def test_the_best_that_runs_here(package, flags, best):
    assert load(package, flags)[0] == best, load(package, flags)[1]


@pytest.mark.parametrize("level", LEVELS)
def test_the_one_that_is_asked_for(package, level):
    assert load(package, V4, level)[0] == level


def test_what_can_not_be_had_is_told(package):
    assert "does not have these instructions" in load(package, V3, "x86-64-v4")[1]
    assert "the package has x86-64-v4, x86-64-v3, x86-64-v2" in load(package, V4, "x86-64-v1")[1]
    assert "needs a processor with the instructions of x86-64-v2" in load(package, "sse4_1")[1]
    (package / "uzawa/isa/x86-64-v4" / Path(core.__file__).name).unlink()
    assert load(package, V4)[0] == "x86-64-v3"
