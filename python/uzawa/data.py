"""Rollouts as data sets for learning: HDF5 in robomimic's layout."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ._engine import isa
from ._engine import version as engine_version
from ._errors import InputError, need
from .model import Floats, Model, PathLike


def write_robomimic(
    path: PathLike,
    model: Model,
    start: Mapping[str, Floats],
    actions: Floats,
    record: Mapping[str, Floats],
    rewards: Floats | None = None,
) -> None:
    """Writes what `Batch.rollout(actions, record=...)` returned, a demonstration for each simulation.

    start: the recorded arrays before the rollout, (nsim, ...) each: `{"qpos": batch.qpos.copy(), ...}`. Observations are those
    that are in `start` and in `record`; `states` has qpos and qvel in a row. rewards: (nsim, horizon); zeros without.
    The file gets its name when it is whole.
    """
    need("h5py", "data")
    import h5py

    actions = np.asarray(actions, float)
    if actions.ndim != 3:
        raise InputError("", "actions", "must have the shape (nsim, horizon, nu)")
    count, horizon = actions.shape[:2]
    seen = [name for name in record if name in start]
    for name in seen:
        if np.shape(start[name]) != (count, *np.shape(record[name])[2:]) or np.shape(record[name])[1] != horizon:
            raise InputError("", name, f"has shapes {np.shape(start[name])} and {np.shape(record[name])} that do not fit")
    if not {"qpos", "qvel"} <= set(seen):
        raise InputError("", "record", "needs qpos and qvel, before and in the rollout")
    paid = np.zeros((count, horizon)) if rewards is None else np.asarray(rewards, float).reshape(count, horizon)
    target = Path(path)
    draft = target.with_name(f".{target.name}.{os.getpid()}.part")
    with h5py.File(draft, "w") as file:
        data = file.create_group("data")
        data.attrs["total"] = count * horizon
        data.attrs["env_args"] = json.dumps({"env_name": model.name, "type": 2, "env_kwargs": {"uzawa": engine_version, "isa": isa}})
        for i in range(count):
            demo = data.create_group(f"demo_{i}")
            demo.attrs["num_samples"] = horizon
            before: dict[str, Any] = {name: np.concatenate([start[name][i][None], record[name][i][:-1]]) for name in seen}
            demo["actions"], demo["rewards"] = actions[i], paid[i]
            demo["dones"] = (np.arange(horizon) == horizon - 1).astype(np.int64)
            demo["states"] = np.concatenate([before["qpos"], before["qvel"]], axis=1)
            for name in seen:
                demo[f"obs/{name}"], demo[f"next_obs/{name}"] = before[name], record[name][i]
    os.replace(draft, target)
