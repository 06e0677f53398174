"""Studies: one trial for many seeds, on threads or on many machines.

A shard is a range of seeds. It is pure (its result depends on its seeds alone) and writes one file, which gets its name when
it is whole. So a shard that is run twice does no harm, and a study that was cut off goes on where it was.
"""

from __future__ import annotations

import hashlib
import inspect
import json
import os
import pickle
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import Any

import numpy as np

from ._engine import isa
from ._errors import InputError, need
from .model import PathLike

Trial = Callable[[int], Mapping[str, Any]]


def _run_shard(
    trial: Trial, seeds: Sequence[int], path: str, wanted_isa: str, stop: threading.Event | None = None
) -> str:
    """Runs the seeds of a shard and writes its file; one that is there stays as it is. `stop`: no more trials, and no file."""
    target = Path(path)
    if target.exists():
        return path
    if isa != wanted_isa:
        raise RuntimeError(f"this process runs {isa}, the study {wanted_isa}: set UZAWA_ISA={wanted_isa}")
    rows, failures = [], []
    for seed in seeds:
        if stop is not None and stop.is_set():
            return path
        try:
            rows.append({"seed": int(seed), **trial(int(seed))})
        except Exception as error:  # a failed trial is a result; Ctrl-C is none
            failures.append({"seed": int(seed), "error": repr(error), "traceback": traceback.format_exc()})
    draft = target.with_name(f".{target.name}.{os.getpid()}.{time.monotonic_ns()}.part")
    with open(draft, "wb") as file:
        pickle.dump({"rows": rows, "failures": failures}, file)
        file.flush()
        os.fsync(file.fileno())
    os.replace(draft, target)
    return path


def _run_remote(trial: bytes, paths: Sequence[str], seeds: Sequence[int], path: str, wanted_isa: str) -> str:
    """A shard on another machine, where the trial's module is looked for in the same folders as here."""
    sys.path += [folder for folder in paths if folder not in sys.path]
    return _run_shard(pickle.loads(trial), seeds, path, wanted_isa)


class Study:
    """A study in a folder: its shards' files are the truth."""

    def __init__(self, trial: Trial, seeds: Sequence[int], out: Path, engine: str, shard: int, workers: int) -> None:
        self.trial, self.seeds, self.out = trial, list(seeds), out
        self.engine, self.shard, self.workers = engine, shard, workers

    @property
    def shards(self) -> dict[Path, list[int]]:
        """Files of the shards, and their seeds."""
        cuts = range(0, len(self.seeds), self.shard)
        return {self.out / f"shard-{i:06d}.pkl": self.seeds[at : at + self.shard] for i, at in enumerate(cuts)}

    @property
    def missing(self) -> list[Path]:
        """Shards without a file."""
        return [path for path in self.shards if not path.exists()]

    @property
    def is_complete(self) -> bool:
        """Every shard has its file."""
        return not self.missing

    def resume(self) -> Study:
        """Runs the shards that have no file yet."""
        todo = {path: seeds for path, seeds in self.shards.items() if not path.exists()}
        if todo:
            {"threads": self._run_threads, "ray": self._run_ray}[self.engine](todo)
        return self

    def _run_threads(self, todo: Mapping[Path, Sequence[int]]) -> None:
        stop = threading.Event()
        with ThreadPoolExecutor(self.workers) as pool:
            waiting = [pool.submit(_run_shard, self.trial, seeds, str(path), isa, stop) for path, seeds in todo.items()]
            try:
                for done in as_completed(waiting):
                    done.result()
            except BaseException:  # Ctrl-C, too: the pool waits for the trials at hand, not for their shards
                stop.set()
                for task in waiting:
                    task.cancel()
                raise

    def _run_ray(self, todo: Mapping[Path, Sequence[int]]) -> None:
        need("ray", "ray")
        import ray

        if not ray.is_initialized():
            ray.init(address="auto" if os.environ.get("RAY_ADDRESS") else None, log_to_driver=False)
        # Retries of Ray are for workers and nodes that are lost; a trial's own failure is in its shard's file.
        remote = ray.remote(num_cpus=1, max_retries=-1)(_run_remote)
        trial = ray.put(ray.cloudpickle.dumps(self.trial))
        paths = [os.path.abspath(folder) for folder in sys.path]
        waiting = [remote.remote(trial, paths, list(seeds), str(path.resolve()), isa) for path, seeds in todo.items()]
        try:
            while waiting:
                done, waiting = ray.wait(waiting, num_returns=1)
                ray.get(done)
        except BaseException:
            for task in waiting:
                ray.cancel(task, force=True)
            raise

    def _load(self) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
        rows: list[dict[str, Any]] = []
        failures: list[dict[str, Any]] = []
        for path in self.shards:
            if path.exists():
                content = pickle.loads(path.read_bytes())
                rows += content["rows"]
                failures += content["failures"]
        return rows, failures

    @property
    def rows(self) -> list[dict[str, Any]]:
        """Results in the order of the seeds, each with its seed."""
        return self._load()[0]

    @property
    def failed(self) -> list[dict[str, Any]]:
        """Seeds whose trial has raised, with the error."""
        return self._load()[1]

    def to_numpy(self) -> dict[str, Any]:
        """Columns as arrays."""
        rows = self.rows
        names = list(dict.fromkeys(name for row in rows for name in row))
        return {name: np.array([row.get(name, np.nan) for row in rows]) for name in names}

    def to_parquet(self, path: PathLike) -> None:
        """One row a trial."""
        need("pyarrow", "data")
        import pyarrow
        import pyarrow.parquet

        target = Path(path)
        draft = target.with_name(f".{target.name}.part")
        listed = [{k: v.tolist() if isinstance(v, (np.ndarray, np.generic)) else v for k, v in row.items()} for row in self.rows]
        pyarrow.parquet.write_table(pyarrow.Table.from_pylist(listed), draft)
        os.replace(draft, target)

    def __repr__(self) -> str:
        done = len(self.shards) - len(self.missing)
        return f"<uzawa.Study in {str(self.out)!r}: {done} of {len(self.shards)} shards, {len(self.failed)} failed trials>"


