import copy
import gc
import pickle
import subprocess
import sys
import threading

import numpy as np
import pytest
from conftest import BALL, MODELS

import uzawa as uz

G = 9.81


def test_free_fall_is_the_closed_form():
    world = uz.World(uz.Model.from_string(BALL), dt=0.001)
    report = world.step(nstep=100)
    assert report.ok and report.steps == 100 and report.time == pytest.approx(0.1)
    # semi-implicit Euler: z = z0 - g h^2 n (n + 1) / 2
    assert world.qpos[2] == pytest.approx(1 - G * 1e-6 * 100 * 101 / 2, abs=1e-13)
    assert world.qvel[2] == pytest.approx(-G * 0.1, abs=1e-13)


def test_views_are_live_and_the_same_object(pendulum):
    world = uz.World(pendulum)
    q, v = world.qpos, world.qvel
    assert world.qpos is q
    q[0] = 1.0
    world.step()
    assert q[0] != 1.0 and v[0] != 0
    tip = world.site_xpos
    world.joint("hinge").qpos = 0.0
    world.qvel = 0.0
    assert world.site("tip").xpos[2] == pytest.approx(-1)
    world.joint("hinge").qpos = np.pi / 2
    world.step()
    assert tip[0, 0] == pytest.approx(-1, abs=1e-3)  # follows steps, too


def test_views_outlive_the_world(pendulum):
    world = uz.World(pendulum)
    q, x = world.qpos, world.xpos
    del world
    gc.collect()
    q[0] = 3.0
    assert q[0] == 3.0 and x.shape == (2, 3)


def test_frames_can_not_be_written(pendulum):
    with pytest.raises(ValueError):
        uz.World(pendulum).xpos[0, 0] = 1.0


def test_wrong_shapes_and_numbers(pendulum):
    world = uz.World(pendulum)
    with pytest.raises(ValueError):
        world.qpos = [1.0, 2.0]
    world.qpos[0] = np.nan
    with pytest.raises(uz.InputError, match="hinge"):
        world.step()
    world.qpos[0] = 0.0
    world.ctrl[0] = np.inf
    with pytest.raises(uz.InputError, match="motor"):
        world.step()
    world.ctrl[0] = 0.0
    assert world.step().ok
    for bad in (0, -3):
        with pytest.raises(uz.InputError):
            world.step(nstep=bad)
    with pytest.raises(uz.InputError, match="time step"):
        uz.World(pendulum, dt=-1)
    with pytest.raises(uz.InputError):
        uz.World(pendulum, solver="nonsense")
    with pytest.raises(uz.InputError):
        uz.World(pendulum, settings={"canal.nonsense": 1})


def test_box_slides_and_contacts_bear_its_weight(box):
    world = uz.World(box)
    world.step(50)
    force = sum(c.force for c in world.contacts)
    np.testing.assert_allclose(force, [0, 0, 2 * G], atol=1e-6)
    assert {(c.geom1, c.geom2) for c in world.contacts} == {("floor", "box")}
    world.qvel[0] = 1.0
    world.step(100)  # 0.2 s of Coulomb friction
    assert world.qvel[0] == pytest.approx(1 - 0.3 * G * 0.2, abs=1e-6)
    world.reset()
    assert world.contacts == [] and world.time == 0


def test_keyframe_and_applied_force(pendulum):
    world = uz.World(pendulum)
    world.reset(keyframe="side")
    assert world.qpos[0] == 1.5
    with pytest.raises(uz.InputError, match="side"):
        world.reset(keyframe="sid")
    world.reset()
    world.joint("hinge").qfrc_applied = 0.5
    world.step()
    inertia = world.mass_matrix()[0, 0]
    assert world.qvel[0] == pytest.approx(0.5 * world.dt / inertia, rel=1e-6)


def test_sensors():
    xml = """<mujoco><worldbody><body name="ball" pos="0 0 1"><freejoint/><geom size=".1"/><site name="in"/></body></worldbody>
    <sensor><framepos name="place" objtype="body" objname="ball"/><accelerometer name="felt" site="in"/><clock name="clock"/></sensor></mujoco>"""
    world = uz.World(uz.Model.from_string(xml))
    assert world.sensordata.tolist() == [0.0] * 7
    world.step(50)
    np.testing.assert_allclose(world.sensor("felt"), 0, atol=1e-9)  # in free fall
    np.testing.assert_allclose(world.sensor("place"), world.body("ball").xpos, atol=1e-3)
    assert world.sensor("clock")[0] == pytest.approx(0.1, abs=0.0021)
    with pytest.raises(uz.InputError, match="felt"):
        world.sensor("fel")


