"""Pictures, notebooks and the live view, in headless Chromium. Where things are in a picture is geometry."""

import shutil
import subprocess

import numpy as np
import pytest

import uzawa as uz
from uzawa.viewing import decode_png

BROWSER = next((path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), None)
pytestmark = pytest.mark.skipif(BROWSER is None or not uz._engine.core.has_viewer, reason="needs Chromium and the viewer's page")

TWO_BALLS = """<mujoco><option gravity="0 0 0"/><worldbody>
<body name="red" pos="-1 0 0.5"><freejoint/><geom size=".3" rgba="1 0 0 1"/></body>
<body name="blue" pos="1 0 0.5"><freejoint/><geom size=".3" rgba="0 0 1 1"/></body></worldbody></mujoco>"""


def colored(image, channel):
    """Places (x, y) of the pixels in which one channel is far above the others."""
    others = np.delete(image[:, :, :3].astype(int), channel, axis=2).max(axis=2)
    y, x = np.nonzero(image[:, :, channel].astype(int) - others > 60)
    return x, y


def photograph(page, folder):
    """What a browser shows of an address."""
    target = folder / "page.png"
    subprocess.run([BROWSER, "--headless=new", "--no-sandbox", "--hide-scrollbars", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
                    "--ignore-gpu-blocklist", f"--user-data-dir={folder / 'profile'}", "--window-size=900,700", "--timeout=8000",
                    f"--screenshot={target}", page], check=True, capture_output=True, timeout=120)  # fmt: skip
    return decode_png(target.read_bytes())


def shows_both(image):
    """The red and the blue ball."""
    return len(colored(image, 0)[0]) > 50 and len(colored(image, 2)[0]) > 50


def photograph_balls(page, folder):
    """The same of a page that draws after it has loaded: the browser does not wait for that, least of all a busy one."""
    for _ in range(20):
        image = photograph(page, folder)
        if shows_both(image):
            break
    return image


def test_render_shows_what_is_where():
    world = uz.World(uz.Model.from_string(TWO_BALLS))
    bits = world.save()
    front = world.render(320, 240, azimuth=90, elevation=-10)
    assert front.shape == (240, 320, 3) and front.dtype == np.uint8 and world.save() == bits
    back = world.render(320, 240, azimuth=-90, elevation=-10)
    assert shows_both(front) and shows_both(back)
    side = [np.mean(colored(image, 0)[0]) < np.mean(colored(image, 2)[0]) for image in (front, back)]
    assert side[0] != side[1], "from behind, left and right change places"
    world.qpos[0] = 1.0
    world.qpos[2] = 1.5  # red above blue now
    above = world.render(320, 240, azimuth=90, elevation=-10)
    assert np.mean(colored(above, 0)[1]) < np.mean(colored(above, 2)[1]) - 10


def test_notebook_cell_shows_the_replay(tmp_path):
    world = uz.World(uz.Model.from_string(TWO_BALLS))
    world.record()
    world.step(50)
    (tmp_path / "cell.html").write_text(f"<html><body>{world.replay()._repr_html_()}</body></html>")
    assert shows_both(photograph_balls(f"file://{tmp_path / 'cell.html'}", tmp_path))
    assert "<table>" in world._repr_html_()


def test_live_view_shows_the_world(tmp_path):
    world = uz.World(uz.Model.from_string(TWO_BALLS))
    with world.view(open_browser=False) as viewer:
        world.step(10)
        viewer.sync()
        assert shows_both(photograph_balls(viewer.url, tmp_path))
    assert not viewer.is_open