def _fingerprint(trial: Trial, seeds: Sequence[int], shard: int) -> dict[str, Any]:
    try:
        source = inspect.getsource(trial)
    except (OSError, TypeError):
        source = repr(getattr(trial, "__qualname__", type(trial)))
    return {
        "trial": hashlib.sha256(source.encode()).hexdigest(),
        "seeds": hashlib.sha256(json.dumps([int(s) for s in seeds]).encode()).hexdigest(),
        "shard": shard,
        "isa": isa,
    }


def sweep(
    trial: Trial,
    seeds: Iterable[int],
    out: PathLike,
    *,
    engine: str = "threads",
    shard: int = 100,
    workers: int = 0,
) -> Study:
    """Runs `trial(seed) -> dict` for every seed, and keeps the results in the folder `out`.

    engine: "threads" in this process (the engine's steps run side by side), or "ray" on many machines (`RAY_ADDRESS` names a
    cluster; without, Ray starts here; `out` must be a folder that all of them see). shard: trials a file. workers: threads,
    0 for one a processor. A study in the same folder goes on; one of another trial, other seeds or another instruction set
    is refused.
    """
    if engine not in ("threads", "ray"):
        raise InputError("", f"engine '{engine}'", "is neither 'threads' nor 'ray'")
    if shard < 1:
        raise InputError("", "shard", "must be at least 1")
    folder = Path(out)
    folder.mkdir(parents=True, exist_ok=True)
    listed = list(seeds)
    if len(set(listed)) != len(listed):
        raise InputError("", "seeds", "one is there twice")
    identity, card = _fingerprint(trial, listed, shard), folder / "study.json"
    if card.exists():
        known = json.loads(card.read_text())
        other = [name for name in identity if known.get(name) != identity[name]]
        if other:
            raise InputError(str(folder), "study", f"holds another one ({', '.join(other)} differ)")
    else:
        draft = card.with_suffix(f".{os.getpid()}.part")
        draft.write_text(json.dumps(identity))
        os.replace(draft, card)
    study = Study(trial, listed, folder, engine, shard, workers or len(os.sched_getaffinity(0)))
    return study.resume()
