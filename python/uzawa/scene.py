"""Named scenes: models with a start, a controller and a check."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ._engine import core
from .model import Model, _from_bytes
from .world import World, make_options

if TYPE_CHECKING:
    from ._core import Scene as _Scene
else:
    _Scene = core.Scene


@dataclass(frozen=True)
class Outcome:
    """What a scene's run should have shown, and what it did."""

    holds: bool
    expected: str
    measured: str
    wrong: str  #: names of what is not as expected

    def __bool__(self) -> bool:
        return self.holds


class Scene(_Scene):
    """A named scene (`uzawa.scenes()`): `uz.Scene("pinch", mu=0.5).run()`.

    Keyword arguments beside those of a World are parameters of the scene; `Scene.describe(name)` lists them.
    """

    def __init__(
        self,
        name: str,
        *,
        seed: int = 1,
        dt: float | None = None,
        solver: str = "auto",
        tolerance: float | None = None,
        threads: int = 1,
        settings: dict[str, Any] | None = None,
        **parameters: float,
    ) -> None:
        options = make_options(dt=dt, solver=solver, tolerance=tolerance, settings=settings, threads=threads)
        super().__init__(name, {key: float(value) for key, value in parameters.items()}, seed, options)

    @staticmethod
    def describe(name: str) -> dict[str, str]:
        """Parameters of a scene: default, range, meaning."""
        return {
            key: f"{value:g} ({least:g} to {most:g}): {about}"
            for key, value, least, most, about in core.scene_parameters(name)
        }

    @property
    def model(self) -> Model:
        """The scene's model, as a copy."""
        return _from_bytes(Model, self.model_handle().to_bytes())

    def world(self) -> World:
        """A world of the scene's model in its present state, without the scene's controller."""
        world = World(self.model, dt=self.dt)
        world.restore(self.save())
        return world

    def run(self, duration: float | None = None) -> Outcome:
        """Runs for that many simulated seconds (None: as long as the scene usually takes) and checks."""
        end = self.duration if duration is None else duration
        while self.time < end - 0.5 * self.dt:
            left = round((end - self.time) / self.dt)
            if self.step(max(1, min(left, 100))).status == "failed":
                break
        return self.check()

    def check(self) -> Outcome:
        """What was expected and what is measured."""
        return Outcome(*self.check_result())

    def __repr__(self) -> str:
        return f"<uzawa.Scene {self.name!r} at t = {self.time:.6g} s: {self.parameters}>"


def scenes() -> dict[str, str]:
    """All scenes, with a line about each."""
    return dict(core.scenes())
