"""What the tests share: small models with closed forms, and a robot of ours."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import uzawa as uz

MODELS = Path(__file__).parents[2] / "models"

BALL = """<mujoco><worldbody><body name="ball" pos="0 0 1"><freejoint name="free"/><geom name="ball" size=".1"/></body>
</worldbody></mujoco>"""

BOX_ON_FLOOR = """<mujoco><option timestep="0.002"/><worldbody><geom name="floor" type="plane" size="5 5 .1" friction="0.3"/>
<body name="box" pos="0 0 .05"><freejoint/><geom name="box" type="box" size=".05 .05 .05" mass="2" friction="0.3"/></body>
</worldbody></mujoco>"""

PENDULUM = """<mujoco><worldbody><body name="arm"><joint name="hinge" axis="0 1 0"/>
<geom name="bob" type="sphere" size=".05" pos="0 0 -1" mass="1"/><site name="tip" pos="0 0 -1"/></body></worldbody>
<actuator><motor name="motor" joint="hinge" ctrlrange="-5 5"/></actuator>
<keyframe><key name="side" qpos="1.5"/></keyframe></mujoco>"""


@pytest.fixture(scope="session")
def quadruped() -> uz.Model:
    return uz.Model.from_file(MODELS / "quadruped_scene.xml")


@pytest.fixture(scope="session")
def box() -> uz.Model:
    return uz.Model.from_string(BOX_ON_FLOOR)


@pytest.fixture(scope="session")
def pendulum() -> uz.Model:
    return uz.Model.from_string(PENDULUM)
