"""Studies on a cluster that loses a worker and a node. Takes half a minute: pytest -m cluster python/tests/test_ray.py"""

import json
import os
import signal
import threading
import time

import numpy as np
import pytest

import uzawa as uz
from conftest import BOX_ON_FLOOR

pytestmark = pytest.mark.cluster
ray = pytest.importorskip("ray")
MODEL = uz.Model.from_string(BOX_ON_FLOOR)


def slide(seed):
    """How far a box slides."""
    world = uz.World(MODEL)
    world.qvel[0] = 0.01 * (seed + 1)
    world.step(200)
    return {"distance": float(world.qpos[0]), "bits": world.qpos.tobytes().hex()}


class SlowSlide:
    """The same, but it writes down who runs it, takes its time, and fails once."""

    def __init__(self, journal):
        self.journal = str(journal)

    def __call__(self, seed):
        note = {"seed": seed, "pid": os.getpid(), "node": ray.get_runtime_context().get_node_id()}
        with open(self.journal, "a") as file:
            file.write(json.dumps(note) + "\n")
        time.sleep(0.05)
        if seed == 13:
            raise RuntimeError("unlucky")
        return slide(seed)


@pytest.fixture
def cluster():
    from ray.cluster_utils import Cluster

    memory = {"num_cpus": 1, "object_store_memory": 80 * 2**20}
    made = Cluster(initialize_head=True, head_node_args=memory)
    made.other = made.add_node(**memory)
    ray.init(address=made.address, log_to_driver=False)
    yield made
    ray.shutdown()
    made.shutdown()


def wait_for_note(journal, fits):
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        notes = [json.loads(line) for line in journal.read_text().splitlines() if line.endswith("}")] if journal.exists() else []
        found = [note for note in notes if fits(note)]
        if found:
            return found[-1], notes
        time.sleep(0.02)
    raise AssertionError("no such trial was begun")


def test_lost_worker_and_lost_node_lose_nothing(cluster, tmp_path):
    seeds, journal, driver = range(160), tmp_path / "journal", ray.get_runtime_context().get_node_id()
    results = []
    runner = threading.Thread(target=lambda: results.append(uz.sweep(SlowSlide(journal), seeds, tmp_path / "study", engine="ray", shard=10)))
    runner.start()
    # A worker of the driver's node dies in the middle of a shard, then the other node with all its workers.
    victim, _ = wait_for_note(journal, lambda note: note["node"] == driver and note["seed"] % 10 == 5)
    os.kill(victim["pid"], signal.SIGKILL)
    wait_for_note(journal, lambda note: note["node"] != driver and note["seed"] % 10 == 5)
    cluster.remove_node(cluster.other, allow_graceful=False)
    runner.join(timeout=300)
    assert not runner.is_alive() and results
    study = results[0]
    _, notes = wait_for_note(journal, lambda note: True)
    begun = [note["seed"] for note in notes]
    assert len(begun) > len(seeds), "a shard that was lost was begun again"
    assert len({note["node"] for note in notes}) == 2 and len({note["pid"] for note in notes}) >= 3
    # Nothing is lost, nothing is there twice, and the results are those of this process.
    assert study.is_complete and [f["seed"] for f in study.failed] == [13]
    assert [row["seed"] for row in study.rows] == [seed for seed in seeds if seed != 13]
    here = uz.sweep(slide, range(3), tmp_path / "here", shard=3)
    assert [row["bits"] for row in here.rows] == [row["bits"] for row in study.rows[:3]]
    for row in study.rows:  # Coulomb's law, step by step
        speed = 0.01 * (row["seed"] + 1) - 0.3 * 9.81 * 0.002 * np.arange(1, 201)
        np.testing.assert_allclose(row["distance"], 0.002 * np.maximum(speed, 0).sum(), atol=1e-6)


def test_overhead_of_a_shard(cluster, tmp_path):
    begin = time.perf_counter()
    study = uz.sweep(len_of, range(20), tmp_path, engine="ray", shard=1)
    print(f"\noverhead of a shard on Ray: {(time.perf_counter() - begin) / 20 * 1e3:.0f} ms")
    assert study.is_complete


def len_of(seed):
    return {"length": len(str(seed))}
