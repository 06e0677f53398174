"""Models: what exists."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Union

import numpy as np
import numpy.typing as npt

from ._engine import core

if TYPE_CHECKING:
    from ._core import Loaded
    from ._core import Model as _Model
else:
    _Model = core.Model

PathLike = Union[str, "os.PathLike[str]"]
Floats = npt.NDArray[np.float64]
_JOINT_TYPES = ("free", "ball", "slide", "hinge")
_Q_SIZE = {"free": 7, "ball": 4, "slide": 1, "hinge": 1}
_V_SIZE = {"free": 6, "ball": 3, "slide": 1, "hinge": 1}


class Element:
    """An element of a model by name: its index and the numbers that may be changed."""

    def __init__(self, model: Model, kind: str, index: int) -> None:
        self.model, self.kind, self.id = model, kind, index

    @property
    def name(self) -> str:
        """in the model; may be empty"""
        return self.model.names(self.kind)[self.id]

    def __getattr__(self, field: str) -> Any:
        if field.startswith("_"):
            raise AttributeError(field)
        if f"{self.kind}.{field}" not in _FIELDS:
            raise AttributeError(f"{self.kind} has no {field}; it has {', '.join(_fields_of(self.kind))}")
        return self.model.field(f"{self.kind}.{field}")[self.id]

    def __dir__(self) -> list[str]:
        return ["model", "kind", "id", "name", *_fields_of(self.kind)]

    def __repr__(self) -> str:
        numbers = ", ".join(f"{field}={getattr(self, field)}" for field in _fields_of(self.kind))
        return f"<uzawa {self.kind} {self.id} {self.name!r}{': ' + numbers if numbers else ''}>"


_FIELDS = {name: width for name, width, _ in core.change_fields()}


def _fields_of(kind: str) -> list[str]:
    return [name.split(".", 1)[1] for name in _FIELDS if name.startswith(kind + ".")]


class Model(_Model):
    """What exists: bodies, joints, geoms, actuators. Immutable, and shared by any number of worlds.

    Made by `from_file`, `from_string` or `variant`. Indices and layouts are MuJoCo's.
    """

    @classmethod
    def from_file(
        cls, path: PathLike, *, packages: Mapping[str, PathLike] | None = None, free_base: bool = False
    ) -> Model:
        """Reads an MJCF file, or a URDF file by its ending.

        packages: where `package://NAME/...` of a URDF is found. free_base: its root link gets a free joint.
        Raises InputError with file, element and reason.
        """
        folders = {name: os.fspath(folder) for name, folder in (packages or {}).items()}
        return cls(core.load_file(os.fspath(path), folders, free_base))

    @classmethod
    def from_string(
        cls,
        xml: str,
        assets: Mapping[str, bytes | PathLike] | None = None,
        *,
        name: str = "<string>",
        packages: Mapping[str, PathLike] | None = None,
        free_base: bool = False,
    ) -> Model:
        """Reads MJCF or URDF text. assets: files that it refers to, by name: their bytes or paths."""
        files = {
            key: value if isinstance(value, bytes) else Path(value).read_bytes() for key, value in (assets or {}).items()
        }
        folders = {key: os.fspath(folder) for key, folder in (packages or {}).items()}
        return cls(core.load_text(xml, files, name, folders, free_base))

    def variant(self, changes: Mapping[str, Mapping[str | int, float | Iterable[float]]]) -> Model:
        """The model with other numbers: `model.variant({"body.mass": {"box": 2.0}})`.

        The fields are those of `uzawa.model.change_fields()`.
        """
        listed = []
        for field, elements in changes.items():
            kind = field.split(".", 1)[0]
            for element, value in elements.items():
                index = element if isinstance(element, int) else self.find(kind, element)
                listed.append((field, index, np.atleast_1d(np.asarray(value, float)).tolist()))
        return type(self)(core.load_variant(self, listed))

    def body(self, name: str | int) -> Element:
        """A body by name or index."""
        return self._element("body", name)

    def joint(self, name: str | int) -> Element:
        """A joint by name or index."""
        return self._element("joint", name)

    def geom(self, name: str | int) -> Element:
        """A geom by name or index."""
        return self._element("geom", name)

    def actuator(self, name: str | int) -> Element:
        """An actuator by name or index."""
        return self._element("actuator", name)

    def site(self, name: str | int) -> Element:
        """A site by name or index."""
        return self._element("site", name)

    def index(self, kind: str, name: str | int) -> int:
        """Index of an element by name; an index is checked."""
        if isinstance(name, str):
            return self.find(kind, name)
        count = len(self.names(kind))
        if not -count <= int(name) < count:
            raise IndexError(f"{kind} {name}: the model has {count}")
        return int(name) % count

    def joint_slices(self, joint: int) -> tuple[slice, slice]:
        """Where the numbers of a joint are in qpos and qvel."""
        kind = _JOINT_TYPES[int(self.jnt_type[joint])]
        q, v = int(self.jnt_qposadr[joint]), int(self.jnt_dofadr[joint])
        return slice(q, q + _Q_SIZE[kind]), slice(v, v + _V_SIZE[kind])

    def keyframe(self, name: str | int | None = None) -> tuple[Floats, Floats, Floats, Floats, float]:
        """(qpos, qvel, act, ctrl, time) of a keyframe; None: of the reference configuration."""
        return self.keyframe_arrays(-1 if name is None else self.index("keyframe", name))

    def mocap_poses(self, keyframe: str | int | None = None) -> Floats:
        """(nmocap, 7) position, m, and quaternion w x y z of each mocap body in a keyframe; None: as in the model."""
        return self.keyframe_mocap(-1 if keyframe is None else self.index("keyframe", keyframe))

    def _element(self, kind: str, name: str | int) -> Element:
        return Element(self, kind, self.index(kind, name))

    def __reduce__(self) -> tuple[Any, ...]:
        return _from_bytes, (type(self), self.to_bytes())

    def __copy__(self) -> Model:
        return self  # it never changes

    def __deepcopy__(self, memo: dict[int, Any]) -> Model:
        return self

    def __repr__(self) -> str:
        parts = [
            f"{count} {word}"
            for count, word in (
                (self.nbody - 1, "bodies"),
                (self.njnt, "joints"),
                (self.ngeom, "geoms"),
                (self.nu, "actuators"),
                (self.nkey, "keyframes"),
            )
            if count
        ]
        return f"<uzawa.Model {self.name!r}: {', '.join(parts)}; nq {self.nq}, nv {self.nv}, {self.total_mass:.4g} kg>"


def _from_bytes(cls: type[Model], data: bytes) -> Model:
    return cls(core.load_bytes(data))


def change_fields() -> dict[str, str]:
    """Fields that `Model.variant` and batches change, with their units."""
    return {name: about for name, _, about in core.change_fields()}
