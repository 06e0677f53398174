#!/usr/bin/env python3
"""Who includes whom: reads every #include of the rooms, in about a second, and compiles nothing.

  scripts/include_graph.py           writes the graph into ARCHITECTURE.md, between its markers
  scripts/include_graph.py --check   fails where a rule below is broken or the graph in ARCHITECTURE.md is stale

Rules: a room includes only rooms that it may see; neither rooms nor their sub-folders form cycles; every include is
there; a .cpp file includes its own header first, so that the compiler sees the header alone; headers that are installed
need no other library; the tables of rooms here, in CMake and in ARCHITECTURE.md agree.
"""
import argparse
import pathlib
import re
import sys

# Who may name whom, said a second time on purpose: a new dependency is a decision, not a line that slips in. A room also
# sees what the rooms that it names see.
MAY_NAME = {
    "base": [],
    "plot": ["base"],
    "math": ["base"],
    "problem": ["math"],
    "problem_io": ["problem"],
    "solver": ["problem"],
    "elastic": ["math"],
    "model": ["elastic"],
    "dynamics": ["model"],
    "collision": ["model"],
    "meshing": ["collision"],
    "io": ["model"],
    "control": ["dynamics"],
    "assembly": ["dynamics", "collision", "problem"],
    "sim": ["assembly", "solver"],
    "log": ["sim", "problem_io"],
    "live": ["log"],
    "scenarios": ["sim", "io", "control", "meshing"],
    "papers": ["scenarios", "plot"],
}
PROGRAM = "apps/uzawa"  # the command line sees every room, and no room sees it
ROOM_FILES = ["src/CMakeLists.txt", "scenarios/scenarios.cmake", "papers/papers.cmake", "apps/CMakeLists.txt"]
BEGIN, END = "<!-- include graph: scripts/include_graph.py -->", "<!-- end of include graph -->"
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?:"([^"]+)"|<([^>]+)>)', re.MULTILINE)
ADD_ROOM = re.compile(r"uzawa_add_room\(\s*(\w+)([^)]*)\)")
KEYWORDS = {"DEPENDS", "LIBRARIES", "TARGET", "INTERNAL"}


def room_folder(root, room):
    """Rooms are folders of src/, but for three beside it."""
    beside = {"live": "apps/live", "scenarios": "scenarios", "papers": "papers", PROGRAM: PROGRAM}
    return root / beside.get(room, f"src/{room}")


def arguments(text):
    """The arguments of an uzawa_add_room by keyword."""
    found, keyword = {}, ""
    for word in re.sub(r"#.*", "", text).split():
        keyword = word if word in KEYWORDS else keyword
        found.setdefault(keyword, [])
        if word not in KEYWORDS:
            found[keyword].append(word)
    return found


class Tree:
    """The sources of the rooms and what they include."""

    def __init__(self, root):
        self.root = root
        self.files = {}  # "room/sub-folder/name" -> [(line, text of a quoted include or None, of one in <> or None)]
        self.declared = {}  # room -> its arguments in each uzawa_add_room
        for name in ROOM_FILES:
            for room, rest in ADD_ROOM.findall((root / name).read_text()):
                self.declared.setdefault(room, []).append(arguments(rest))
        for room in [*self.declared, PROGRAM]:
            folder = room_folder(root, room)
            for path in sorted(folder.rglob("*.[ch]pp")):
                self.files[f"{room}/{path.relative_to(folder).as_posix()}"] = self.read(path)

    @staticmethod
    def read(path):
        text = path.read_text()
        return [(text.count("\n", 0, m.start()) + 1, m[1], m[2]) for m in INCLUDE.finditer(text)]

    def edges(self, name_of):
        """Includes between different names: (from, to) -> "file:line", the first that says so."""
        found = {}
        for file, includes in self.files.items():
            for line, quoted, _ in includes:
                if quoted and quoted.startswith("uzawa/"):
                    pair = (name_of(file), name_of(quoted.removeprefix("uzawa/")))
                    if pair[0] != pair[1]:
                        found.setdefault(pair, f"{file}:{line}")
        return found

    def internal(self, room):
        return {f"{room}/{name}" for call in self.declared.get(room, []) for name in call.get("INTERNAL", [])}


def room_of(file):
    return PROGRAM if file.startswith(PROGRAM) else file.split("/")[0]


def folder_of(file):
    """The room, or its sub-folder where the file is in one."""
    return PROGRAM if file.startswith(PROGRAM) else "/".join(file.split("/")[:-1][:2])


def seen_from(room):
    seen = {room}
    for lower in MAY_NAME.get(room, []):
        seen |= seen_from(lower)
    return seen


def cycle(edges):
    """A cycle as a list of names, or nothing."""
    after, done = {}, set()
    for a, b in edges:
        after.setdefault(a, []).append(b)

    def walk(name, path):
        if name in path:
            return path[path.index(name):] + [name]
        if name in done:
            return None
        for other in after.get(name, []):
            if found := walk(other, path + [name]):
                return found
        done.add(name)
        return None

    return next((found for name in sorted(after) if (found := walk(name, []))), None)


