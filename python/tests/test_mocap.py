"""Mocap bodies: moved by users, felt by what they touch and what is welded to them."""

import pickle

import numpy as np
import pytest

import uzawa as uz

# A belt that carries a box by friction, and a hand that a load is welded to.
BELT = """<mujoco><option timestep="0.002"/><worldbody>
<body name="belt" mocap="true"><geom name="belt" type="box" size="5 1 .05" friction="0.5"/></body>
<body name="box" pos="0 0 .1"><freejoint/><geom name="box" type="box" size=".05 .05 .05" mass="1" friction="0.5"/></body>
</worldbody></mujoco>"""
HAND = """<mujoco><option timestep="0.002"/><worldbody><body name="fixed"/>
<body name="hand" mocap="true" pos="0 0 1" quat="0 0 0 2"><geom size=".02" contype="0" conaffinity="0"/></body>
<body name="load" pos="0 0 1" quat="0 0 0 1"><freejoint/><geom type="box" size=".1 .05 .02" mass="2"/></body></worldbody>
<equality><weld body1="hand" body2="load"/></equality>
<keyframe><key name="up" mpos="0 0 2" mquat="0 0 0 1" qpos="0 0 2 0 0 0 1"/></keyframe></mujoco>"""
G = 9.81


@pytest.fixture(scope="module")
def belt():
    return uz.Model.from_string(BELT)


@pytest.fixture(scope="module")
def hand():
    return uz.Model.from_string(HAND)


def about_z(angle):
    return [np.cos(angle / 2), 0, 0, np.sin(angle / 2)]


def test_names_and_numbers(hand):
    assert hand.nmocap == 1 and hand.body_mocapid.tolist() == [-1, -1, 0, -1]
    world = uz.World(hand)
    np.testing.assert_array_equal(world.mocap_pos, [[0, 0, 1]])
    np.testing.assert_array_equal(world.mocap_quat, [[0, 0, 0, 1]])  # normalised
    place = world.mocap_pos
    world.body("hand").mocap_pos = [0, 0, 1.001]
    assert place[0, 2] == 1.001 and world.body("hand").xpos[2] == 1  # it goes there in the next step
    world.step()
    assert world.body("hand").xpos[2] == 1.001 and world.body("hand").velocity[2] == pytest.approx(0.5)
    for name in ("fixed", "load"):
        with pytest.raises(uz.InputError, match=f"{name}.*no mocap body"):
            world.body(name).mocap_pos = 0


def test_a_belt_carries_a_box_until_it_slips_no_more(belt):
    world = uz.World(belt)
    for i in range(1, 251):  # 1 m/s
        world.body("belt").mocap_pos[0] = i * world.dt
        assert world.step().ok
        expected = min(0.5 * G * i * world.dt, 1.0)
        assert world.qvel[0] == pytest.approx(expected, abs=1e-5)
    world.step(200)  # the belt stands, and so will the box
    assert abs(world.qvel[0]) < 1e-6


def test_a_welded_load_follows(hand):
    world = uz.World(hand)
    for i in range(1, 301):
        angle = 0.3 * (i * world.dt) ** 2
        world.mocap_pos[0] = [angle, 0, 1]
        world.mocap_quat[0] = about_z(np.pi + angle)
        assert world.step().ok
    np.testing.assert_allclose(world.qpos[:3], [angle, 0, 1], atol=1e-6)
    turned = world.qpos[3:7] * np.sign(world.qpos[6])
    np.testing.assert_allclose(turned, np.array(about_z(np.pi + angle)) * np.sign(about_z(np.pi + angle)[3]), atol=1e-6)


def test_a_keyframe_and_a_place_are_there_at_once(hand):
    world = uz.World(hand)
    world.reset(keyframe="up")
    assert world.mocap_pos[0, 2] == 2 and world.body("hand").xpos[2] == 2
    world.reset()
    world.mocap_pos[0] = [0, 0, 3]
    world.qpos[2] = 3
    world.place_mocap()
    assert world.body("hand").xpos[2] == 3 and np.all(world.body("hand").velocity == 0)
    world.step(20)
    np.testing.assert_allclose(world.qpos[:3], [0, 0, 3], atol=1e-6)


