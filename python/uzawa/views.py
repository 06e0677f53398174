"""Elements of a world: bodies, joints, geoms, sites and actuators, whose numbers are parts of the world's arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._errors import InputError
from .model import Floats

if TYPE_CHECKING:
    from .world import World


class View:
    """An element of a world."""

    __slots__ = ("_world", "id")

    def __init__(self, world: World, index: int) -> None:
        self._world, self.id = world, index


class BodyView(View):
    """A body of a world."""

    @property
    def name(self) -> str:
        """of the body in the model; may be empty"""
        return self._world.model.names("body")[self.id]

    @property
    def xpos(self) -> Floats:
        """m, origin of the body's frame"""
        return self._world.xpos[self.id]

    @property
    def xquat(self) -> Floats:
        """orientation, w x y z"""
        return self._world.xquat[self.id]

    @property
    def xmat(self) -> Floats:
        """orientation as a 3 x 3 matrix"""
        return self._world.xmat[self.id].reshape(3, 3)

    @property
    def velocity(self) -> Floats:
        """m/s, of the origin, world axes"""
        return self._world.cvel[self.id, :3]

    @property
    def angular_velocity(self) -> Floats:
        """rad/s, world axes"""
        return self._world.cvel[self.id, 3:]

    @property
    def mocap_pos(self) -> Floats:
        """m, where the next step takes a mocap body; live"""
        return self._world.mocap_pos[self._mocap()]

    @mocap_pos.setter
    def mocap_pos(self, value: Any) -> None:
        self._world.mocap_pos[self._mocap()] = value

    @property
    def mocap_quat(self) -> Floats:
        """w x y z, as the next step turns a mocap body; live"""
        return self._world.mocap_quat[self._mocap()]

    @mocap_quat.setter
    def mocap_quat(self, value: Any) -> None:
        self._world.mocap_quat[self._mocap()] = value

    def _mocap(self) -> int:
        """Its row in the world's arrays."""
        row = int(self._world.model.body_mocapid[self.id])
        if row < 0:
            raise InputError(self._world.model.source, f"body '{self.name}'", "is no mocap body: it has no mocap=\"true\"")
        return row

    def __repr__(self) -> str:
        return f"<uzawa body {self.id} {self.name!r} at {self.xpos}>"


class JointView(View):
    """A joint of a world."""

    __slots__ = ("_q", "_v")

    def __init__(self, world: World, index: int) -> None:
        super().__init__(world, index)
        self._q, self._v = world.model.joint_slices(index)

    @property
    def name(self) -> str:
        """of the joint in the model; may be empty"""
        return self._world.model.names("joint")[self.id]

    @property
    def qpos(self) -> Floats:
        """m, rad, quaternion; live"""
        return self._world.qpos[self._q]

    @qpos.setter
    def qpos(self, value: Any) -> None:
        self._world.qpos[self._q] = value

    @property
    def qvel(self) -> Floats:
        """m/s, rad/s; live"""
        return self._world.qvel[self._v]

    @qvel.setter
    def qvel(self, value: Any) -> None:
        self._world.qvel[self._v] = value

    @property
    def qfrc_applied(self) -> Floats:
        """N, N m; live"""
        return self._world.qfrc_applied[self._v]

    @qfrc_applied.setter
    def qfrc_applied(self, value: Any) -> None:
        self._world.qfrc_applied[self._v] = value

    def __repr__(self) -> str:
        return f"<uzawa joint {self.id} {self.name!r}: qpos {self.qpos}, qvel {self.qvel}>"


class GeomView(View):
    """A geom of a world."""

    @property
    def name(self) -> str:
        """of the geom in the model; may be empty"""
        return self._world.model.names("geom")[self.id]

    @property
    def xpos(self) -> Floats:
        """m"""
        return self._world.geom_xpos[self.id]

    @property
    def xmat(self) -> Floats:
        """orientation as a 3 x 3 matrix"""
        return self._world.geom_xmat[self.id].reshape(3, 3)

    def __repr__(self) -> str:
        return f"<uzawa geom {self.id} {self.name!r} at {self.xpos}>"


class SiteView(View):
    """A site of a world."""

    @property
    def name(self) -> str:
        """of the site in the model; may be empty"""
        return self._world.model.names("site")[self.id]

    @property
    def xpos(self) -> Floats:
        """m"""
        return self._world.site_xpos[self.id]

    @property
    def xmat(self) -> Floats:
        """orientation as a 3 x 3 matrix"""
        return self._world.site_xmat[self.id].reshape(3, 3)

    def __repr__(self) -> str:
        return f"<uzawa site {self.id} {self.name!r} at {self.xpos}>"


class ActuatorView(View):
    """An actuator of a world."""

    @property
    def name(self) -> str:
        """of the actuator in the model; may be empty"""
        return self._world.model.names("actuator")[self.id]

    @property
    def ctrl(self) -> float:
        """control"""
        return float(self._world.ctrl[self.id])

    @ctrl.setter
    def ctrl(self, value: float) -> None:
        self._world.ctrl[self.id] = value

    def __repr__(self) -> str:
        return f"<uzawa actuator {self.id} {self.name!r}: ctrl {self.ctrl}>"
