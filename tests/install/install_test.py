"""Installs the build into a folder, moves that elsewhere, and uses it as an outsider would."""
import argparse
import json
import pathlib
import re
import shutil
import subprocess
import sys

PROBLEM = {"A": {"dense": [[1, 0, 0], [0, 1, 0], [0, 0, 1]]}, "n": 3, "b": [0.1, 0, -1],
           "constraints": [{"kind": "contact", "mu": 0.5, "e": [0, 0, 0],
                            "J": {"dense": [[1, 0, 0], [0, 1, 0], [0, 0, 1]]}}]}


class Outsider:
    def __init__(self, options):
        self.source, self.work = options.source.resolve(), options.work.resolve()
        self.cmake, self.compiler = options.cmake, options.compiler
        self.prefix = self.work / "elsewhere"
        shutil.rmtree(self.work, ignore_errors=True)
        self.work.mkdir(parents=True)
        self.run(self.cmake, "--install", options.build, "--prefix", self.work / "first")
        (self.work / "first").rename(self.prefix)  # nothing may depend on where it was installed

    @staticmethod
    def run(*command, expect=0):
        run = subprocess.run([str(word) for word in command], capture_output=True, text=True)
        words = run.stdout + run.stderr
        assert run.returncode == expect, f"{' '.join(map(str, command))} exits with {run.returncode}:\n{words}"
        return words

    def build(self, source, name):
        folder = self.work / name
        self.run(self.cmake, "-G", "Ninja", "-S", source, "-B", folder, f"-DCMAKE_PREFIX_PATH={self.prefix}",
                 f"-DCMAKE_CXX_COMPILER={self.compiler}", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON")
        self.run(self.cmake, "--build", folder)
        return folder

    def readme_is_a_project(self):
        """README's C++ and CMake, taken out of it, are a project that finds the library, steps a robot, prints contacts."""
        text = (self.source / "README.md").read_text()
        blocks = {kind: re.findall(rf"```{kind}\n(.*?)```", text, re.DOTALL) for kind in ("cpp", "cmake")}
        assert len(blocks["cpp"]) == 1 and len(blocks["cmake"]) == 1, "README has other code blocks than this test expects"
        example = (self.source / "examples/step_robot.cpp").read_text()
        assert blocks["cpp"][0] == example, "README's C++ is not examples/step_robot.cpp"
        outside = self.work / "outside"
        outside.mkdir()
        (outside / "CMakeLists.txt").write_text(blocks["cmake"][0])
        (outside / "step_robot.cpp").write_text(example)
        folder = self.build(outside, "outside_build")
        words = self.run(folder / "step_robot", self.prefix / "share/uzawa/models/quadruped_scene.xml")
        assert words.count(" touches ") >= 4, f"a quadruped that stands has contacts; printed:\n{words}"

        commands = json.loads((folder / "compile_commands.json").read_text())[0]["command"]
        assert "-march" in commands, f"users must have the library's instruction set: {commands}"
        assert not re.search(r"-W(error|all|shadow|conversion)", commands), f"warnings are forced on users: {commands}"

    def examples_run(self):
        folder = self.build(self.source / "examples", "examples")
        self.run(folder / "build_scene")
        (self.work / "problem.json").write_text(json.dumps(PROBLEM))
        words = self.run(folder / "solve_problem", self.work / "problem.json")
        assert re.search(r"canal +converged", words), words
        self.run(folder / "solve_problem", self.work / "absent.json", expect=2)
        log = self.work / "run.h5"
        self.run(self.prefix / "bin/uzawa", "run", "push-box", "--time", "0.5", "--log", log)
        words = self.run(folder / "read_log", log)
        assert words.count(" N\n") >= 4, words

    def every_header_stands_alone(self):
        """As installed, without the headers of other libraries beyond the system's."""
        include = self.prefix / "include"
        headers = sorted(path.relative_to(include).as_posix() for path in include.rglob("*.hpp"))
        assert "uzawa/uzawa.hpp" in headers and len(headers) > 100, headers
        source = self.work / "all.cpp"
        source.write_text("".join(f'#include "{name}"\n' for name in headers))
        march = json.loads((self.work / "examples/compile_commands.json").read_text())[0]["command"]
        flags = [word for word in march.split() if word.startswith(("-march", "-std"))]
        self.run(self.compiler, *flags, "-fsyntax-only", "-Wall", "-Wno-psabi", f"-I{include}", source)

    def program_finds_its_models(self):
        program, models = self.prefix / "bin/uzawa", self.prefix / "share/uzawa/models"
        self.run(program, "info", models / "panda.xml")
        (models / "quadruped.xml").write_text("<mujoco")
        words = self.run(program, "run", "quadruped-drop", expect=2)
        assert str(models) in words, f"it reads other models than the installed ones: {words}"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("source", "build", "work"):
        parser.add_argument(f"--{name}", type=pathlib.Path, required=True)
    parser.add_argument("--cmake", required=True)
    parser.add_argument("--compiler", required=True)
    outsider = Outsider(parser.parse_args())
    for check in (outsider.readme_is_a_project, outsider.examples_run, outsider.every_header_stands_alone,
                  outsider.program_finds_its_models):
        try:
            check()
        except AssertionError as error:
            print(f"{check.__name__}: {error}")
            return 1
        print(f"{check.__name__}: as expected")
    return 0


if __name__ == "__main__":
    sys.exit(main())
