"""Bytes that worlds, models, snapshots and options are pickled as: garbage is refused by name, whatever is wrong with it."""

import pickle

import numpy as np
import pytest

import uzawa as uz
from uzawa._engine import core


def parts(model):
    """(bytes, what reads them) of everything that has bytes."""
    world = uz.World(model)
    world.reset(0)
    world.step(20)
    return {
        "model": (model.to_bytes(), core.load_bytes),
        "snapshot": (world.save().to_bytes(), uz.Snapshot.from_bytes),
        "options": (world.options.to_bytes(), core.Options.from_bytes),
    }


@pytest.mark.parametrize("name", ["model", "snapshot", "options"])
def test_any_damage_is_told(quadruped, name):
    data, read = parts(quadruped)[name]
    read(data)
    rng = np.random.default_rng(0)
    for at in [*range(64), *rng.integers(0, len(data), 200)]:
        damaged = bytearray(data)
        damaged[int(at) % len(data)] ^= 1 << int(rng.integers(8))
        with pytest.raises(uz.InputError, match="no bytes of uzawa|damaged"):
            read(bytes(damaged))
    for cut in (b"", data[:3], data[:20], data[:-1], data + b"\0"):
        with pytest.raises(uz.InputError, match="pickle"):
            read(cut)


def test_bytes_of_something_else_and_of_another_release(quadruped):
    all_parts = parts(quadruped)
    for name, (_, read) in all_parts.items():
        for other, (data, _) in all_parts.items():
            if other != name:
                with pytest.raises(uz.InputError, match=f"holds 'uzawa {other}"):
                    read(data)
    with pytest.raises(uz.InputError, match="no bytes of uzawa"):
        core.load_bytes(b"<mujoco/>" * 100)


def test_a_pickle_with_bytes_of_its_own(quadruped):
    """The exception comes through pickle.loads, too."""
    world = uz.World(quadruped)
    whole = pickle.dumps(world)
    at = whole.index(world.save().to_bytes())
    damaged = bytearray(whole)
    damaged[at + 200] ^= 255
    with pytest.raises(uz.InputError, match="checksum"):
        pickle.loads(bytes(damaged))
