"""Worlds: models that move."""

from __future__ import annotations

import copyreg
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ._engine import core
from .model import Floats, Model, PathLike
from .views import ActuatorView, BodyView, GeomView, JointView, SiteView

if TYPE_CHECKING:
    from ._core import Options, Report, Snapshot
    from ._core import World as _World
    from .recording import Recording, Replay
    from .viewing import Viewer
else:
    _World, Options, Report, Snapshot = core.World, core.Options, core.Report, core.Snapshot


@dataclass(frozen=True)
class Contact:
    """A point where two geoms touch, or may within the step."""

    geom1: str  #: name, or "geom 3" where it has none
    geom2: str
    geom1_id: int
    geom2_id: int
    point: Floats  #: m, world
    normal: Floats  #: unit, from geom1 to geom2
    gap: float  #: m; negative: penetration
    force: Floats  #: N, on geom2, mean of the step, world axes

    @property
    def normal_force(self) -> float:
        """N"""
        return float(self.normal @ self.force)


def make_options(
    *,
    dt: float | None,
    solver: str,
    tolerance: float | None,
    settings: dict[str, Any] | None,
    **others: Any,
) -> Options:
    """Settings of a world, with the engine's defaults where nothing is said."""
    options = Options()
    options.dt = 0.0 if dt is None else float(dt)
    if dt is not None and not options.dt > 0:
        from ._errors import InputError

        raise InputError("", "time step", "must be a positive number of seconds")
    options.solver = solver
    if tolerance is not None:
        options.tolerance = float(tolerance)
    for name, value in others.items():
        setattr(options, name, value)
    text = {True: "true", False: "false"}
    options.settings = [
        [name, text[value] if isinstance(value, bool) else str(value)] for name, value in (settings or {}).items()
    ]
    return options


def geom_name(names: list[str], index: int) -> str:
    """Its name, or "geom 3" where it has none."""
    return names[index] or f"geom {index}"


