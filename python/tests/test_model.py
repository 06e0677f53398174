import copy
import pickle

import numpy as np
import pytest
from conftest import BALL, BOX_ON_FLOOR, MODELS

import uzawa as uz


def test_sizes_and_names(pendulum):
    assert (pendulum.nq, pendulum.nv, pendulum.nu, pendulum.nbody) == (1, 1, 1, 2)
    assert pendulum.names("joint") == ["hinge"]
    assert pendulum.joint("hinge").id == 0
    assert "arm" not in repr(pendulum) and "1 actuators" in repr(pendulum)


def test_unknown_name_has_the_nearest(pendulum):
    with pytest.raises(uz.InputError, match="'hinge'") as error:
        pendulum.joint("hinhe")
    assert error.value.element == "joint 'hinhe'"


def test_error_of_a_file_has_its_parts(tmp_path):
    path = tmp_path / "bad.xml"
    path.write_text("<mujoco><worldbody><body><geom size='x'/></body></worldbody></mujoco>")
    with pytest.raises(uz.InputError) as error:
        uz.Model.from_file(path)
    assert error.value.source == str(path)
    assert "geom" in error.value.element
    assert "size" in error.value.reason
    with pytest.raises(uz.InputError, match="no such file"):
        uz.Model.from_file(tmp_path / "absent.xml")


def test_text_with_assets():
    part = b'<mujoco><worldbody><body name="other" pos="1 0 1"><freejoint/><geom size=".1"/></body></worldbody></mujoco>'
    text = BALL.replace("<worldbody>", '<include file="parts/part.xml"/><worldbody>')
    assert uz.Model.from_string(text, {"parts/part.xml": part}).nbody == 3
    with pytest.raises(uz.InputError, match="below"):
        uz.Model.from_string(text, {"../part.xml": part})


def test_urdf_text_and_free_base():
    urdf = """<robot name="r"><link name="base"><inertial><mass value="2"/>
    <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link></robot>"""
    assert uz.Model.from_string(urdf, free_base=True).nv == 6


def test_pickle_keeps_every_bit(quadruped):
    twin = pickle.loads(pickle.dumps(quadruped))
    assert twin.to_bytes() == quadruped.to_bytes()
    assert copy.deepcopy(quadruped) is quadruped
    a, b = uz.World(quadruped), uz.World(twin)
    a.reset(0), b.reset(0)
    a.step(50), b.step(50)
    assert a.qpos.tobytes() == b.qpos.tobytes()


def test_damaged_pickles_are_refused(pendulum):
    data = pendulum.to_bytes()
    for bad in (b"", data[:50], data[:-1], data + b"x", b"\xff" * 200):
        with pytest.raises(uz.InputError):
            uz.model._from_bytes(uz.Model, bad)


def test_variant_scales_the_inertia(box):
    heavy = box.variant({"body.mass": {"box": 4.0}})
    a, b = uz.World(box).mass_matrix(), uz.World(heavy).mass_matrix()
    np.testing.assert_allclose(b, 2 * a, rtol=1e-14)
    assert box.body("box").mass == 2 and heavy.body("box").mass == 4
    with pytest.raises(uz.InputError, match="body.mass"):
        box.variant({"body.mas": {"box": 1.0}})
    with pytest.raises(uz.InputError):
        box.variant({"body.mass": {"box": -1.0}})


def test_models_of_the_package_are_there():
    assert (MODELS / "quadruped_scene.xml").exists()
    assert BOX_ON_FLOOR
