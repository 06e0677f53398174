"""Tasks of `uzawa.gym`: what moves, what is seen, what is rewarded. Those of the gymnasium wheel are here."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ._errors import need
from .batch import Batch
from .model import Floats, Model

need("gymnasium", "gym")

import gymnasium  # noqa: E402

FAILED = 5  #: in `Batch.status_codes`


class Task:
    """A task for all simulations of a batch at once; arrays have a row for each."""

    name: str
    frame_skip: int  #: steps of the engine for an action
    limit: int  #: actions of an episode
    dt: float | None = None  #: s; None: the model's

    def model(self) -> Model:
        """What moves."""
        raise NotImplementedError

    def action_range(self, model: Model) -> Floats:
        """(number of actions, 2)"""
        return model.actuator_ctrlrange

    def start(self, rng: np.random.Generator, model: Model, count: int) -> dict[str, Any]:
        """Arguments of `Batch.reset`, a row for each of the simulations that start."""
        raise NotImplementedError

    def act(self, batch: Batch, ids: Any, actions: Floats) -> None:
        """Actions become controls or applied forces."""
        batch.ctrl[ids] = actions

    def observe(self, batch: Batch) -> Floats:
        """What an agent sees: a row for each simulation."""
        raise NotImplementedError

    def measure(self, batch: Batch) -> Floats:
        """What the reward compares before and after an action."""
        return batch.qpos[:, 0].copy()

    def judge(self, batch: Batch, before: Floats, actions: Floats) -> tuple[Floats, Any, dict[str, Any]]:
        """(reward, whether the episode has ended, infos)"""
        raise NotImplementedError


@dataclass(frozen=True)
class Locomotion(Task):
    """Forward speed is rewarded, control costs, falling ends the episode.

    As in gymnasium's v5, but: observations and costs of contact forces are left out (gymnasium's own option
    `include_cfrc_ext_in_observation=False` and its like), and the speed is that of the root, not of the centre of mass.
    """

    name: str
    file: str  #: of the gymnasium wheel's assets
    frame_skip: int
    control_cost: float
    noise: float  #: of the start
    limit: int = 1000
    skip: int = 1  #: first numbers of qpos that are not observed
    normal_velocity: bool = False  #: noise of velocities is normal, not uniform
    healthy_reward: float = 0.0
    forward_reward: float = 1.0
    height: tuple[float, float] | None = None  #: m, where it is healthy
    height_at: int = 1  #: of the height in qpos
    angle: tuple[float, float] | None = None  #: rad
    angle_at: int = 2
    clip_velocity: float = np.inf

    def model(self) -> Model:
        folder = Path(gymnasium.__file__).parent / "envs" / "mujoco" / "assets"
        return Model.from_file(folder / self.file)

    def start(self, rng: np.random.Generator, model: Model, count: int) -> dict[str, Any]:
        q, v, _, _, _ = model.keyframe()
        shape, noise = (count, len(v)), self.noise
        draw = rng.uniform(-noise, noise, (count, len(q)))
        kick = noise * rng.standard_normal(shape) if self.normal_velocity else rng.uniform(-noise, noise, shape)
        return {"qpos": q + draw, "qvel": v + kick}

    def observe(self, batch: Batch) -> Floats:
        velocity = np.clip(batch.qvel, -self.clip_velocity, self.clip_velocity)
        return np.concatenate([batch.qpos[:, self.skip :], velocity], axis=1)

    def judge(self, batch: Batch, before: Floats, actions: Floats) -> tuple[Floats, Any, dict[str, Any]]:
        position = batch.qpos[:, 0].copy()
        speed = (position - before) / (self.frame_skip * batch.dt)
        healthy = np.isfinite(batch.qpos).all(axis=1) & np.isfinite(batch.qvel).all(axis=1) & (batch.status_codes != FAILED)
        for limits, at in ((self.height, self.height_at), (self.angle, self.angle_at)):
            if limits:
                healthy &= (batch.qpos[:, at] > limits[0]) & (batch.qpos[:, at] < limits[1])
        reward = self.healthy_reward * healthy + self.forward_reward * speed - self.control_cost * np.square(actions).sum(axis=1)
        return reward, ~healthy, {"x_position": position, "x_velocity": speed}


LOCOMOTION = (
    Locomotion("HalfCheetah-v5", "half_cheetah.xml", 5, 0.1, 0.1, normal_velocity=True),
    Locomotion("Hopper-v5", "hopper.xml", 4, 1e-3, 5e-3, healthy_reward=1, height=(0.7, np.inf), angle=(-0.2, 0.2), clip_velocity=10),
    Locomotion("Walker2d-v5", "walker2d_v5.xml", 4, 1e-3, 5e-3, healthy_reward=1, height=(0.8, 2), angle=(-1, 1), clip_velocity=10),
    Locomotion("Swimmer-v5", "swimmer.xml", 4, 1e-4, 0.1, skip=2),
    Locomotion("InvertedPendulum-v5", "inverted_pendulum.xml", 2, 0, 0.01, skip=0, healthy_reward=1, forward_reward=0,
               angle=(-0.2, 0.2), angle_at=1),
    Locomotion("Ant-v5", "ant.xml", 5, 0.5, 0.1, skip=2, normal_velocity=True, healthy_reward=1, height=(0.2, 1), height_at=2),
    Locomotion("Humanoid-v5", "humanoid.xml", 5, 0.1, 0.01, skip=2, healthy_reward=5, forward_reward=1.25, height=(1, 2), height_at=2),
)  # fmt: skip
