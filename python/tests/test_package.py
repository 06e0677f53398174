"""The package as others meet it: type stubs, examples, and a wheel in an empty environment."""

import ast
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import uzawa as uz
from uzawa._engine import core

ROOT = Path(__file__).parents[2]
BUILD = os.environ.get("UZAWA_BUILD", "")

USE = """
import numpy as np
import uzawa as uz
model: uz.Model = uz.Model.from_string("<mujoco/>")
world = uz.World(model, dt=0.002)
status: str = world.step(nstep=3).status
deep: float = world.report.penetration
twin = world.save()
world.restore(twin)
force: float = world.contacts[0].normal_force
mass = world.mass_matrix() @ np.zeros(3)
world.body("hand").mocap_pos = [0, 0, 1]
world.mocap_quat[0] = world.body(1).mocap_quat
world.place_mocap()
batch = uz.Batch(model, nsim=4)
batch.mocap_pos[:, 0] += 0.1
batch.reset(mocap=np.zeros((4, 7)))
batch.step(ids=[1, 2])
out: dict[str, np.ndarray] = batch.rollout(np.zeros((4, 2, 0)))
"""


def run(*command, cwd=None, **environment):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, cwd=cwd, timeout=1500, env={**os.environ, **environment})
    assert done.returncode == 0, f"{command} exits with {done.returncode}\n{done.stdout[-3000:]}{done.stderr[-3000:]}"
    return done.stdout


def test_stubs_and_sources_have_types(tmp_path):
    (tmp_path / "use.py").write_text(USE)
    (tmp_path / "wrong.py").write_text("import uzawa as uz\nuz.World('model')\nuz.solvers().nonsense\n")
    package = Path(uz.__file__).parent
    config = ["--config-file", ROOT / "pyproject.toml", "--cache-dir", tmp_path / "cache"]
    run(sys.executable, "-m", "mypy", *config, "-p", "uzawa", cwd=package.parent)
    run(sys.executable, "-m", "mypy", *config, tmp_path / "use.py", MYPYPATH=str(package.parent))
    wrong = subprocess.run([sys.executable, "-m", "mypy", *map(str, config), str(tmp_path / "wrong.py")], capture_output=True, text=True,
                           env={**os.environ, "MYPYPATH": str(package.parent)})  # fmt: skip
    assert wrong.stdout.count("error:") == 2, wrong.stdout


def test_the_stub_has_every_name():
    stub = ast.parse((Path(uz.__file__).parent / "_core.pyi").read_text())

    def names(nodes):
        for node in nodes:
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                yield node.name
            elif isinstance(node, (ast.Assign, ast.AnnAssign)):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                yield from (target.id for target in targets if isinstance(target, ast.Name))

    def public(listed):
        return {name for name in listed if not name.startswith("_")}

    assert public(vars(core)) <= set(names(stub.body))
    classes = {node.name: set(names(node.body)) for node in stub.body if isinstance(node, ast.ClassDef)}
    assert len(classes) > 10
    for name, members in classes.items():
        assert public(vars(getattr(core, name))) == public(members), name


@pytest.mark.parametrize("example, arguments", [("quick_start.py", []), ("train_cheetah.py", ["2"]), ("pinch_grasps.py", ["24"])])
def test_example_runs(example, arguments):
    run(sys.executable, ROOT / "examples/python" / example, *arguments)


@pytest.mark.skipif(not BUILD, reason="the test of the build has the build's folder")
def test_wheel_in_an_empty_environment(tmp_path):
    """`pip wheel .` with the modules of this build, by the same rules of installation, into an environment that has nothing."""
    run(sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "-w", tmp_path, ROOT, "-C",
        f"cmake.define.UZAWA_BUILT={BUILD}", "-C", f"build-dir={tmp_path / 'build'}")  # fmt: skip
    wheel = next(tmp_path.glob("uzawa-*.whl"))
    names = zipfile.ZipFile(wheel).namelist()
    assert any(name.startswith("uzawa/lib/libuzawam.so") for name in names) and "uzawa/_core.pyi" in names and "uzawa/py.typed" in names
    assert not [name for name in names if "build" in name or "tests" in name]
    bare = tmp_path / "bare"
    bare.mkdir()
    python = tmp_path / "venv/bin/python"
    run(sys.executable, "-m", "venv", tmp_path / "venv")
    run(python, "-m", "pip", "install", "-q", wheel)
    (bare / "quick_start.py").write_text((ROOT / "examples/python/quick_start.py").read_text().replace(
        'Path(__file__).parents[2] / "models"', 'Path(uz.__file__).parent / "models"'))  # fmt: skip
    outside = {"PYTHONPATH": "", "LD_LIBRARY_PATH": ""}
    assert "16 solved" in run(python, "quick_start.py", cwd=bare, **outside)
    # The build's folder and Debian's copies of the bundled libraries are not looked at.
    maps = run(python, "-c", "import uzawa; print(open('/proc/self/maps').read())", cwd=bare, **outside)
    used = {line.split()[-1] for line in maps.splitlines() if ".so" in line}
    bundled = {Path(name).name for name in names if name.startswith("uzawa/lib/")}
    assert bundled and not [path for path in used if Path(path).name in bundled and str(tmp_path) not in path]
    told = run(python, "-c", "import uzawa as uz; print(uz.isa)", cwd=bare, **outside).strip()
    assert told == uz.isa
    assert told == run(python, "-c", "import uzawa as uz; print(uz.isa)", cwd=bare, UZAWA_ISA=told, **outside).strip()
    wrong = subprocess.run([python, "-c", "import uzawa"], capture_output=True, text=True, cwd=bare, env={**os.environ, **outside, "UZAWA_ISA": "x86-64-v1"})
    assert wrong.returncode != 0 and f"the package has {told}" in wrong.stderr
