import json

import h5py
import numpy as np
import pytest

import uzawa as uz
from uzawa.data import write_robomimic


def test_a_rollout_in_robomimics_layout_runs_again(pendulum, tmp_path):
    batch = uz.Batch(pendulum, 3)
    batch.reset(qpos=[[0.1], [0.2], [0.3]])
    start = {name: getattr(batch, name).copy() for name in ("qpos", "qvel")}
    actions = batch.rng.normal(size=(3, 7, 1))
    out = batch.rollout(actions, nstep=2, record=("qpos", "qvel", "time"))
    write_robomimic(tmp_path / "demos.hdf5", pendulum, start, actions, out)
    with h5py.File(tmp_path / "demos.hdf5") as file:
        data = file["data"]
        assert data.attrs["total"] == 21 and json.loads(data.attrs["env_args"])["env_name"] == pendulum.name and len(data) == 3
        demo = data["demo_1"]
        assert demo.attrs["num_samples"] == 7 and demo["dones"][:].tolist() == [0] * 6 + [1]
        assert demo["obs/qpos"][0, 0] == 0.2 and (demo["obs/qpos"][1:] == demo["next_obs/qpos"][:-1]).all()
        # Each state with its action leads to the next one.
        world = uz.World(pendulum)
        for t in range(7):
            world.qpos, world.qvel = demo["states"][t, :1], demo["states"][t, 1:]
            world.ctrl = demo["actions"][t]
            world.step(2)
            np.testing.assert_allclose(world.qpos, demo["next_obs/qpos"][t], rtol=0, atol=1e-12)
    with pytest.raises(uz.InputError, match="qvel"):
        write_robomimic(tmp_path / "x.hdf5", pendulum, {"qpos": start["qpos"]}, actions, out)
    with pytest.raises(uz.InputError, match="shapes"):
        write_robomimic(tmp_path / "x.hdf5", pendulum, {**start, "qvel": start["qvel"][:2]}, actions, out)
    assert not (tmp_path / "x.hdf5").exists()