@pytest.mark.parametrize("wrong", ["w.mocap_pos[0, 1] = np.nan", "w.mocap_quat[0] = 0", "w.mocap_quat[0] = 1e300"])
def test_wrong_goals_are_told(hand, wrong):
    w = uz.World(hand)
    w.step()
    time = w.time
    exec(wrong, {"w": w, "np": np})
    for call in (w.step, w.place_mocap, w.save):
        with pytest.raises(uz.InputError, match="hand"):
            call()
    w.reset()
    assert time > 0 and w.step().ok


def test_goals_are_part_of_snapshots_and_pickles(hand):
    world = uz.World(hand)
    world.mocap_pos[0] = [0.002, 0, 1]
    world.mocap_quat[0] = about_z(np.pi + 0.01)
    world.step(3)
    world.mocap_pos[0, 0] += 0.001  # written, not yet gone to
    world.mocap_quat[0] = about_z(np.pi + 0.02)
    twins = [pickle.loads(pickle.dumps(world)), uz.World(hand)]
    twins[1].restore(world.save())
    world.step(5)
    for twin in twins:
        twin.step(5)
        assert twin.qpos.tobytes() == world.qpos.tobytes() and twin.qvel.tobytes() == world.qvel.tobytes()
    assert world.body("hand").xpos[0] == pytest.approx(0.003)
    with pytest.raises(uz.InputError, match="mocap"):
        uz.World(uz.Model.from_string(HAND.replace('mocap="true"', "").replace('mpos="0 0 2" mquat="0 0 0 1"', ""))).restore(world.save())


def test_writing_a_state_does_not_lose_a_goal(hand):
    world = uz.World(hand)
    world.mocap_pos[0, 2] = 1.001
    world.save()  # hands the goal over
    world.qvel[0] = 1e-3
    world.step()
    assert world.body("hand").xpos[2] == 1.001


def test_batches_are_worlds(belt):
    batch, speeds = uz.Batch(belt, 3, threads=2), np.array([0.0, 0.5, -1.0])
    worlds = [uz.World(belt, energy=False) for _ in speeds]
    for i in range(1, 101):
        batch.mocap_pos[:, 0, 0] = speeds * i * batch.dt
        batch.step()
        for world, speed in zip(worlds, speeds):
            world.mocap_pos[0, 0] = speed * i * world.dt
            world.step()
    for i, world in enumerate(worlds):
        assert batch.qpos[i].tobytes() == world.qpos.tobytes()
    assert batch.xpos[1, 1, 0] == pytest.approx(0.1)
    recorded = batch.rollout(np.zeros((3, 2, 0)), record=("xpos",))
    np.testing.assert_allclose(recorded["xpos"][:, -1, 1, 0], [0, 0.1, -0.2])
    batch.mocap_quat[2] = 0
    batch.step()
    assert list(batch.ids("failed")) == [2] and "belt" in batch.error(2)
    pose = [[[0.1 * i, 0, 0, 1, 0, 0, 0]] for i in range(3)]
    batch.reset(mocap=np.reshape(pose, (3, 7)))
    np.testing.assert_allclose(batch.mocap_pos[:, 0, 0], [0, 0.1, 0.2])
    batch.step()
    assert len(batch.ids("solved")) == 3
    with pytest.raises(uz.InputError, match="mocap"):
        batch.reset(mocap=np.zeros(6))


def test_a_randomised_batch_has_the_same_goals(belt):
    batch = uz.Batch(belt, 2, threads=1)
    batch.mocap_pos[:, 0, 0] = 0.001
    batch.body("box").mass = [1.0, 1.0]
    batch.step(3)
    world = uz.World(belt, energy=False)
    world.mocap_pos[0, 0] = 0.001
    world.step(3)
    assert batch.qpos[1].tobytes() == world.qpos.tobytes()
