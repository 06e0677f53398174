"""Loads the engine: the best build for this processor's instructions that the package has.

A wheel has a build for one or more levels of x86-64 (v2, v3, v4) in folders of their names; a build folder has one beside
this file.
The bits of a simulation depend on the build: `UZAWA_ISA=x86-64-v3` asks for one, `uzawa.isa` says which is loaded.
"""

from __future__ import annotations

import importlib.machinery
import importlib.util
import os
import sys
from pathlib import Path
from types import ModuleType

from ._errors import InputError

_HERE = Path(__file__).parent
_LEVELS = ("x86-64-v4", "x86-64-v3", "x86-64-v2")
# Flags of /proc/cpuinfo that a level asks for, beside those of the levels below it.
_FLAGS = {
    "x86-64-v4": ("avx512f", "avx512dq", "avx512bw", "avx512vl", "avx512cd"),
    "x86-64-v3": ("avx2", "fma", "bmi1", "bmi2", "f16c", "movbe"),
    "x86-64-v2": ("sse4_2", "ssse3", "popcnt", "cx16"),
}


def _processor_flags() -> set[str]:
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("flags"):
                return set(line.split(":", 1)[1].split())
    except OSError:
        pass
    return set()


def _runs_here(level: str) -> bool:
    flags = _processor_flags()
    needed = [flag for other in _LEVELS[_LEVELS.index(level) :] for flag in _FLAGS[other]]
    return all(flag in flags for flag in needed)


def _builds() -> dict[str, Path]:
    """Builds of this package by level; from the best to the least."""
    suffixes = importlib.machinery.EXTENSION_SUFFIXES
    found: dict[str, Path] = {}
    for level in _LEVELS:
        for suffix in suffixes:
            path = _HERE / "isa" / level / f"_core{suffix}"
            if path.exists():
                found.setdefault(level, path)
    return found


def _load() -> ModuleType:
    wanted = os.environ.get("UZAWA_ISA", "")
    builds = _builds()
    if not builds:
        from . import _core

        if wanted and wanted != _core.march:
            raise InputError("", f"UZAWA_ISA={wanted}", f"this package was built for {_core.march} alone")
        return _core
    if wanted:
        if wanted not in builds:
            raise InputError("", f"UZAWA_ISA={wanted}", f"the package has {', '.join(builds)}")
        level = wanted
        if not _runs_here(level):
            raise InputError("", f"UZAWA_ISA={wanted}", "this processor does not have these instructions")
    else:
        runnable = [name for name in builds if _runs_here(name)]
        if not runnable:
            least = list(builds)[-1]
            raise ImportError(f"this package of uzawa needs a processor with the instructions of {least}")
        level = runnable[0]
    name = "uzawa._core"
    spec = importlib.util.spec_from_file_location(name, builds[level])
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


if (_HERE / "models").is_dir():
    os.environ.setdefault("UZAWA_MODELS", str(_HERE / "models"))
core = _load()
core.set_input_error(InputError)

isa: str = core.march
version: str = core.version