class World(_World):
    """A model that moves.

    `qpos`, `qvel`, `act`, `ctrl`, `qfrc_applied` are live arrays: writing to them changes the world, stepping changes them.
    `mocap_pos` and `mocap_quat`, live too, are where the next step takes the mocap bodies, at constant velocity; then they stand.
    `xpos`, `xquat`, `xmat`, `cvel`, `geom_xpos`, `site_xpos` and so on are those of the present state. All arrays stay valid
    after the world is gone.

    dt: s, of a step; None: the model's own. solver: one of `uzawa.solvers()`. tolerance: on the residual, m/s and N s.
    theta: 0 semi-implicit Euler, 0.5 midpoint. threads: for one step; the bits do not depend on it. settings: of methods,
    as in `{"canal.penalty": 10}`.
    """

    model: Model

    def __init__(
        self,
        model: Model,
        *,
        dt: float | None = None,
        solver: str = "auto",
        tolerance: float | None = None,
        theta: float = 0.0,
        threads: int = 1,
        restitution: float = 0.0,
        warm_start: bool = True,
        work: float = 4096,
        budget_us: float = 0.0,
        sleep: bool = False,
        energy: bool = True,
        settings: dict[str, Any] | None = None,
        _options: Options | None = None,
    ) -> None:
        options = _options or make_options(
            dt=dt,
            solver=solver,
            tolerance=tolerance,
            settings=settings,
            theta=theta,
            threads=threads,
            restitution=restitution,
            warm_start=warm_start,
            work=work,
            budget_us=budget_us,
            sleep=sleep,
            energy=energy,
        )
        super().__init__(model, options)
        self.model = model
        self._recording: Recording | None = None
        self._viewer: Viewer | None = None

    def reset(self, keyframe: str | int | None = None) -> None:
        """Back to a keyframe, or to the reference configuration at rest; controls are the keyframe's, or zero."""
        self.set_start(*self.model.keyframe(keyframe), self.model.mocap_poses(keyframe))

    # -- by name

    def body(self, name: str | int) -> BodyView:
        """A body by name or index."""
        return BodyView(self, self.model.index("body", name))

    def joint(self, name: str | int) -> JointView:
        """A joint by name or index."""
        return JointView(self, self.model.index("joint", name))

    def geom(self, name: str | int) -> GeomView:
        """A geom by name or index."""
        return GeomView(self, self.model.index("geom", name))

    def site(self, name: str | int) -> SiteView:
        """A site by name or index."""
        return SiteView(self, self.model.index("site", name))

    def actuator(self, name: str | int) -> ActuatorView:
        """An actuator by name or index."""
        return ActuatorView(self, self.model.index("actuator", name))

    def sensor(self, name: str | int) -> Floats:
        """Readings of a sensor after the last step; zeros before it. Units and axes are MuJoCo's."""
        starts, index = self.model.sensor_adr.tolist(), self.model.index("sensor", name)
        return self.sensordata[starts[index] : [*starts, self.model.nsensordata][index + 1]]

    # -- what the last step has found

    @property
    def contacts(self) -> list[Contact]:
        """Contacts of the last step with their forces."""
        geom1, geom2, point, normal, gap, force = self.contact_arrays()
        names = self.model.names("geom")
        return [
            Contact(geom_name(names, a), geom_name(names, b), a, b, point[i], normal[i], float(gap[i]), force[i])
            for i, (a, b) in enumerate(zip(geom1.tolist(), geom2.tolist()))
        ]

    @property
    def problem(self) -> Any:
        """The last step's contact problem, as a copy: `uzawa.solve(world.problem, "pgs")`."""
        from .problem import Problem

        return Problem(core.world_problem(self))

    # -- dynamics at the present state

    def mass_matrix(self) -> Floats:
        """(nv, nv) M, kg and kg m^2."""
        return core.mass_matrix(self)

    def bias_force(self) -> Floats:
        """(nv,) Coriolis, centrifugal and gyroscopic forces minus gravity, N and N m."""
        return core.bias_force(self)

    def inverse_dynamics(self, acceleration: Any) -> Floats:
        """(nv,) M a + bias, N and N m; contacts are left out."""
        return core.inverse_dynamics(self, np.ascontiguousarray(acceleration, float))

    def jacobian(self, body: str | int, point: Any = (0.0, 0.0, 0.0)) -> Floats:
        """(6, nv): velocity of a point of a body (m, in its frame), then the body's angular velocity; world axes."""
        x, y, z = np.asarray(point, float)
        return core.jacobian(self, self.model.index("body", body), [x, y, z])

    # -- looking

    def record(self, path: PathLike | None = None, *, every: int = 1) -> Recording:
        """Writes all further steps into a log (.h5) or a replay (.html); None: a replay for `replay()`.

        `with world.record("run.h5"): ...` closes it; until then the file does not have its name.
        """
        from .recording import Recording

        if self._recording is not None:
            self._recording.close()
        self._recording = Recording(self, None if path is None else os.fspath(path), every)
        return self._recording

    def replay(self) -> Replay:
        """What was recorded by `record()`: shows itself in a notebook, and is one HTML file."""
        from ._errors import InputError

        if self._recording is None:
            raise InputError("", "replay", "nothing was recorded: call world.record() before the steps")
        self._recording.close()
        return self._recording.replay()

    def view(self, *, run: bool = False, open_browser: bool = True, host: str = "127.0.0.1", port: int = 0) -> Viewer:
        """Shows the world in a browser and returns at once. `viewer.sync()` shows the present state.

        run: the picture goes on by itself, in a world of its own that the mouse can pull at.
        """
        from .viewing import Viewer

        return Viewer(self, run=run, open_browser=open_browser, host=host, port=port)

    def render(self, width: int = 640, height: int = 480, **look: Any) -> Any:
        """The present state as an image (height, width, 3) of bytes; needs Chromium. See `uzawa.viewing.render`."""
        from .viewing import render

        return render(self, width, height, **look)

    # -- copies

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (type(self), self.model, self.options.to_bytes(), self.save())

    def __copy__(self) -> World:
        twin = type(self)(self.model, _options=self.options)
        twin.restore(self.save())
        return twin

    def __deepcopy__(self, memo: dict[int, Any]) -> World:
        return self.__copy__()

    def __repr__(self) -> str:
        return (
            f"<uzawa.World of {self.model.name!r} at t = {self.time:.6g} s: dt {self.dt:g} s, solver {self.options.solver}, "
            f"{self.report.contacts} contacts, last step {self.report.status}>"
        )

    def _repr_html_(self) -> str:
        rows = {
            "model": repr(self.model),
            "time": f"{self.time:.6g} s",
            "solver": self.options.solver,
            "last step": f"{self.report.status}, residual {self.report.residual:.1e}, {self.report.contacts} contacts",
        }
        import html

        cells = "".join(f"<tr><th>{key}</th><td>{html.escape(value)}</td></tr>" for key, value in rows.items())
        return f"<table>{cells}</table>"


def _restored(cls: type[World], model: Model, options: bytes, snapshot: Snapshot) -> World:
    world = cls(model, _options=Options.from_bytes(options))
    world.restore(snapshot)
    return world


def _snapshot_from_bytes(data: bytes) -> Snapshot:
    return Snapshot.from_bytes(data)


copyreg.pickle(Snapshot, lambda snapshot: (_snapshot_from_bytes, (snapshot.to_bytes(),)))


def collide(model: Model, qpos: Any, distance: float = 0.0) -> list[Contact]:
    """Contacts of a configuration: pairs that touch or are nearer than `distance` (m). Nothing moves."""
    geom1, geom2, point, normal, gap = core.collide(model, np.ascontiguousarray(qpos, float), float(distance))
    names = model.names("geom")
    return [
        Contact(geom_name(names, a), geom_name(names, b), a, b, point[i], normal[i], float(gap[i]), np.zeros(3))
        for i, (a, b) in enumerate(zip(geom1.tolist(), geom2.tolist()))
    ]
