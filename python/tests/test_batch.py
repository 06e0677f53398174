import copy
import pickle

import numpy as np
import pytest

import uzawa as uz


def rolled(model, nsim, threads, seed=0):
    batch = uz.Batch(model, nsim, threads=threads)
    batch.reset(keyframe=0)
    controls = np.random.default_rng(seed).normal(scale=0.1, size=(64, 10, model.nu))[:nsim] + batch.ctrl[0]
    return batch, controls, batch.rollout(controls, nstep=5, record=("qpos", "contact_force", "residual", "time"))


def test_bits_depend_neither_on_threads_nor_on_the_number(quadruped):
    _, controls, many = rolled(quadruped, 12, 2)
    _, _, few = rolled(quadruped, 3, 1)
    assert many["qpos"][:3].tobytes() == few["qpos"].tobytes()
    assert many["contact_force"][:3].tobytes() == few["contact_force"].tobytes()
    world = uz.World(quadruped)
    world.reset(0)
    for t in range(10):
        world.ctrl[:] = controls[1, t]
        world.step(5)
        assert many["qpos"][1, t].tobytes() == world.qpos.tobytes()
    force = np.zeros((quadruped.nbody, 3))
    for c in world.contacts:
        force[quadruped.geom_bodyid[c.geom2_id]] += c.force
        force[quadruped.geom_bodyid[c.geom1_id]] -= c.force
    np.testing.assert_allclose(many["contact_force"][1, -1], force, atol=1e-12)


def test_randomised_simulations_are_worlds_of_variants(box):
    batch = uz.Batch(box, 4, threads=2)
    masses, mu = np.array([0.5, 1.0, 2.0, 4.0]), np.array([0.1, 0.2, 0.3, 0.4])
    batch.body("box").mass = masses
    batch.geom("box").friction = mu
    batch.geom("floor").friction = 0.0
    np.testing.assert_array_equal(batch.body("box").mass, masses)
    batch.qvel[:, 0] = 1.0
    batch.step(nstep=100)
    np.testing.assert_allclose(batch.qvel[:, 0], 1 - mu * 9.81 * 0.2, atol=1e-6)  # friction knows no mass
    for i in range(4):
        changes = {"body.mass": {"box": masses[i]}, "geom.friction": {"box": mu[i], "floor": 0.0}}
        world = uz.World(box.variant(changes))
        world.qvel[0] = 1.0
        world.step(100)
        assert world.qpos.tobytes() == batch.qpos[i].tobytes()


def test_other_sizes_are_other_shapes(box):
    batch = uz.Batch(box, 2)
    batch.randomize("geom.size", "box", [[0.05, 0.05, 0.05], [0.05, 0.05, 0.02]])
    batch.step(400)
    np.testing.assert_allclose(batch.qpos[:, 2], [0.05, 0.02], atol=1e-5)


def test_one_bad_simulation_does_not_stop_the_others(box):
    batch = uz.Batch(box, 5, threads=2)
    batch.step(10)
    before = batch.qpos.copy()
    batch.qpos[3, 0] = np.nan
    batch.step(10)
    assert list(batch.ids(status="failed")) == [3] and batch.status[3] == "failed"
    assert "not a finite number" in batch.error(3) and batch.error(2) == ""
    np.testing.assert_array_equal(batch.qpos[3], before[3])  # its last good state
    assert np.all(batch.time[[0, 1, 2, 4]] > batch.time[3])
    batch.step(10)
    assert batch.status[3] == "failed"
    batch.reset(ids=batch.ids(status="failed"))
    batch.step(10)
    assert len(batch.ids("failed")) == 0 and len(batch.ids("solved")) == 5


def test_what_is_reported_is_the_worst_of_all_steps(box):
    batch, world = uz.Batch(box, 2), uz.World(box, energy=False)
    batch.qpos[:, 2] = world.qpos[2] = 0.06  # falls by 1 cm: the hardest steps are in the middle of the call
    reports = [world.step() for _ in range(100)]
    batch.step(100)
    assert batch.residual[0] == max(r.residual for r in reports) > 0
    assert batch.penetration[1] == max(r.penetration for r in reports)


def test_some_step_and_the_others_wait(box):
    batch = uz.Batch(box, 4)
    batch.step(5, ids=[1, 3])
    np.testing.assert_allclose(batch.time, [0, 0.01, 0, 0.01])
    batch.step(5, ids=np.array([True, False, False, False]))
    assert batch.time[0] == pytest.approx(0.01)
    batch.reset(ids=[3], qpos=[0, 0, 1, 1, 0, 0, 0])
    assert batch.qpos[3, 2] == 1 and batch.time[3] == 0


def test_snapshots_go_between_batch_and_world(quadruped):
    batch = uz.Batch(quadruped, 3)
    batch.reset(keyframe=0)
    batch.step(20)
    world = uz.World(quadruped, energy=False)
    world.restore(batch.save()[2])
    world.step(20)
    batch.step(20)
    assert world.qpos.tobytes() == batch.qpos[2].tobytes()


def test_pickle_goes_on_with_the_same_bits(quadruped):
    batch = uz.Batch(quadruped, 3, seed=4)
    batch.reset(keyframe=0)
    batch.body("trunk").mass = batch.rng.uniform(5, 10, 3)
    batch.step(20)
    for twin in (pickle.loads(pickle.dumps(batch)), copy.deepcopy(batch)):
        np.testing.assert_array_equal(twin.body("trunk").mass, batch.body("trunk").mass)
        twin.step(10)
        one = uz.Batch(quadruped, 3)
        one.body("trunk").mass = batch.body("trunk").mass
        one.restore(batch.save())
        one.step(10)
        assert twin.qpos.tobytes() == one.qpos.tobytes()
    batch.step(10)
    assert twin.qpos.tobytes() == batch.qpos.tobytes()


def test_wrong_input(box):
    batch = uz.Batch(box, 3)
    for ids in ([3], [-1], [0, 0], [0.5]):
        with pytest.raises(uz.InputError):
            batch.step(ids=ids)
    with pytest.raises(uz.InputError, match="shape"):
        batch.rollout(np.zeros((2, 5, 0)))
    with pytest.raises(uz.InputError, match="qpos"):
        batch.rollout(np.zeros((3, 5, 0)), record=("qpo",))
    with pytest.raises(uz.InputError):
        batch.body("box").mass = np.ones(2)
    with pytest.raises(AttributeError, match="mass"):
        batch.body("box").maas = 1.0
    with pytest.raises(uz.InputError, match="finite"):
        batch.body("box").mass = np.nan
    with pytest.raises(uz.InputError):
        uz.Batch(box, 0)
    with pytest.raises(uz.InputError, match="shape"):
        batch.reset(qpos=np.zeros(3))
