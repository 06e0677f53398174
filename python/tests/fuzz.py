"""Random calls of the whole package with good, bad and absurd arguments: only its own kinds of exceptions may come back.

    python python/tests/fuzz.py 100000 --seed 1     # prints what was called how often; a crash ends the process
"""

import argparse
import collections
import copy
import inspect
import os
import pickle
import random
import resource
import tempfile
from pathlib import Path

import numpy as np

import uzawa as uz
from conftest import BALL, BOX_ON_FLOOR, PENDULUM
from test_mocap import HAND

EXPECTED = (ValueError, TypeError, IndexError, KeyError, AttributeError, RuntimeError, OverflowError)  # InputError is a ValueError
LEFT_OUT = {"view", "render", "replay", "run", "rng"}  # they start servers and browsers, or take seconds


class Fuzz:
    def __init__(self, seed):
        self.random, self.numpy = random.Random(seed), np.random.default_rng(seed)
        self.folder = Path(tempfile.mkdtemp())
        os.chdir(self.folder)  # files of absurd names go there
        self.models = [uz.Model.from_string(xml) for xml in (BALL, BOX_ON_FLOOR, PENDULUM, HAND)]
        self.calls, self.errors = collections.Counter(), collections.Counter()
        self.pool = []
        self.renew()

    def renew(self):
        """Fresh objects now and then, so that not all are in an absurd state."""
        self.pool = list(self.models)
        for model in self.models:
            self.pool += [uz.World(model), uz.Batch(model, 3, threads=1), uz.World(model).save(), model.body(0)]
        world = uz.World(self.models[1])
        world.step(3)
        self.pool += [world, world.problem, world.report, world.body(1), world.geom(1), world.joint(0), uz.Scene("box-stack", count=2)]
        batch = uz.Batch(self.models[2], 4, threads=2)
        self.pool += [batch, batch.body(1), batch.joint(0), batch.save()]

    def number(self):
        return self.random.choice((0, 1, 2, 3, -1, 7, 0.5, -2.5, 1e-9, 1e300, float("nan"), float("inf"), True, None))

    def array(self):
        shape = self.random.choice(((), (0,), (1,), (3,), (6,), (7,), (3, 7), (3, 6), (4, 2), (3, 2, 0), (4, 2, 1), (2, 2), (3, 3)))
        kind = self.random.choice((np.float64, np.float32, np.int64, bool, object))
        values = np.asarray(self.numpy.normal(size=shape) * self.random.choice((1, 1e-3, 1e6))).astype(kind)
        if kind == np.float64 and values.size and self.random.random() < 0.2:
            values.flat[0] = self.number() or 0
        return values if self.random.random() < 0.8 or values.ndim < 2 else values.T

    def text(self):
        words = ("box", "ball", "hinge", "hand", "up", "motor", "side", "floor", "bx", "", "qpos", "body", "body.mass", "geom.friction", "geom.size", "canal",
                 "pgs", "solved", "failed", "x" * 300, "\\0", "\\u00fc", str(self.folder / "file.h5"), str(self.folder / "absent" / "f.html"))  # fmt: skip
        return self.random.choice(words)

    def value(self):
        draw = self.random.random()
        if draw < 0.35:
            return self.number()
        if draw < 0.6:
            return self.array()
        if draw < 0.8:
            return self.text()
        if draw < 0.9:
            return self.random.choice(self.pool)
        return self.random.choice(([], [0], [0, 1, 2], [5], {}, {"body.mass": {"box": 1.0}}, ("qpos", "xpos"), b"", b"abc", object(), range(3), slice(1)))

    def bytes(self):
        """A pickled object with a few bytes changed."""
        data = bytearray(pickle.dumps(self.random.choice(self.pool[:8])))
        for _ in range(self.random.choice((0, 1, 3))):
            data[self.random.randrange(len(data))] = self.random.randrange(256)
        return bytes(data)

    def arguments(self, function):
        try:
            wanted = [p for p in inspect.signature(function).parameters.values() if p.name != "self"]
        except (ValueError, TypeError):
            return [self.value() for _ in range(self.random.randrange(4))], {}
        given = [self.value() for p in wanted if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD) and (p.default is p.empty or self.random.random() < 0.5)]
        return given, {p.name: self.value() for p in wanted if p.kind == p.KEYWORD_ONLY and self.random.random() < 0.3}

    def touch(self):
        """One attribute of one object: read, written or called."""
        target = self.random.choice(self.pool)
        names = [name for name in dir(target) if not name.startswith("_") and name not in LEFT_OUT]
        if not names:
            return None
        name = self.random.choice(names)
        self.calls[f"{type(target).__name__}.{name}"] += 1
        found = getattr(target, name)
        if callable(found):
            given, named = self.arguments(found)
            return found(*given, **named)
        if self.random.random() < 0.3:
            setattr(target, name, self.value())
        elif isinstance(found, np.ndarray) and found.size and found.flags.writeable and found.dtype == np.float64:
            found.flat[self.random.randrange(found.size)] = self.number()
        return found

    def function(self):
        """One function or class of the package, or one of Python's that every object understands."""
        chosen = self.random.choice((uz.World, uz.Batch, uz.solve, uz.collide, uz.read_log, uz.read_problem, uz.Problem.from_matrices,
                                     uz.Problem.from_delassus, uz.Model.from_string, uz.Model.from_file, repr, copy.copy, copy.deepcopy, pickle.dumps))  # fmt: skip
        self.calls[getattr(chosen, "__name__", str(chosen))] += 1
        if chosen in (repr, copy.copy, copy.deepcopy, pickle.dumps):
            return chosen(self.random.choice(self.pool))
        if chosen in (uz.World, uz.Batch) and self.random.random() < 0.7:
            return chosen(self.random.choice(self.models), *([self.random.randrange(1, 4)] if chosen is uz.Batch else []))
        given, named = self.arguments(chosen)
        return chosen(*given, **named)

    def unpickle(self):
        self.calls["pickle.loads"] += 1
        try:
            return pickle.loads(self.bytes())
        except (pickle.UnpicklingError, EOFError, UnicodeDecodeError, ImportError, MemoryError):
            return None  # Python's own words about bytes that are no pickle

    def run(self, count):
        for i in range(count):
            if i % 500 == 499:
                self.renew()
            try:
                made = self.random.choices((self.touch, self.function, self.unpickle), (80, 15, 5))[0]()
            except EXPECTED as error:
                self.errors[type(error).__name__] += 1
                continue
            if isinstance(made, (uz.World, uz.Model, uz.Snapshot, uz.Problem, uz.Batch)):
                self.pool[self.random.randrange(8, len(self.pool))] = made


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("calls", type=int, nargs="?", default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    np.seterr(all="ignore")
    fuzz = Fuzz(options.seed)
    fuzz.run(options.calls)
    print(f"{sum(fuzz.calls.values())} calls of {len(fuzz.calls)} names, {sum(fuzz.errors.values())} refused {dict(fuzz.errors)}, "
          f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB at most")
