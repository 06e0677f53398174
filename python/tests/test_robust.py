"""Nothing crashes, nothing leaks. Short forms; the long ones, some minutes: pytest -m slow python/tests/test_robust.py"""

import gc
import os
import subprocess
import sys
from pathlib import Path

import pytest

import uzawa as uz
from conftest import BOX_ON_FLOOR

HERE = Path(__file__).parent


def resident():
    """Bytes in memory."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def fuzz(calls, seed):
    run = subprocess.run([sys.executable, str(HERE / "fuzz.py"), str(calls), "--seed", str(seed)], capture_output=True, text=True, timeout=3000)
    assert run.returncode == 0, f"exit {run.returncode}\n{run.stdout[-500:]}{run.stderr[-3000:]}"
    print(run.stdout)


def test_random_calls_do_not_crash():
    fuzz(4000, 1)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 7))
def test_many_random_calls_do_not_crash(seed):
    fuzz(20_000, seed)


def grows(work, rounds):
    """Bytes by which memory has grown over the second half of the rounds: in the first, caches fill."""
    for i in range(rounds):
        work()
        if i == rounds // 2:
            gc.collect()
            before = resident()
    gc.collect()
    return resident() - before


def worlds(count):
    def make(model=uz.Model.from_string(BOX_ON_FLOOR)):
        for _ in range(count):
            world = uz.World(model)
            world.step(2)
            world.contacts, world.xpos, world.save(), world.report  # noqa: B018

    return make


def test_memory_is_flat_over_steps():
    world = uz.World(uz.Model.from_string(BOX_ON_FLOOR))
    assert grows(lambda: [world.step() for _ in range(1000)], 20) < 2**20


def test_memory_is_flat_over_worlds():
    assert grows(worlds(50), 20) < 2**20


@pytest.mark.slow
def test_memory_is_flat_over_a_million_steps_and_ten_thousand_worlds():
    world = uz.World(uz.Model.from_string(BOX_ON_FLOOR))
    assert grows(lambda: [world.step() for _ in range(1000)], 1000) < 2**20
    assert grows(worlds(100), 100) < 2**20


def test_files_that_are_gone_or_closed(tmp_path, box):
    world = uz.World(box)
    recording = world.record(tmp_path / "run.h5")
    world.step(3)
    recording.close()
    recording.close()  # twice is no error
    world.step(3)  # and is not recorded
    assert len(uz.read_log(tmp_path / "run.h5")["time"]) == 3
    (tmp_path / "broken.h5").write_bytes((tmp_path / "run.h5").read_bytes()[:900])
    with pytest.raises(uz.InputError, match="broken.h5"):
        uz.read_log(tmp_path / "broken.h5")
    with pytest.raises(uz.InputError, match="absent"):
        uz.Model.from_file(tmp_path / "absent.xml")
    with pytest.raises(uz.InputError, match="nearest is 'box'"):
        box.body("bix")
