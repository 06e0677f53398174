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


def first_line(line):
    return lambda text: line + "\n" + text


def replaced(old, new):
    def change(text):
        assert old in text, f"there is no {old}: the fault can't be planted"
        return text.replace(old, new, 1)
    return change


FAULTS = {  # what: (the file, how it changes, words that the complaint must have)
    "forbidden include": ("src/solver/solver.hpp", first_line('#include "uzawa/model/model.hpp"'), "solver may not see model"),
    "room above": ("src/log/log_reader.hpp", first_line('#include "uzawa/scenarios/scene.hpp"'), "log may not see scenarios"),
    "cycle between sub-folders": ("src/collision/shapes/aabb.hpp", first_line('#include "uzawa/collision/collider.hpp"'),
                                  "a cycle: "),
    "missing header": ("src/sim/world.hpp", first_line('#include "uzawa/sim/not_there.hpp"'), "which is not there"),
    "own header not first": ("src/model/model.cpp", first_line("#include <vector>"), "own header first"),
    "library in an installed header": ("src/model/model.hpp", first_line("#include <Eigen/Dense>"), "Eigen/Dense"),
    "dependency in CMake only": ("src/CMakeLists.txt", replaced("solver DEPENDS problem", "solver DEPENDS problem model"),
                                 "room solver"),
    "stale graph": ("ARCHITECTURE.md", replaced("```\nbase\n", "```\n"), "is stale"),
}


def main():
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder)
        for part in ("src", "scenarios", "papers", "apps"):
            shutil.copytree(project / part, copy / part)
        shutil.copy(project / "ARCHITECTURE.md", copy)
        code, words = check(copy)
        if code != 0:
            print(f"the copy is not clean to begin with:\n{words}")
            return 1
        for what, (name, change, expected) in FAULTS.items():
            sound = (copy / name).read_text()
            (copy / name).write_text(change(sound))
            code, words = check(copy)
            (copy / name).write_text(sound)
            if code != 1 or expected not in words:
                print(f"{what}: exit code {code}, expected 1 with '{expected}', said:\n{words}")
                failed += 1
    print(f"{len(FAULTS) - failed} of {len(FAULTS)} planted faults were found")
    return 1 if failed else 0


sys.exit(main())
