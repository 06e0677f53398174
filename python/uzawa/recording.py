"""Logs and replays."""

from __future__ import annotations

import html
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ._engine import core
from .model import PathLike

if TYPE_CHECKING:
    from .world import World


class Recording:
    """Steps that are written into a file while the world runs. The file gets its name when it is closed."""

    def __init__(self, world: World, path: str | None, every: int = 1) -> None:
        self._folder = tempfile.TemporaryDirectory() if path is None else None
        self.path = Path(path) if path is not None else Path(self._folder.name) / "replay.html"  # type: ignore[union-attr]
        self._world: World | None = world
        world.start_recording(str(self.path), every)

    def close(self) -> None:
        """Completes the file."""
        world, self._world = self._world, None
        if world is not None:
            world.end_recording()

    def replay(self) -> Replay:
        """The replay that was recorded."""
        return Replay(self.path.read_text())

    def __enter__(self) -> Recording:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()


class Replay:
    """A run in one HTML page that needs nothing else. A notebook shows it."""

    def __init__(self, page: str) -> None:
        self.page = page

    def write(self, path: PathLike) -> None:
        """Writes the page."""
        Path(os.fspath(path)).write_text(self.page)

    def _repr_html_(self) -> str:
        return f'<iframe style="width:100%;height:480px;border:0" srcdoc="{html.escape(self.page, quote=True)}"></iframe>'

    def __repr__(self) -> str:
        return f"<uzawa.Replay, {len(self.page) / 1e6:.1f} MB>"


def read_log(path: PathLike) -> dict[str, Any]:
    """All frames of a log (docs/log-format.md) as arrays: time, qpos, qvel, ctrl, residual, contact_force, ..."""
    return core.read_log(os.fspath(path))
