"""Gymnasium: standard tasks and some about contact (`uzawa.contact_tasks`), as vector environments over a Batch.

>>> import gymnasium
>>> envs = gymnasium.make_vec("uzawa.gym:HalfCheetah-v5", num_envs=64)  # imports this module, which registers it

Gymnasium drops the module's name before it looks a task up. So the import registers each task twice, as `uzawa/HalfCheetah-v5` and as
`HalfCheetah-v5`, which is MuJoCo's no longer in this process: that one is `gymnasium/HalfCheetah-v5` from then on.

Models of the standard tasks are those of the gymnasium wheel, rewards and observations those of its v5 tasks (`uzawa.tasks` says
what is left out). Contact is rigid here and soft there, so returns differ: compare learning curves, not trajectories.
"""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from ._errors import InputError, need
from .batch import Batch
from .model import Floats

need("gymnasium", "gym")

import gymnasium  # noqa: E402
from gymnasium.vector import AutoresetMode, VectorEnv  # noqa: E402
from gymnasium.vector.utils import batch_space  # noqa: E402

from .contact_tasks import CONTACT  # noqa: E402
from .tasks import LOCOMOTION, Task  # noqa: E402


TASKS: dict[str, Task] = {task.name: task for task in (*LOCOMOTION, *CONTACT)}


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
        model = self.task.model()
        self.batch = Batch(model, num_envs, threads=threads, dt=self.task.dt)
        self._limit = self.task.limit if max_episode_steps is None else max_episode_steps
        size = self.task.observe(self.batch).shape[1]
        bounds = self.task.action_range(model).astype(np.float32)
        self.single_observation_space = gymnasium.spaces.Box(-np.inf, np.inf, (size,), np.float64)
        self.single_action_space = gymnasium.spaces.Box(bounds[:, 0], bounds[:, 1], dtype=np.float32)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._age = np.zeros(num_envs, int)
        self._done = np.zeros(num_envs, bool)

    def _start(self, ids: Any) -> None:
        self.batch.reset(ids, **self.task.start(self.np_random, self.batch.model, len(ids)))
        self._age[ids] = 0
        self._done[ids] = False

    def _observe(self) -> Floats:
        return self.task.observe(self.batch)

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
        before = task.measure(batch)
        task.act(batch, moving, actions[moving])
        batch.step(task.frame_skip, ids=moving)
        self._age[moving] += 1
        reward, terminated, info = task.judge(batch, before, actions)
        truncated = (self._age >= self._limit) & ~terminated
        for array in (reward, terminated, truncated):
            array[fresh] = 0
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


_SINGLE = "uzawa.gym:SingleEnv"


def _register() -> None:
    """Both names of every task. What has had the short one keeps a name: `gymnasium/...`."""
    registry = gymnasium.registry
    for name, task in TASKS.items():
        theirs = registry.pop(name, None)
        if theirs is not None and theirs.entry_point != _SINGLE:  # not ours of an earlier import
            registry[f"gymnasium/{name}"] = dataclasses.replace(theirs, id=f"gymnasium/{name}")
        for known in (name, f"uzawa/{name}"):
            gymnasium.register(
                known,
                entry_point=_SINGLE,
                vector_entry_point="uzawa.gym:BatchVectorEnv",
                max_episode_steps=task.limit,
                kwargs={"task": name},
            )


_register()
