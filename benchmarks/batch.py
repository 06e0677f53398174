"""Steps a second of processor time: uzawa's Batch beside mujoco.rollout and mujoco.batch.Batch, interleaved in one run.

    scripts/setup_python.sh
    PYTHONPATH=build/release/python build/venv/bin/python benchmarks/batch.py [--sims 64 1024] [--rounds 5] [--cases ant]

All three start from the same states under the same controls, on one thread. Beside every speed: the worst residual of contacts and
the deepest penetration. MuJoCo's residual is that of its own forces and velocities at its own contacts: the natural map of
Coulomb's law at unit scale, divided by the number of contacts, as uzawa's judge does it ([AL] section VII).
"""

import argparse
import tempfile
import time
import timeit
from dataclasses import dataclass
from pathlib import Path

import gymnasium
import mujoco
import mujoco.batch
import mujoco.rollout
import numpy as np

import uzawa as uz

ROOT = Path(__file__).parents[1]
ASSETS = Path(gymnasium.__file__).parent / "envs/mujoco/assets"
HELD, SETTLE = 5, 20  # steps a control is held; controls before the clock starts


@dataclass
class Case:
    name: str
    file: Path
    euler: bool = False  #: MuJoCo is to leave the file's integrator
    noise: float = 0.01
    effort: float = 1.0  #: of the range of controls; 0: the start's controls
    start: tuple | None = None  #: qpos, ctrl; None: the reference configuration


def panda(folder: Path) -> Case:
    """Our panda with a box between its fingers, which close on it."""
    robot = uz.Model.from_file(ROOT / "models/panda.xml")
    world = uz.World(robot)
    world.reset(0)
    place = " ".join(f"{x:.9g}" for x in world.site("grasp").xpos)
    file = folder / "panda_box.xml"
    file.write_text(f"""<mujoco><include file="{ROOT / "models/panda.xml"}"/><worldbody>
<body name="held" pos="{place}"><freejoint/><geom type="box" size=".02 .02 .02" mass=".1" friction="1"/></body></worldbody></mujoco>""")
    model = uz.Model.from_file(file)
    q, ctrl = model.keyframe()[0].copy(), world.ctrl.copy()
    q[: robot.nq] = world.qpos
    ctrl[model.index("actuator", "gripper")] = 0
    return Case("panda pinching a box", file, noise=0.0, effort=0.0, start=(q, ctrl))


def cases(folder: Path, data: Path):
    yield Case("HalfCheetah", ASSETS / "half_cheetah.xml")
    for name in ("Ant", "Humanoid"):
        yield Case(f"{name}, MuJoCo by RK4", ASSETS / f"{name.lower()}.xml")
        yield Case(f"{name}, MuJoCo by Euler", ASSETS / f"{name.lower()}.xml", euler=True)
    yield panda(folder)
    hand = data / "menagerie/shadow_hand/scene_right.xml"
    if hand.exists():
        yield Case("shadow hand with an egg", hand, effort=0.1)
    else:
        print(f"skipped (not there): {hand}")


def natural_map(m, d) -> float:
    """Of the last step of a MjData: its J and forces, with the velocity after the step."""
    total, force = 0.0, np.zeros(6)
    jac1, jac2 = np.zeros((3, m.nv)), np.zeros((3, m.nv))
    for i in range(d.ncon):
        c = d.contact[i]
        mujoco.mj_contactForce(m, d, i, force)
        for jac, geom in ((jac1, c.geom1), (jac2, c.geom2)):
            mujoco.mj_jac(m, d, jac, None, c.pos, m.geom_bodyid[geom])
        u = c.frame.reshape(3, 3) @ ((jac2 - jac1) @ d.qvel)
        mu, h = (c.friction[0] if c.dim > 1 else 0.0), m.opt.timestep
        slip = np.hypot(u[1], u[2])
        impulse = h * force[:3]
        p = impulse - (u + [mu * slip + max(c.dist, 0) / h, 0, 0])
        total += np.square(impulse - on_cone(p, mu)).sum()
    return float(np.sqrt(total) / max(d.ncon, 1))


def on_cone(p, mu):
    """The point of Coulomb's cone that is nearest to p; normal first."""
    tangent = np.hypot(p[1], p[2])
    if tangent <= mu * p[0]:
        return p
    if mu * tangent <= -p[0]:
        return np.zeros(3)
    normal = (p[0] + mu * tangent) / (1 + mu * mu)
    return np.array([normal, *(p[1:] * (mu * normal / tangent if tangent > 0 else 0))])


