"""uzawa: a simulator for robots in heavy contact.

>>> import uzawa as uz
>>> model = uz.Model.from_string('<mujoco><worldbody><body pos="0 0 1"><freejoint/><geom size=".1"/></body></worldbody></mujoco>')
>>> world = uz.World(model)
>>> world.step(nstep=100).status
'solved'

Units are SI; layouts of positions and velocities are MuJoCo's.
"""

from ._engine import isa
from ._errors import InputError, MissingExtra
from .batch import Batch
from .model import Model
from .problem import Problem, read_problem, solve, solvers
from .recording import Replay, read_log
from .scene import Outcome, Scene, scenes
from .sweep import Study, sweep
from .world import Contact, Report, Snapshot, World, collide

from ._engine import version as __version__

__all__ = [
    "Batch",
    "Contact",
    "InputError",
    "MissingExtra",
    "Model",
    "Outcome",
    "Problem",
    "Replay",
    "Report",
    "Scene",
    "Snapshot",
    "Study",
    "World",
    "collide",
    "isa",
    "read_log",
    "read_problem",
    "scenes",
    "solve",
    "solvers",
    "sweep",
]
