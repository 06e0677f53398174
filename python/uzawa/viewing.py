"""Looking at a world: in a browser while it runs, and as an image."""

from __future__ import annotations

import struct
import webbrowser
import zlib
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ._engine import core

if TYPE_CHECKING:
    from .world import World


class Viewer:
    """A world in a browser. `sync()` shows the world's present state; the picture is one step ahead, with its contacts."""

    def __init__(self, world: World, *, run: bool, open_browser: bool, host: str, port: int) -> None:
        self._world = world
        self._view = core.View(world, host, port, run)
        if open_browser:
            webbrowser.open(self.url)

    @property
    def url(self) -> str:
        """To open in a browser."""
        return self._view.url

    @property
    def is_open(self) -> bool:
        """The browser can still be served."""
        return self._view.is_open

    def sync(self) -> None:
        """Shows the world as it is now."""
        self._view.sync(self._world)

    def close(self) -> None:
        """Ends the server."""
        self._view.close()

    def __enter__(self) -> Viewer:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<uzawa.Viewer at {self.url}{'' if self.is_open else ', closed'}>"


def decode_png(data: bytes) -> npt.NDArray[np.uint8]:
    """(height, width, channels) of a PNG of 8 bits a channel without interlacing, as browsers write them."""
    if data[:8] != b"\x89PNG\r\n\x1a\n":
        raise ValueError("not a PNG")
    at, packed, width, height, channels = 8, b"", 0, 0, 0
    while at < len(data):
        (length,), kind = struct.unpack(">I", data[at : at + 4]), data[at + 4 : at + 8]
        body = data[at + 8 : at + 8 + length]
        if kind == b"IHDR":
            width, height, depth, color, _, _, interlace = struct.unpack(">IIBBBBB", body)
            channels = {0: 1, 2: 3, 4: 2, 6: 4}.get(color, 0)
            if depth != 8 or interlace or not channels:
                raise ValueError("this kind of PNG is not read")
        elif kind == b"IDAT":
            packed += body
        at += length + 12
    raw = np.frombuffer(zlib.decompress(packed), np.uint8).reshape(height, 1 + width * channels)
    image = np.zeros((height, width, channels), np.int32)
    above = np.zeros((width, channels), np.int32)
    for y in range(height):
        line = raw[y, 1:].reshape(width, channels).astype(np.int32)
        image[y] = above = _unfilter(int(raw[y, 0]), line, above)
    return image.astype(np.uint8)


def _unfilter(kind: int, line: Any, above: Any) -> Any:
    if kind == 0:
        return line
    if kind == 1:
        return np.cumsum(line, axis=0) & 255
    if kind == 2:
        return (line + above) & 255
    out = np.zeros_like(line)
    left = corner = np.zeros(line.shape[1], np.int32)
    for x in range(len(line)):
        if kind == 3:
            guess = (left + above[x]) >> 1
        else:  # Paeth
            p = left + above[x] - corner
            a, b, c = np.abs(p - left), np.abs(p - above[x]), np.abs(p - corner)
            guess = np.where((a <= b) & (a <= c), left, np.where(b <= c, above[x], corner))
        out[x] = left = (line[x] + guess) & 255
        corner = above[x]
    return out


def render(
    world: World,
    width: int = 640,
    height: int = 480,
    *,
    azimuth: float | None = None,
    elevation: float | None = None,
    zoom: float = 1.0,
    forces: bool = False,
) -> npt.NDArray[np.uint8]:
    """The present state as an image (height, width, 3), drawn by headless Chromium (seconds a picture).

    azimuth, elevation: degrees; None: the page's own. Shows the world one step ahead, and leaves it as it is.
    """
    import copy

    with TemporaryDirectory() as folder:
        page = str(Path(folder) / "replay.html")
        twin = copy.copy(world)
        twin.start_recording(page, 1)
        twin.step()
        twin.end_recording()
        png = core.screenshot(page, width, height, azimuth, elevation, zoom, forces)
    return decode_png(png)[:, :, :3]