class Runs:
    """One case: the three of them in the same states, ready to go on."""

    def __init__(self, case: Case, sims: int, horizon: int) -> None:
        rng = np.random.default_rng(0)
        self.m = mujoco.MjModel.from_xml_path(str(case.file))
        if case.euler:
            self.m.opt.integrator = mujoco.mjtIntegrator.mjINT_EULER
        self.ours = uz.Batch(uz.Model.from_file(case.file), sims, threads=1)
        model = self.ours.model
        q, ctrl = case.start if case.start else (model.keyframe()[0], np.zeros(model.nu))
        ranges = np.nan_to_num(model.actuator_ctrlrange, neginf=-1, posinf=1)
        draw = rng.uniform(-1, 1, (sims, SETTLE + horizon, model.nu)) * case.effort
        self.controls = np.clip(ctrl + draw * np.diff(ranges, axis=1)[:, 0] / 2, ranges[:, 0], ranges[:, 1])
        v = case.noise * rng.standard_normal((sims, model.nv))
        self.ours.reset(qpos=np.tile(q, (sims, 1)), qvel=v)
        self.theirs = mujoco.batch.Batch(self.m, sims, 1)
        self.their_q, self.their_v, self.their_u = (self.theirs.bind(name) for name in ("qpos", "qvel", "ctrl"))
        self.their_q[:], self.their_v[:] = q, v
        self.step_ours(self.controls[:, :SETTLE]), self.step_theirs(self.controls[:, :SETTLE])
        self.timed = self.controls[:, SETTLE:]
        self.ours_at, self.theirs_at = self.ours.save(), self.theirs.state.copy()
        self.full = np.repeat(self.timed, HELD, axis=1)
        self.data = [mujoco.MjData(self.m)]
        self.roller = mujoco.rollout.Rollout(nthread=0)
        self.residual = self.penetration = 0.0

    def step_ours(self, controls) -> None:
        for t in range(controls.shape[1]):
            self.ours.ctrl[:] = controls[:, t]
            self.ours.step(HELD)

    def step_theirs(self, controls) -> None:
        for t in range(controls.shape[1]):
            self.their_u[:] = controls[:, t]
            self.theirs.step(nstep=HELD)

    def run_rollout(self) -> None:
        full = np.concatenate([self.full_state(self.theirs_at)], axis=0)
        self.roller.rollout(self.m, self.data, full, self.full)

    def full_state(self, rows):
        """Rows of mjSTATE_FULLPHYSICS, which rollout takes, from those of mjSTATE_INTEGRATION."""
        size = mujoco.mj_stateSize(self.m, mujoco.mjtState.mjSTATE_FULLPHYSICS)
        return rows[:, :size]

    def watched_ours(self) -> None:
        """Not timed: the worst of every step."""
        for t in range(self.timed.shape[1]):
            self.ours.ctrl[:] = self.timed[:, t]
            self.ours.step(HELD)
            self.residual = max(self.residual, float(self.ours.residual.max()))
            self.penetration = max(self.penetration, float(self.ours.penetration.max()))

    def watched_theirs(self, few: int = 8) -> tuple[float, float]:
        """The same of MuJoCo, on some of the simulations."""
        residual, depth = 0.0, 0.0
        for i in range(min(few, len(self.theirs_at))):
            d = mujoco.MjData(self.m)
            mujoco.mj_setState(self.m, d, self.theirs_at[i], mujoco.mjtState.mjSTATE_INTEGRATION)
            for control in self.full[i]:
                d.ctrl[:] = control
                mujoco.mj_step(self.m, d)
                residual = max(residual, natural_map(self.m, d))
                depth = max([depth, *(-d.contact.dist)])
        return residual, depth


def seconds(run) -> float:
    begin = time.process_time()
    run()
    return time.process_time() - begin


