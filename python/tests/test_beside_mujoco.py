"""uzawa beside Python's own mujoco in one process: two copies of the library, each with its own plugins."""

import subprocess
import sys

import pytest

import uzawa as uz

CABLE = """<mujoco><extension><plugin plugin="mujoco.elasticity.cable"/></extension><worldbody>
<composite prefix="c_" type="cable" curve="s" count="6 1 1" size=".4" offset="0 0 1" initial="none">
<plugin plugin="mujoco.elasticity.cable"><config key="twist" value="5e5"/><config key="bend" value="2e6"/></plugin>
<joint kind="main" damping="1e-3"/><geom type="capsule" size=".005" density="1100"/></composite></worldbody></mujoco>"""

OURS = "model = uz.Model.from_string(CABLE); world = uz.World(model); world.step(5)"
THEIRS = "m = mujoco.MjModel.from_xml_string(CABLE); d = mujoco.MjData(m); mujoco.mj_step(m, d, 5)"
ORDERS = {
    "ours first": f"import uzawa as uz; {OURS}; import mujoco; {THEIRS}; {OURS}",
    "theirs first": f"import mujoco; {THEIRS}; import uzawa as uz; {OURS}; {THEIRS}",
    "imported together": f"import mujoco, uzawa as uz; {OURS}; {THEIRS}",
}


def run(code):
    return subprocess.run([sys.executable, "-c", f"CABLE = '''{CABLE}'''\n{code}"], capture_output=True, text=True, timeout=120)


def test_the_library_has_a_name_of_its_own():
    """Without mujoco: what the loader has under MuJoCo's own name would be shared."""
    code = "import uzawa; print([line.split()[-1] for line in open('/proc/self/maps') if 'libmujoco' in line])"
    assert run(code).stdout.strip() == "[]"
    assert uz._engine.core.mujoco_version().count(".") == 2


@pytest.mark.parametrize("order", ORDERS)
def test_both_in_one_process(order):
    """MuJoCo's cable bends by its plugin, which ours would have replaced."""
    pytest.importorskip("mujoco")
    done = run(ORDERS[order] + "; print(m.nv == model.nv, abs(d.qfrc_passive).max() > 0)")
    assert done.returncode == 0 and done.stdout.split() == ["True", "True"], done.stdout + done.stderr
