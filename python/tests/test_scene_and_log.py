import h5py
import numpy as np
import pytest

import uzawa as uz


def test_scene_runs_and_is_checked():
    outcome = uz.Scene("box-sliding").run()
    assert outcome.holds, outcome
    assert "box-stack" in uz.scenes()
    with pytest.raises(uz.InputError, match="box-sliding"):
        uz.Scene("box-slidin")
    with pytest.raises(uz.InputError):
        uz.Scene("box-stack", nonsense=1)


def test_world_of_a_scene_goes_on(box):
    scene = uz.Scene("box-stack", count=3)
    scene.step(20)
    world = scene.world()
    scene.step(20), world.step(20)
    assert world.qpos.tobytes() == scene.qpos.tobytes()


def test_log_is_read_by_h5py_and_by_us(box, tmp_path):
    world = uz.World(box)
    with world.record(tmp_path / "run.h5"):
        world.step(10)
        assert not (tmp_path / "run.h5").exists()
    log = uz.read_log(tmp_path / "run.h5")
    assert log["qpos"].shape == (10, 7) and log["qpos"][-1].tobytes() == world.qpos.tobytes()
    last = log["contact_frame"] == 9
    np.testing.assert_allclose(log["contact_force"][last].sum(axis=0), [0, 0, 2 * 9.81], atol=1e-6)
    with h5py.File(tmp_path / "run.h5") as file:
        assert len(file) > 0
    with pytest.raises(uz.InputError):
        uz.read_log(tmp_path / "absent.h5")
    with pytest.raises(uz.InputError, match="html"):
        world.record(tmp_path / "run.txt")


def test_replay_or_a_clear_word(box):
    world = uz.World(box)
    with pytest.raises(uz.InputError, match="record"):
        world.replay()
    if not uz._engine.core.has_viewer:
        with pytest.raises(uz.InputError, match="viewer"):
            world.record()
        return
    world.record()
    world.step(100)
    page = world.replay()
    assert page._repr_html_().startswith("<iframe") and "<html" in page.page[:2000].lower()


def test_viewer_does_not_block(box):
    import urllib.request

    if not uz._engine.core.has_viewer:
        pytest.skip("built without the viewer")
    world = uz.World(box)
    with world.view(open_browser=False) as viewer:
        assert urllib.request.urlopen(viewer.url, timeout=10).status == 200
        world.step(10)
        viewer.sync()
    assert not viewer.is_open
