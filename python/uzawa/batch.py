"""Many simulations of one model."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ._engine import core
from ._errors import InputError
from .model import _FIELDS, Floats, Model, _fields_of
from .world import make_options

if TYPE_CHECKING:
    from ._core import Batch as _Batch
    from ._core import Options, Snapshot
else:
    _Batch, Options, Snapshot = core.Batch, core.Options, core.Snapshot

STATUSES = ("ready", "solved", "relaxed", "capped", "least-violation", "failed")
Ids = npt.NDArray[np.int64]


class BatchElement:
    """An element of all simulations of a batch: `batch.body("box").mass = array of nsim`."""

    _batch: Batch
    _kind: str
    id: int

    def __init__(self, batch: Batch, kind: str, index: int) -> None:
        object.__setattr__(self, "_batch", batch)
        object.__setattr__(self, "_kind", kind)
        object.__setattr__(self, "id", index)

    def _field(self, name: str) -> str:
        field = f"{self._kind}.{name}"
        if field not in _FIELDS:
            raise AttributeError(f"{self._kind} has no {name}; it has {', '.join(_fields_of(self._kind))}")
        return field

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return self._batch.changed(self._field(name), self.id)

    def __setattr__(self, name: str, value: Any) -> None:
        self._batch.randomize(self._field(name), self.id, value)

    def __repr__(self) -> str:
        return f"<uzawa {self._kind} {self.id} of {self._batch.nsim} simulations>"


class Batch(_Batch):
    """`nsim` simulations of one model, on threads of the engine.

    Arrays have a row for each simulation and are live, as those of a World. The bits of a simulation depend neither on the
    number of threads nor on the others. A simulation that fails keeps its last good state, says so in `status` and
    `error(i)`, and waits for a reset; the others go on.

    threads: 0 means one for each processor. seed: of `batch.rng`, for randomisation.
    """

    model: Model
    rng: np.random.Generator

    def __init__(
        self,
        model: Model,
        nsim: int,
        *,
        threads: int = 0,
        seed: int = 0,
        dt: float | None = None,
        solver: str = "auto",
        tolerance: float | None = None,
        theta: float = 0.0,
        restitution: float = 0.0,
        warm_start: bool = True,
        work: float = 4096,
        sleep: bool = False,
        settings: dict[str, Any] | None = None,
    ) -> None:
        if nsim < 1:
            raise InputError("", "nsim", "must be at least 1")
        if not 0 <= threads <= 256:
            raise InputError("", "threads", "must be from 0 to 256")
        options = make_options(
            dt=dt,
            solver=solver,
            tolerance=tolerance,
            settings=settings,
            theta=theta,
            restitution=restitution,
            warm_start=warm_start,
            work=work,
            sleep=sleep,
            energy=False,
        )
        self._made(model, nsim, threads, options)
        self.rng = np.random.default_rng(seed)

    def _made(self, model: Model, nsim: int, threads: int, options: Options) -> None:
        super().__init__(model, nsim, threads or len(os.sched_getaffinity(0)), options)
        self.model, self._options = model, options
        self._all = np.arange(nsim, dtype=np.int64)
        self._changed: set[tuple[str, int]] = set()

    # -- running

    def step(self, nstep: int = 1, ids: Iterable[int] | None = None) -> None:
        """Steps of all simulations, or of those in `ids`; failed ones wait. Other threads of Python run meanwhile."""
        self.step_ids(self._all if ids is None else self._ids(ids), nstep)

    def reset(
        self,
        ids: Iterable[int] | None = None,
        keyframe: str | int | None = None,
        *,
        qpos: Any = None,
        qvel: Any = None,
        ctrl: Any = None,
        mocap: Any = None,
    ) -> None:
        """All simulations, or those in `ids`, start from a keyframe (None: the reference configuration).

        qpos, qvel, ctrl: in place of the keyframe's, one row for all or one for each. mocap: poses of the mocap bodies,
        7 numbers each (m, quaternion w x y z).
        """
        chosen = self._all if ids is None else self._ids(ids)
        if not len(chosen):
            return
        q, v, act, control, time = self.model.keyframe(keyframe)
        poses = self.model.mocap_poses(keyframe).reshape(-1)
        given = {"qpos": (qpos, q), "qvel": (qvel, v), "ctrl": (ctrl, control), "act": (None, act), "mocap": (mocap, poses)}
        many = any(value is not None and np.ndim(value) == 2 for value, _ in given.values())
        rows = len(chosen) if many else 1
        arrays = {}
        for name, (value, default) in given.items():
            row = default if value is None else np.asarray(value, float)
            try:
                arrays[name] = np.ascontiguousarray(np.broadcast_to(row, (rows, len(default))))
            except ValueError:
                raise InputError(
                    "", name, f"has the shape {np.shape(row)}; wanted: {(len(default),)} or {(len(chosen), len(default))}"
                ) from None
        times = np.full(rows, float(time))
        self.reset_ids(chosen, arrays["qpos"], arrays["qvel"], arrays["act"], arrays["ctrl"], times, arrays["mocap"])

    def rollout(
        self, controls: Any, *, nstep: int = 1, record: Sequence[str] = ("qpos", "qvel")
    ) -> dict[str, Floats]:
        """Runs all simulations under controls (nsim, horizon, nu), each for `nstep` steps.

        Returns arrays (nsim, horizon, ...) of what `record` names: qpos, qvel, act, ctrl, time, xpos, xquat, status
        (codes into `uzawa.batch.STATUSES`), residual, penetration, contacts, contact_force (N, on each body).
        """
        controls = np.ascontiguousarray(controls, float)
        names = [record] if isinstance(record, str) else list(record)
        return self.rollout_arrays(controls, nstep, names)

    # -- what has become of them

    @property
    def status(self) -> npt.NDArray[np.str_]:
        """(nsim,) words: ready, solved, relaxed, capped, least-violation, failed."""
        return np.array(STATUSES)[self.status_codes]

    def ids(self, status: str = "failed") -> Ids:
        """Indices of the simulations with that status."""
        if status not in STATUSES:
            raise InputError("", f"status '{status}'", f"is none of {', '.join(STATUSES)}")
        return np.flatnonzero(self.status_codes == STATUSES.index(status)).astype(np.int64)

    # -- randomisation

    def randomize(self, field: str, element: str | int, values: Any, ids: Iterable[int] | None = None) -> None:
        """Gives a field of an element a number of its own in each simulation; see `uzawa.model.change_fields()`.

        `batch.body("box").mass = values` is the same for all simulations.
        """
        index = self.model.index(field.split(".", 1)[0], element)
        chosen = self._all if ids is None else self._ids(ids)
        width = _FIELDS.get(field, 1)
        shape = (len(chosen),) if width == 1 else (len(chosen), width)
        try:
            rows = np.ascontiguousarray(np.broadcast_to(np.asarray(values, float), shape))
        except ValueError:
            raise InputError("", field, f"has the shape {np.shape(values)}; wanted: {shape}") from None
        self.change(field, index, chosen, rows)
        self._changed.add((field, index))

    def body(self, name: str | int) -> BatchElement:
        """A body of all simulations."""
        return BatchElement(self, "body", self.model.index("body", name))

    def joint(self, name: str | int) -> BatchElement:
        """A joint of all simulations."""
        return BatchElement(self, "joint", self.model.index("joint", name))

    def geom(self, name: str | int) -> BatchElement:
        """A geom of all simulations."""
        return BatchElement(self, "geom", self.model.index("geom", name))

    def actuator(self, name: str | int) -> BatchElement:
        """An actuator of all simulations."""
        return BatchElement(self, "actuator", self.model.index("actuator", name))

    # -- snapshots

    def save(self, ids: Iterable[int] | None = None) -> list[Snapshot]:
        """A snapshot of each simulation."""
        return [self.save_one(int(i)) for i in (self._all if ids is None else self._ids(ids))]

    def restore(self, snapshots: Sequence[Snapshot], ids: Iterable[int] | None = None) -> None:
        """Simulations go on from snapshots, of this batch or of worlds of the same model."""
        chosen = self._all if ids is None else self._ids(ids)
        if len(snapshots) != len(chosen):
            raise InputError("", "snapshots", f"there are {len(snapshots)} for {len(chosen)} simulations")
        for i, snapshot in zip(chosen, snapshots):
            self.restore_one(int(i), snapshot)

    def __reduce__(self) -> tuple[Any, ...]:
        changes = [(field, index, self.changed(field, index)) for field, index in sorted(self._changed)]
        return _restored, (type(self), self.model, self.nsim, self._options.to_bytes(), changes, self.save(), self.rng)

    def _ids(self, ids: Iterable[int]) -> Ids:
        array = np.asarray(list(ids) if not isinstance(ids, np.ndarray) else ids)
        if array.dtype == bool:
            if array.shape != (self.nsim,):
                raise InputError("", "ids", f"a mask must have {self.nsim} entries")
            array = np.flatnonzero(array)
        if array.size and not np.issubdtype(array.dtype, np.integer):
            raise InputError("", "ids", "must be whole numbers or a mask")
        return np.ascontiguousarray(array, np.int64).reshape(-1)

    def __len__(self) -> int:
        return self.nsim

    def __repr__(self) -> str:
        counts = [f"{n} {word}" for word in STATUSES if (n := len(self.ids(word)))]
        return f"<uzawa.Batch of {self.nsim} x {self.model.name!r} on {self.threads} threads: {', '.join(counts)}>"


def _restored(
    cls: type[Batch],
    model: Model,
    nsim: int,
    options: bytes,
    changes: list[tuple[str, int, Floats]],
    snapshots: list[Snapshot],
    rng: np.random.Generator,
) -> Batch:
    """A batch as it was, on as many threads as there are processors here. Simulations that had failed may go on."""
    batch = cls.__new__(cls)
    batch._made(model, nsim, 0, Options.from_bytes(options))
    for field, index, values in changes:
        batch.randomize(field, index, values)
    batch.restore(snapshots)
    batch.rng = rng
    return batch
