import subprocess
import sys

import numpy as np
import pytest

import uzawa as uz
from conftest import BOX_ON_FLOOR

MODEL = uz.Model.from_string(BOX_ON_FLOOR)


def slide(seed):
    """How far a box slides with the friction of that seed."""
    if seed == 13:
        raise RuntimeError("unlucky")
    mu = float(np.random.default_rng(seed).uniform(0.1, 0.5))
    world = uz.World(MODEL.variant({"geom.friction": {"box": mu, "floor": 0.0}}))
    world.qvel[0] = 0.5
    world.step(300)
    return {"mu": mu, "distance": float(world.qpos[0])}


def test_threads_resume_and_parquet(tmp_path):
    study = uz.sweep(slide, range(20), tmp_path / "study", shard=6)
    assert study.is_complete and len(study.shards) == 4
    columns = study.to_numpy()
    np.testing.assert_allclose(columns["distance"], 0.25 / (2 * 9.81 * columns["mu"]), atol=2e-3)
    assert [f["seed"] for f in study.failed] == [13] and "unlucky" in study.failed[0]["error"]
    assert sorted(columns["seed"]) == [s for s in range(20) if s != 13]
    # A shard that is lost is run again, and only that one.
    files = sorted(study.shards)
    stamps = {path: path.stat().st_mtime_ns for path in files}
    content = files[1].read_bytes()
    files[1].unlink()
    again = uz.sweep(slide, range(20), tmp_path / "study", shard=6)
    assert files[1].read_bytes() == content
    assert all(path.stat().st_mtime_ns == stamps[path] for path in files if path != files[1])
    again.to_parquet(tmp_path / "study.parquet")
    import pyarrow.parquet

    assert pyarrow.parquet.read_table(tmp_path / "study.parquet").num_rows == 19


def test_another_study_in_the_folder_is_refused(tmp_path):
    uz.sweep(slide, range(2), tmp_path, shard=2)
    with pytest.raises(uz.InputError, match="seeds"):
        uz.sweep(slide, range(3), tmp_path, shard=2)
    with pytest.raises(uz.InputError, match="engine"):
        uz.sweep(slide, range(2), tmp_path, engine="dask")


def test_ctrl_c_ends_a_study_which_goes_on_later(tmp_path):
    """Within the trials at hand, not the shards; what is whole stays, and nothing of the others is there."""
    code = f"""
import os, signal, threading, time, uzawa as uz
def trial(seed):
    if seed == 30:
        os.kill(os.getpid(), signal.SIGINT)
    time.sleep(0.02)
    return {{"square": seed * seed}}
begin = time.perf_counter()
try:
    uz.sweep(trial, range(2000), {str(tmp_path)!r}, shard=20, workers=1)
except KeyboardInterrupt:
    print("interrupted", time.perf_counter() - begin < 5)
"""
    script = tmp_path.parent / f"{tmp_path.name}.py"
    script.write_text(code)
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=60)
    assert done.stdout.strip() == "interrupted True", done.stderr
    assert [path.name for path in sorted(tmp_path.glob("*.pkl"))] == ["shard-000000.pkl"] and not list(tmp_path.glob("*.part"))
    script.write_text(code.replace("if seed == 30:", "if seed == -1:").replace("time.sleep(0.02)", "pass"))
    changed = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=60)
    assert "holds another one (trial differ)" in changed.stderr  # a trial that was edited is another study
