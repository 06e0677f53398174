"""Tasks of `uzawa.gym` that are about contact: pinching, screwing, piling and routing. All are ours."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from .batch import Batch
from .model import Floats, Model
from .scene import Scene
from .tasks import FAILED, Task


class ContactTask(Task):
    """Positions and velocities are observed; the start is the reference configuration, moved to the side at random."""

    limit = 200
    frame_skip = 5
    moved: tuple[int, ...] = ()  #: numbers of qpos
    by = 0.01  #: m

    def start(self, rng: np.random.Generator, model: Model, count: int) -> dict[str, Any]:
        q = np.tile(model.keyframe()[0], (count, 1))
        q[:, list(self.moved)] += rng.uniform(-self.by, self.by, (count, len(self.moved)))
        return {"qpos": q}

    def observe(self, batch: Batch) -> Floats:
        return np.concatenate([batch.qpos, batch.qvel], axis=1)

    def rate(self, batch: Batch, gain: Floats, ended: Any, actions: Floats) -> tuple[Floats, Any, dict[str, Any]]:
        """Gain is rewarded, effort costs a little; a simulation that fails has ended, too."""
        return gain - 1e-3 * np.square(actions).sum(axis=1), ended | (batch.status_codes == FAILED), {"gain": gain}


class PinchLift(ContactTask):
    """Two fingers lift a box by friction alone. Actions: force of the left and of the right finger, force upwards."""

    name = "PinchLift-v0"
    moved = (0, 1)
    xml = """<mujoco model="pinch-lift"><option timestep="0.004"/><worldbody><geom type="plane" size="1 1 .1" friction="0.2"/>
<body name="box" pos="0 0 .03"><freejoint/><geom type="box" size=".03 .03 .03" mass=".5" friction=".6"/></body>
<body name="hand" pos="0 0 .03"><joint name="lift" type="slide" axis="0 0 1" range="0 .3" damping="5"/>
<geom type="box" size=".02 .02 .01" pos="0 0 .12" mass=".3" contype="0" conaffinity="0"/>
<body pos="-.08 0 0"><joint name="left" type="slide" axis="1 0 0" range="0 .08" damping="2"/><geom type="box" size=".01 .02 .01" mass=".1" friction=".6"/></body>
<body pos=".08 0 0"><joint name="right" type="slide" axis="-1 0 0" range="0 .08" damping="2"/><geom type="box" size=".01 .02 .01" mass=".1" friction=".6"/></body>
</body></worldbody><actuator><motor joint="left" ctrlrange="-20 20"/><motor joint="right" ctrlrange="-20 20"/>
<motor joint="lift" ctrlrange="-20 20"/></actuator></mujoco>"""

    def model(self) -> Model:
        return Model.from_string(self.xml, name="pinch-lift")

    def action_range(self, model: Model) -> Floats:
        return np.tile([-1.0, 1.0], (3, 1))

    def act(self, batch: Batch, ids: Any, actions: Floats) -> None:
        batch.ctrl[ids] = 20 * actions

    def measure(self, batch: Batch) -> Floats:
        return batch.qpos[:, 2].copy()

    def judge(self, batch: Batch, before: Floats, actions: Floats) -> tuple[Floats, Any, dict[str, Any]]:
        height = batch.qpos[:, 2]
        return self.rate(batch, 100 * (height - before), np.zeros(batch.nsim, bool), actions)


class SceneTask(ContactTask):
    """A task with the model of a named scene; actions are forces on one free body, in world axes."""

    scene: str
    parameters: dict[str, Any] = {}
    dofs: tuple[int, ...]  #: of qvel, which the actions push
    push: tuple[float, ...]  #: N or N m of an action of 1

    @cached_property
    def _made(self) -> Scene:
        return Scene(self.scene, **self.parameters)

    def model(self) -> Model:
        self.dt = self._made.dt
        return self._made.model

    def action_range(self, model: Model) -> Floats:
        return np.tile([-1.0, 1.0], (len(self.dofs), 1))

    def act(self, batch: Batch, ids: Any, actions: Floats) -> None:
        batch.qfrc_applied[np.ix_(ids, self.dofs)] = actions * self.push


class NutOnBolt(SceneTask):
    """An M48 nut goes down its bolt by a torque about the axis; the other action pushes along it."""

    name = "NutOnBolt-v0"
    scene = "bolt-nut"
    dofs, push = (5, 2), (0.5, 5.0)

    def start(self, rng: np.random.Generator, model: Model, count: int) -> dict[str, Any]:
        return {"qvel": np.concatenate([np.zeros((count, 5)), rng.uniform(-2, 2, (count, 1))], axis=1)}

    def measure(self, batch: Batch) -> Floats:
        return batch.qpos[:, 2].copy()

    def judge(self, batch: Batch, before: Floats, actions: Floats) -> tuple[Floats, Any, dict[str, Any]]:
        height = batch.qpos[:, 2]
        lost = height > self._start_height + 0.02  # off the thread
        return self.rate(batch, 1e3 * (before - height), lost, actions)

    @cached_property
    def _start_height(self) -> float:
        return float(self._made.model.keyframe()[0][2])


class DishPiling(SceneTask):
    """A pot of 5 kg is let down onto a pile of light dishes and centred. Actions: force on the pot besides its weight."""

    name = "DishPiling-v0"
    scene = "dish-piling"
    parameters = {"drop": 0.02}
    pot = 3  #: of the free bodies
    dofs, push = (18, 19, 20), (10.0, 10.0, 25.0)
    moved = (21, 22)
    by = 0.02

    def act(self, batch: Batch, ids: Any, actions: Floats) -> None:
        super().act(batch, ids, actions)
        batch.qfrc_applied[ids, self.dofs[2]] += 0.5 * 5 * 9.81

    def _error(self, batch: Batch) -> Floats:
        """m and rad: pot to the side, all dishes' height above a pile at rest, tilt of the plate."""
        q = batch.qpos.reshape(batch.nsim, 4, 7)
        tilt = 2 * np.hypot(q[:, :, 4], q[:, :, 5]).max(axis=1)
        return np.linalg.norm(q[:, self.pot, :2] - q[:, 2, :2], axis=1) + q[:, self.pot, 2] + 0.1 * tilt

    measure = _error

    def judge(self, batch: Batch, before: Floats, actions: Floats) -> tuple[Floats, Any, dict[str, Any]]:
        q = batch.qpos.reshape(batch.nsim, 4, 7)
        toppled = (np.diff(q[:, :, 2], axis=1) < 0).any(axis=1)
        return self.rate(batch, 100 * (before - self._error(batch)), toppled, actions)


