import subprocess
import sys
import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

import uzawa.gym
from uzawa.gym import BatchVectorEnv


@pytest.mark.parametrize("name", list(uzawa.gym.TASKS))
def test_check_env(name):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_env(gymnasium.make(f"uzawa/{name}").unwrapped, skip_render_check=True)


def test_make_vec_and_seeds():
    def run():
        envs = gymnasium.make_vec("uzawa.gym:uzawa/HalfCheetah-v5", num_envs=3)
        first, _ = envs.reset(seed=7)
        envs.action_space.seed(7)
        for _ in range(5):
            last, reward, *_ = envs.step(envs.action_space.sample())
        return first, last, reward

    a, b = run(), run()
    assert all(x.tobytes() == y.tobytes() for x, y in zip(a, b))
    assert a[0].shape == (3, 17) and len(set(a[2])) == 3


def falling(mode):
    envs = BatchVectorEnv("Hopper-v5", 2, autoreset_mode=mode)
    envs.reset(seed=0)
    for _ in range(500):
        obs, reward, terminated, truncated, info = envs.step(np.full((2, 3), 1.0))
        if terminated.any():
            return envs, obs, terminated, info
    raise AssertionError("a hopper under constant torque falls")


def test_next_step():
    envs, obs, terminated, _ = falling(AutoresetMode.NEXT_STEP)
    ended = np.flatnonzero(terminated)
    again, reward, terminated, _, _ = envs.step(np.zeros((2, 3)))
    assert (reward[ended] == 0).all() and not terminated[ended].any()
    np.testing.assert_allclose(again[ended, 0], 1.25, atol=0.01)  # back at its start


def test_same_step():
    envs, obs, terminated, info = falling(AutoresetMode.SAME_STEP)
    i = int(np.flatnonzero(terminated)[0])
    assert info["_final_obs"][i] and abs(info["final_obs"][i][0] - 1.25) > 1e-3
    np.testing.assert_allclose(obs[i, 0], 1.25, atol=0.01)


def test_disabled():
    envs, _, terminated, _ = falling(AutoresetMode.DISABLED)
    with pytest.raises(uzawa.InputError, match="reset_mask"):
        envs.step(np.zeros((2, 3)))
    obs, _ = envs.reset(options={"reset_mask": terminated})
    np.testing.assert_allclose(obs[terminated, 0], 1.25, atol=0.01)
    envs.step(np.zeros((2, 3)))


def test_names():
    """In a process of its own: the name with the module alone, in gymnasium's own form, and MuJoCo's task beside ours."""
    code = """
import gymnasium, numpy as np
env = gymnasium.make("uzawa.gym:HalfCheetah-v5")
assert type(env.unwrapped).__module__ == "uzawa.gym", env
envs = gymnasium.make_vec("uzawa.gym:PinchLift-v0", num_envs=2)
assert type(envs).__module__ == "uzawa.gym"
assert gymnasium.spec("uzawa/Ant-v5").max_episode_steps == gymnasium.spec("Ant-v5").max_episode_steps == 1000
theirs = gymnasium.spec("gymnasium/HalfCheetah-v5")
assert "mujoco" in theirs.entry_point and theirs.id == "gymnasium/HalfCheetah-v5"
env.reset(seed=1)
env.step(np.zeros(6))
again = gymnasium.make(env.spec)
assert type(again.unwrapped).__module__ == "uzawa.gym"
"""
    done = subprocess.run([sys.executable, "-W", "error:Overriding", "-c", code], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0 and "Overriding" not in done.stderr, done.stderr