def check_tables(tree, complaints):
    for room, calls in tree.declared.items():
        if room not in MAY_NAME:
            complaints.append(f"room {room} is not in the table of scripts/include_graph.py")
        for call in calls:
            if set(call.get("DEPENDS", [])) != set(MAY_NAME.get(room, [])):
                complaints.append(f"room {room}: DEPENDS in CMake are not those of scripts/include_graph.py")
    for room in set(MAY_NAME) - set(tree.declared):
        complaints.append(f"room {room} of scripts/include_graph.py is not in CMake")
    rows = re.findall(r"^\| (\w+) \|.*\| ([\w, ]+) \|$", (tree.root / "ARCHITECTURE.md").read_text(), re.MULTILINE)
    told = {room: set(text.split(", ")) - {"nothing"} for room, text in rows if room != "room"}
    for room, named in MAY_NAME.items():
        if told.get(room) != set(named):
            complaints.append(f"room {room}: the table of ARCHITECTURE.md does not say that it may include {named}")


def check_includes(tree, complaints):
    for file, includes in tree.files.items():
        room = room_of(file)
        seen = set(MAY_NAME) if room == PROGRAM else seen_from(room)
        for line, quoted, _ in includes:
            if quoted and quoted.startswith("uzawa/"):
                other = quoted.removeprefix("uzawa/")
                if other not in tree.files:
                    complaints.append(f"{file}:{line} includes {quoted}, which is not there")
                elif room_of(other) not in seen:
                    complaints.append(f"{file}:{line} includes {quoted}, but {room} may not see {room_of(other)}")
        header = file.removesuffix(".cpp") + ".hpp"
        if room != PROGRAM and file.endswith(".cpp") and header in tree.files:
            if not includes or includes[0][1] != f"uzawa/{header}":
                complaints.append(f"{file} does not include its own header first")


def check_cycles(tree, complaints):
    for name_of in (room_of, folder_of):
        edges = tree.edges(name_of)
        if found := cycle(edges):
            steps = [f"{a} -> {b} ({edges[a, b]})" for a, b in zip(found, found[1:])]
            complaints.append("a cycle: " + ", ".join(steps))
            return


def check_installed_headers(tree, complaints):
    """What a user of the library compiles: headers of src/ that are not INTERNAL."""
    for file, includes in tree.files.items():
        room = room_of(file)
        if not file.endswith(".hpp") or file in tree.internal(room):
            continue
        if not (tree.root / "src" / room).is_dir():
            continue
        for line, quoted, system in includes:
            other = (quoted or "").removeprefix("uzawa/")
            if other in tree.internal(room_of(other)) or (system and re.search(r"[./]", system) and system != "immintrin.h"):
                complaints.append(f"{file}:{line} needs {quoted or system}: make the header INTERNAL to its room")


def levels(edges, names):
    """How far each name is above those that include nothing."""
    found = {}

    def level(name):
        if name not in found:
            found[name] = 1 + max((level(b) for a, b in edges if a == name), default=-1)
        return found[name]

    return {name: level(name) for name in names}


def drawing(tree):
    """One line a folder, rooms from the bottom up, what it includes beside it."""
    edges = tree.edges(folder_of)
    folders = {folder_of(file) for file in tree.files}
    rooms = levels(tree.edges(room_of), {room_of(file) for file in tree.files})
    inner = levels(edges, folders)
    width = max(len(name) for name in folders) + 2
    lines = []
    for name in sorted(folders, key=lambda f: (rooms[room_of(f + "/")], room_of(f + "/"), inner[f], f)):
        room = room_of(name + "/")
        below = {b for a, b in edges if a == name}
        mine = sorted(b for b in below if room_of(b + "/") == room)
        others = sorted({room_of(b + "/") for b in below} - {room}, key=lambda r: (rooms[r], r))
        lines.append(f"{name:{width}}{' '.join(others + mine)}".rstrip())
    return "\n".join([BEGIN, "```", *lines, "```", END])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="change nothing; exit with 1 where a rule is broken")
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent,
                        help="the project's folder")
    options = parser.parse_args()
    tree = Tree(options.root)
    complaints = []
    for check in (check_tables, check_includes, check_cycles, check_installed_headers):
        check(tree, complaints)
    if not any("cycle" in complaint for complaint in complaints):
        page = options.root / "ARCHITECTURE.md"
        text = page.read_text()
        fresh = re.sub(re.escape(BEGIN) + ".*?" + re.escape(END), lambda _: drawing(tree), text, flags=re.DOTALL)
        if BEGIN not in text:
            complaints.append("ARCHITECTURE.md has no markers for the include graph")
        elif options.check and fresh != text:
            complaints.append("the include graph in ARCHITECTURE.md is stale: run scripts/include_graph.py")
        elif fresh != text:
            page.write_text(fresh)
    print(*complaints, sep="\n", end="\n" if complaints else "")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