class CableRouting(ContactTask):
    """A rubber cable, held at one end, is pulled around a peg. Actions: force of a hand in the plane of the table."""

    name = "CableRouting-v0"
    frame_skip = 10
    peg = np.array([0.2, 0.05])
    xml = """<mujoco model="cable-routing"><option timestep="0.002"/><extension><plugin plugin="mujoco.elasticity.cable"/></extension><worldbody>
<geom type="plane" size="1 1 .1" friction=".3"/><geom name="peg" type="cylinder" size=".02 .05" pos=".2 .05 .05" friction=".3"/>
<composite prefix="cable_" type="cable" curve="s" count="21 1 1" size=".4" offset="0 0 .006" initial="none">
<plugin plugin="mujoco.elasticity.cable"><config key="twist" value="5e5"/><config key="bend" value="2e6"/></plugin>
<joint kind="main" damping="1e-3"/><geom type="capsule" size=".005" density="1100" friction=".3"/></composite>
<body name="hand" pos=".4 0 .006"><joint name="x" type="slide" axis="1 0 0" damping="2"/><joint name="y" type="slide" axis="0 1 0" damping="2"/>
<geom type="sphere" size=".006" mass=".2" contype="0" conaffinity="0"/></body></worldbody>
<equality><connect body1="hand" body2="cable_B_last" anchor="0 0 0"/></equality>
<actuator><motor joint="x" ctrlrange="-2 2"/><motor joint="y" ctrlrange="-2 2"/></actuator></mujoco>"""

    def model(self) -> Model:
        return Model.from_string(self.xml, name="cable-routing")

    def start(self, rng: np.random.Generator, model: Model, count: int) -> dict[str, Any]:
        return {"qvel": np.concatenate([np.zeros((count, model.nv - 2)), rng.uniform(-0.05, 0.05, (count, 2))], axis=1)}

    def _from_peg(self, batch: Batch) -> Floats:
        return batch.qpos[:, -2:] + [0.4, 0.0] - self.peg

    def measure(self, batch: Batch) -> Floats:
        return self._from_peg(batch)

    def judge(self, batch: Batch, before: Floats, actions: Floats) -> tuple[Floats, Any, dict[str, Any]]:
        now = self._from_peg(batch)
        # Angle about the peg by which the hand has gone on, rad, anticlockwise.
        gone = np.arctan2(before[:, 0] * now[:, 1] - before[:, 1] * now[:, 0], (before * now).sum(axis=1))
        return self.rate(batch, gone, np.linalg.norm(now, axis=1) > 0.6, actions)


CONTACT = (PinchLift(), NutOnBolt(), DishPiling(), CableRouting())