def test_dynamics_agree_with_each_other(quadruped):
    world = uz.World(quadruped)
    world.reset(0)
    rng = np.random.default_rng(0)
    world.qvel[:] = rng.normal(size=quadruped.nv)
    mass, bias, a = world.mass_matrix(), world.bias_force(), rng.normal(size=quadruped.nv)
    np.testing.assert_allclose(mass, mass.T)
    np.testing.assert_allclose(world.inverse_dynamics(a), mass @ a + bias, rtol=1e-10, atol=1e-9)
    name = quadruped.names("body")[-1]
    np.testing.assert_allclose(world.jacobian(name)[:3] @ world.qvel, world.body(name).velocity, atol=1e-12)
    np.testing.assert_allclose(world.jacobian(name)[3:] @ world.qvel, world.body(name).angular_velocity, atol=1e-12)


def test_save_restore_copy_and_pickle_have_the_same_bits(quadruped):
    world = uz.World(quadruped)
    world.reset(0)
    world.qpos[2] += 0.05
    world.step(60)
    snapshot = world.save()
    twins = [copy.copy(world), copy.deepcopy(world), pickle.loads(pickle.dumps(world)), uz.World(quadruped)]
    twins[-1].restore(pickle.loads(pickle.dumps(snapshot)))
    world.step(40)
    for twin in twins:
        twin.step(40)
        assert twin.qpos.tobytes() == world.qpos.tobytes() and twin.qvel.tobytes() == world.qvel.tobytes()
        assert twin.save() == world.save()
    assert len(pickle.dumps(world)) - len(pickle.dumps(quadruped)) < 20_000


@pytest.mark.parametrize("name", ["quadruped_scene.xml", "humanoid_scene.xml"])
def test_another_process_goes_on_with_the_same_bits(name, tmp_path):
    model = uz.Model.from_file(MODELS / name)
    world = uz.World(model)
    world.reset(0)
    world.step(200)
    assert len(world.contacts) >= 4
    assert len(pickle.dumps((world.options.to_bytes(), world.save()))) < 20_000, "a world without its model"
    (tmp_path / "world").write_bytes(pickle.dumps(world))
    code = "import pickle,sys; w=pickle.load(open(sys.argv[1],'rb')); w.step(20); print(w.qpos.tobytes().hex())"
    out = subprocess.run([sys.executable, "-c", code, str(tmp_path / "world")], capture_output=True, text=True, check=True)
    world.step(20)
    assert out.stdout.strip() == world.qpos.tobytes().hex()


def test_snapshot_of_another_model_is_refused(quadruped, pendulum):
    with pytest.raises(uz.InputError):
        uz.World(pendulum).restore(uz.World(quadruped).save())


def test_two_threads_at_once_are_told(quadruped):
    world = uz.World(quadruped)
    world.reset(0)
    errors, running = [], threading.Event()

    def run():
        running.set()
        try:
            world.step(3000)
        except RuntimeError as error:
            errors.append(str(error))

    thread = threading.Thread(target=run)
    thread.start()
    running.wait()
    told = False
    while thread.is_alive() and not told:
        try:
            world.save()
        except RuntimeError as error:
            told = "another thread" in str(error)
    thread.join()
    assert told or any("another thread" in e for e in errors)


@pytest.mark.parametrize("call", ["w.step(10**9)", "b.step(10**9)", "b.rollout(np.zeros((2, 10**5, w.model.nu)), nstep=100)"])
def test_ctrl_c_ends_a_long_call(quadruped, call):
    code = f"""
import sys, threading, _thread, time, numpy as np, uzawa as uz
w = uz.World(uz.Model.from_file(sys.argv[1])); w.reset(0)
b = uz.Batch(w.model, 2); b.reset(keyframe=0)
threading.Timer(0.3, _thread.interrupt_main).start()
try:
    {call}
except KeyboardInterrupt:
    print("interrupted", w.time + b.time[0] > 0, w.step().ok, len(b.ids("failed")))
"""
    out = subprocess.run([sys.executable, "-c", code, quadruped.source], capture_output=True, text=True, timeout=60)
    assert out.stdout.strip() == "interrupted True True 0", out.stderr


def test_collision_query(box):
    q = np.array([0, 0, 0.06, 1, 0, 0, 0.0])
    assert uz.collide(box, q) == []
    near = uz.collide(box, q, distance=0.02)
    assert len(near) == 4 and near[0].gap == pytest.approx(0.01)
    with pytest.raises(uz.InputError):
        uz.collide(box, q[:3])
