"""A study: which boxes of random mass and friction do two fingers of 20 N lift? Shards go on threads, or on a Ray cluster.

    python examples/python/pinch_grasps.py 10000 --out study          # goes on where it was cut off
    python examples/python/pinch_grasps.py 10000 --out study --engine ray
"""

import argparse
import tempfile

import numpy as np

import uzawa as uz

GRIP, ACCELERATION, TOP = 20.0, 2.0, 0.05  # N of a finger, m/s^2 and m of the lift
MODEL = uz.Model.from_string("""<mujoco><option timestep="0.002"/><worldbody><geom type="plane" size="1 1 .1" friction="0"/>
<body name="box" pos="0 0 .03"><freejoint/><geom name="box" type="box" size=".03 .03 .03" mass="1"/></body>
<body name="hand" pos="0 0 .03"><joint name="lift" type="slide" axis="0 0 1"/><geom type="sphere" size=".01" pos="0 0 .12" contype="0" conaffinity="0"/>
<body pos="-.05 0 0"><joint name="left" type="slide" axis="1 0 0"/><geom type="box" size=".01 .01 .01" mass=".1" friction="0"/></body>
<body pos=".05 0 0"><joint name="right" type="slide" axis="-1 0 0"/><geom type="box" size=".01 .01 .01" mass=".1" friction="0"/></body>
</body></worldbody><actuator><position name="lift" joint="lift" kp="1e5" kv="1e3"/>
<motor name="left" joint="left"/><motor name="right" joint="right"/></actuator></mujoco>""")


def height(t: float) -> float:
    """m: constant acceleration to half the way, then the same deceleration."""
    half = np.sqrt(TOP / ACCELERATION)
    t = min(max(t, 0.0), 2 * half)
    return 0.5 * ACCELERATION * t * t if t < half else TOP - 0.5 * ACCELERATION * (2 * half - t) ** 2


def grasp(seed: int) -> dict:
    """One grasp: drawn mass and friction, whether the box came along, and what Coulomb's law says about it."""
    rng = np.random.default_rng(seed)
    mass, mu = rng.uniform(0.2, 3.0), rng.uniform(0.2, 1.0)
    world = uz.World(MODEL.variant({"body.mass": {"box": mass}, "geom.friction": {"box": mu, 0: 0.0}}))
    world.ctrl[1:] = GRIP
    worst = 0.0
    for k in range(250):
        world.ctrl[0] = height(0.002 * (k + 1) - 0.05)
        worst = max(worst, world.step().residual)
    needed = mass * 9.81 / (2 * GRIP)
    return {"mass": mass, "mu": mu, "lifted": bool(world.body("box").xpos[2] > 0.03 + 0.9 * TOP), "residual": worst,
            "mu_hold": needed, "mu_lift": needed * (1 + ACCELERATION / 9.81)}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("grasps", type=int, nargs="?", default=1000)
    parser.add_argument("--out", help="folder of the study")
    parser.add_argument("--engine", default="threads", choices=("threads", "ray"))
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        study = uz.sweep(grasp, range(chosen.grasps), chosen.out or scratch, engine=chosen.engine, shard=max(1, min(100, chosen.grasps // 4)))
        table = study.to_numpy()
        print(study)
        assert study.is_complete and not study.failed, study.failed[:1]
    sure, hopeless = table["mu"] > 1.02 * table["mu_lift"], table["mu"] < 0.98 * table["mu_hold"]
    print(f"{table['lifted'].mean():.1%} lifted; friction enough for {sure.mean():.1%}, too little for {hopeless.mean():.1%}; "
          f"worst residual {table['residual'].max():.1e}")
    assert table["lifted"][sure].all() and not table["lifted"][hopeless].any()
