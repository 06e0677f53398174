"""Gymnasium: standard tasks on this engine, as vector environments over a Batch.

>>> import gymnasium
>>> envs = gymnasium.make_vec("uzawa.gym:uzawa/HalfCheetah-v5", num_envs=64)  # imports this module, which registers it

Models are those of the gymnasium wheel, rewards and observations those of its v5 tasks. Contact is rigid here and soft there,
so returns differ: compare learning curves, not trajectories.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ._errors import InputError, need
from .batch import Batch
from .model import Floats, Model

need("gymnasium", "gym")

import gymnasium  # noqa: E402
from gymnasium.vector import AutoresetMode, VectorEnv  # noqa: E402
from gymnasium.vector.utils import batch_space  # noqa: E402


@dataclass(frozen=True)
class Task:
    """A locomotion task: forward speed is rewarded, control costs, falling ends the episode."""

    name: str
    file: str  #: of the gymnasium wheel's assets
    frame_skip: int
    control_cost: float
    noise: float  #: of the start
    limit: int  #: steps of an episode
    skip: int = 1  #: first numbers of qpos that are not observed
    normal_velocity: bool = False  #: noise of velocities is normal, not uniform
    healthy_reward: float = 0.0
    height: tuple[float, float] | None = None  #: m, where it is healthy
    angle: tuple[float, float] | None = None  #: rad
    forward: bool = True  #: speed is rewarded
    clip_velocity: float = np.inf

    def model(self) -> Model:
        folder = Path(gymnasium.__file__).parent / "envs" / "mujoco" / "assets"
        return Model.from_file(folder / self.file)

    def observe(self, qpos: Floats, qvel: Floats) -> Floats:
        velocity = np.clip(qvel, -self.clip_velocity, self.clip_velocity)
        return np.concatenate([qpos[:, self.skip :], velocity], axis=1)

    def is_healthy(self, qpos: Floats, qvel: Floats) -> Any:
        healthy = np.isfinite(qpos).all(axis=1) & np.isfinite(qvel).all(axis=1)
        if self.height:
            healthy &= (qpos[:, 1] > self.height[0]) & (qpos[:, 1] < self.height[1])
        if self.angle:
            angle = qpos[:, 2] if self.height else qpos[:, 1]
            healthy &= (angle > self.angle[0]) & (angle < self.angle[1])
        return healthy


TASKS = {
    task.name: task
    for task in (
        Task("HalfCheetah-v5", "half_cheetah.xml", 5, 0.1, 0.1, 1000, normal_velocity=True),
        Task("Hopper-v5", "hopper.xml", 4, 1e-3, 5e-3, 1000, healthy_reward=1, height=(0.7, np.inf), angle=(-0.2, 0.2), clip_velocity=10),
        Task("Walker2d-v5", "walker2d_v5.xml", 4, 1e-3, 5e-3, 1000, healthy_reward=1, height=(0.8, 2), angle=(-1, 1), clip_velocity=10),
        Task("Swimmer-v5", "swimmer.xml", 4, 1e-4, 0.1, 1000, skip=2),
        Task("InvertedPendulum-v5", "inverted_pendulum.xml", 2, 0, 0.01, 1000, skip=0, healthy_reward=1, angle=(-0.2, 0.2), forward=False),
    )
}


def _task(name: str) -> Task:
    if name not in TASKS:
        raise InputError("", f"task '{name}'", f"is none of {', '.join(TASKS)}")
    return TASKS[name]


class BatchVectorEnv(VectorEnv):
    """Many environments of one task, stepped by one Batch.

    autoreset: NEXT_STEP (a finished one is reset by the next call of step), SAME_STEP (at once; `info["final_obs"]` has the
    last observation) or DISABLED (`reset(options={"reset_mask": mask})` does it). copy: observations are copies.
    """

    def __init__(
        self,
        task: str,
        num_envs: int = 1,
        *,
        autoreset_mode: Any = AutoresetMode.NEXT_STEP,
        threads: int = 0,
        max_episode_steps: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        self.task, self.num_envs, self.render_mode = _task(task), num_envs, render_mode
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {"autoreset_mode": self.autoreset_mode, "render_modes": []}
        self.batch = Batch(self.task.model(), num_envs, threads=threads)
        self._limit = self.task.limit if max_episode_steps is None else max_episode_steps
        q, v, _, _, _ = self.batch.model.keyframe()
        self._q0, self._v0 = q, v
        size = len(q) - self.task.skip + len(v)
        bounds = self.batch.model.actuator_ctrlrange.astype(np.float32)
        self.single_observation_space = gymnasium.spaces.Box(-np.inf, np.inf, (size,), np.float64)
        self.single_action_space = gymnasium.spaces.Box(bounds[:, 0], bounds[:, 1], dtype=np.float32)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._age = np.zeros(num_envs, int)
        self._done = np.zeros(num_envs, bool)

    def _start(self, ids: Any) -> None:
        noise, shape = self.task.noise, (len(ids), len(self._v0))
        draw = self.np_random.uniform(-noise, noise, (len(ids), len(self._q0)))
        kick = noise * self.np_random.standard_normal(shape) if self.task.normal_velocity else self.np_random.uniform(-noise, noise, shape)
        self.batch.reset(ids, qpos=self._q0 + draw, qvel=self._v0 + kick)
        self._age[ids] = 0
        self._done[ids] = False

    def _observe(self) -> Floats:
        return self.task.observe(self.batch.qpos, self.batch.qvel)

    def reset(self, *, seed: Any = None, options: dict[str, Any] | None = None) -> tuple[Floats, dict[str, Any]]:
        super().reset(seed=seed[0] if isinstance(seed, (list, tuple)) else seed)
        mask = np.ones(self.num_envs, bool)
        if options and "reset_mask" in options:
            mask = np.asarray(options["reset_mask"], bool)
        self._start(np.flatnonzero(mask))
        return self._observe(), {}

    def step(self, actions: Any) -> tuple[Floats, Floats, Any, Any, dict[str, Any]]:
        actions = np.asarray(actions, float).reshape(self.num_envs, -1)
        fresh = self._done.copy() if self.autoreset_mode == AutoresetMode.NEXT_STEP else np.zeros(self.num_envs, bool)
        if self.autoreset_mode == AutoresetMode.DISABLED and self._done.any():
            raise InputError("", "step", "an episode has ended: reset(options={'reset_mask': ...}) comes first")
        batch, task = self.batch, self.task
        if fresh.any():
            self._start(np.flatnonzero(fresh))
        moving = np.flatnonzero(~fresh)
        before = batch.qpos[:, 0].copy()
        batch.ctrl[moving] = actions[moving]
        batch.step(task.frame_skip, ids=moving)
        self._age[moving] += 1
        healthy = task.is_healthy(batch.qpos, batch.qvel) & (batch.status_codes != 5)
        speed = (batch.qpos[:, 0] - before) / (task.frame_skip * batch.model.timestep)
        reward = task.healthy_reward * healthy - task.control_cost * np.square(actions).sum(axis=1)
        if task.forward:
            reward = reward + speed
        has_ends = task.height is not None or task.angle is not None
        terminated = ~healthy if has_ends else batch.status_codes == 5
        truncated = (self._age >= self._limit) & ~terminated
        for array in (reward, terminated, truncated):
            array[fresh] = 0
        info: dict[str, Any] = {"x_position": batch.qpos[:, 0].copy(), "x_velocity": speed}
        self._done = terminated | truncated
        observation = self._observe()
        if self.autoreset_mode == AutoresetMode.SAME_STEP and self._done.any():
            ended = np.flatnonzero(self._done)
            final = np.full(self.num_envs, None, dtype=object)
            for i in ended:
                final[i] = observation[i].copy()
            info["final_obs"], info["_final_obs"] = final, self._done.copy()
            done = self._done.copy()
            self._start(ended)
            observation = self._observe()
            return observation, reward, terminated & done, truncated & done, info
        return observation, reward, terminated, truncated, info


class SingleEnv(gymnasium.Env):
    """One environment of a task."""

    metadata: dict[str, Any] = {"render_modes": []}

    def __init__(self, task: str, render_mode: str | None = None) -> None:
        self._envs = BatchVectorEnv(task, 1, autoreset_mode=AutoresetMode.DISABLED, threads=1, max_episode_steps=10**9)
        self.render_mode = render_mode
        self.observation_space, self.action_space = self._envs.single_observation_space, self._envs.single_action_space

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Floats, dict[str, Any]]:
        super().reset(seed=seed)
        observation, _ = self._envs.reset(seed=seed)
        return observation[0], {}

    def step(self, action: Any) -> tuple[Floats, float, bool, bool, dict[str, Any]]:
        observation, reward, terminated, truncated, info = self._envs.step(np.asarray(action)[None])
        self._envs._done[:] = False  # the caller decides when to reset
        return observation[0], float(reward[0]), bool(terminated[0]), bool(truncated[0]), {k: float(v[0]) for k, v in info.items()}


for _name, _known in TASKS.items():
    gymnasium.register(
        f"uzawa/{_name}",
        entry_point="uzawa.gym:SingleEnv",
        vector_entry_point="uzawa.gym:BatchVectorEnv",
        max_episode_steps=_known.limit,
        kwargs={"task": _name},
    )
