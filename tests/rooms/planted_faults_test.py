"""Plants faults in a copy of the sources, one at a time: scripts/include_graph.py must name each. Argument: the project."""
import pathlib
import shutil
import subprocess
import sys
import tempfile

project = pathlib.Path(sys.argv[1])


def check(copy):
    run = subprocess.run([sys.executable, project / "scripts/include_graph.py", "--check", "--root", copy],
                         capture_output=True, text=True)
    return run.returncode, run.stdout + run.stderr


def prepend(name, text):
    return lambda copy: (copy / name).write_text(text + (copy / name).read_text())


def replace(name, old, new):
    def plant(copy):
        text = (copy / name).read_text()
        assert old in text, f"{name} does not have {old}: the fault can't be planted"
        (copy / name).write_text(text.replace(old, new, 1))
    return plant


# What is planted, and words that the complaint must have.
FAULTS = {
    "forbidden include": (prepend("src/solver/solver.hpp", '#include "uzawa/model/model.hpp"\n'),
                          "solver may not see model"),
    "room above": (prepend("src/log/log_reader.hpp", '#include "uzawa/scenarios/scene.hpp"\n'),
                         "log may not see scenarios"),
    "cycle between sub-folders": (prepend("src/collision/shapes/aabb.hpp", '#include "uzawa/collision/collider.hpp"\n'),
                                  "a cycle: "),
    "missing header": (prepend("src/sim/world.hpp", '#include "uzawa/sim/not_there.hpp"\n'), "which is not there"),
    "own header not first": (prepend("src/model/model.cpp", "#include <vector>\n"), "own header first"),
    "library in an installed header": (prepend("src/model/model.hpp", "#include <Eigen/Dense>\n"), "Eigen/Dense"),
    "dependency in CMake only": (replace("src/CMakeLists.txt", "uzawa_add_room(solver DEPENDS problem",
                                         "uzawa_add_room(solver DEPENDS problem model"), "room solver"),
    "stale graph": (replace("ARCHITECTURE.md", "```\nbase\n", "```\n"), "is stale"),
}


def fresh_copy(folder):
    copy = folder / "project"
    shutil.rmtree(copy, ignore_errors=True)
    for part in ("src", "scenarios", "papers", "apps"):
        shutil.copytree(project / part, copy / part)
    shutil.copy(project / "ARCHITECTURE.md", copy)
    return copy


def main():
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        copy = fresh_copy(pathlib.Path(folder))
        code, words = check(copy)
        if code != 0:
            print(f"the copy is not clean to begin with:\n{words}")
            return 1
        for name, (plant, expected) in FAULTS.items():
            plant(copy)
            code, words = check(copy)
            if code != 1 or expected not in words:
                print(f"{name}: exit code {code}, expected 1 with '{expected}', said:\n{words}")
                failed += 1
            copy = fresh_copy(pathlib.Path(folder))
    print(f"{len(FAULTS) - failed} of {len(FAULTS)} planted faults were found")
    return 1 if failed else 0


sys.exit(main())