def compare(case: Case, sims: int, rounds: int, budget: float) -> None:
    probe = Runs(case, 16, 4)
    pace = 16 * 4 * HELD / max(seconds(lambda: probe.step_theirs(probe.timed)), 1e-6)
    horizon = int(np.clip(budget * pace / (sims * HELD), 2, 100))
    runs = Runs(case, sims, horizon)
    times: dict[str, list[float]] = {"ours": [], "rollout": [], "batch": []}
    for _ in range(rounds):
        runs.ours.restore(runs.ours_at)
        times["ours"].append(seconds(lambda: runs.step_ours(runs.timed)))
        times["rollout"].append(seconds(runs.run_rollout))
        runs.theirs.state[:] = runs.theirs_at
        times["batch"].append(seconds(lambda: runs.step_theirs(runs.timed)))
    runs.ours.restore(runs.ours_at)
    runs.watched_ours()
    their_residual, their_depth = runs.watched_theirs()
    steps = sims * horizon * HELD
    speed = {name: steps / np.median(listed) for name, listed in times.items()}
    best = np.median([min(a, b) / c for a, b, c in zip(times["rollout"], times["batch"], times["ours"])])
    failed = len(runs.ours.ids("failed"))
    print(f"{case.name:26} {sims:5} | {speed['ours'] / 1e3:8.1f} {speed['rollout'] / 1e3:8.1f} {speed['batch'] / 1e3:8.1f} | {best:5.2f} | "
          f"{runs.residual:8.1e} {their_residual:8.1e} | {runs.penetration * 1e3:8.3f} {their_depth * 1e3:8.3f}"
          + (f" | {failed} FAILED" if failed else ""), flush=True)  # fmt: skip


def overheads() -> None:
    """What a call from Python costs."""
    model = uz.Model.from_file(ROOT / "models/quadruped_scene.xml")
    batch, theirs = uz.Batch(model, 64, threads=1), mujoco.batch.Batch(mujoco.MjModel.from_xml_path(str(ASSETS / "ant.xml")), 64, 1)
    none = np.zeros(0, np.int64)

    def cost(call, number=20000) -> float:
        return min(timeit.repeat(call, number=number, repeat=5)) / number * 1e6

    print(f"an empty Batch.step: {cost(lambda: batch.step(ids=none)):.2f} us; mujoco.batch.Batch.step {cost(lambda: theirs.step(ids=none)):.2f} us")
    world = uz.World(uz.Model.from_string('<mujoco><worldbody><body><joint axis="0 1 0"/><geom size=".1" pos="0 0 -1"/></body></worldbody></mujoco>'))
    one = min(timeit.repeat(world.step, number=20000, repeat=5)) / 20000
    many = min(timeit.repeat(lambda: world.step(20000), number=1, repeat=5)) / 20000
    print(f"world.step(): {one * 1e6:.2f} us, of which {(one - many) * 1e6:.2f} us are the call; world.qpos {cost(lambda: world.qpos):.3f} us, "
          f"world.xpos {cost(lambda: world.xpos):.3f} us (an empty call {cost(lambda: None):.3f} us)")


def efficiency(case: Case) -> None:
    """Wall time of one thread over that of two, half of which is the efficiency. Needs two idle processors."""
    model, walls = uz.Model.from_file(case.file), {1: [], 2: []}
    batches = {n: uz.Batch(model, 256, threads=n) for n in walls}
    for _ in range(5):
        for n, batch in batches.items():
            batch.reset()
            begin = time.perf_counter()
            batch.step(40)
            walls[n].append(time.perf_counter() - begin)
    ratio = np.median([a / b for a, b in zip(walls[1], walls[2])])
    print(f"two threads, {case.name}: {ratio:.2f} x one thread")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sims", type=int, nargs="+", default=[64, 1024])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--budget", type=float, default=1.0, help="s of MuJoCo's time a round")
    parser.add_argument("--cases", default="", help="part of a name")
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared/data")
    chosen = parser.parse_args()
    print(f"uzawa {uz.__version__} ({uz.isa}), MuJoCo {mujoco.__version__}; thousand steps a second of processor time")
    print(f"{'':26} {'sims':>5} | {'uzawa':>8} {'rollout':>8} {'Batch':>8} | {'ratio':>5} | {'residual, ours, theirs':17} | mm deep, ours, theirs")
    with tempfile.TemporaryDirectory() as folder:
        listed = [case for case in cases(Path(folder), chosen.data) if chosen.cases.lower() in case.name.lower()]
        for case in listed:
            for sims in chosen.sims:
                compare(case, sims, chosen.rounds, chosen.budget)
        overheads()
        efficiency(listed[0])


if __name__ == "__main__":
    main()
