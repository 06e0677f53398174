"""A quadruped stands for a second; then 16 of them with masses of their own are pushed."""

from pathlib import Path

import numpy as np

import uzawa as uz

model = uz.Model.from_file(Path(__file__).parents[2] / "models" / "quadruped_scene.xml")
world = uz.World(model)
world.reset(keyframe=0)
report = world.step(nstep=500)
print(report)
for contact in world.contacts:
    print(f"{contact.geom2} on {contact.geom1}: {contact.normal_force:.2f} N")
weight = sum(contact.force[2] for contact in world.contacts)
assert report.ok and abs(weight - 9.81 * model.total_mass) < 0.05 * weight

batch = uz.Batch(model, nsim=16, seed=1)
batch.body("trunk").mass = batch.rng.uniform(5, 15, batch.nsim)
batch.reset(keyframe=0)
batch.qvel[:, 0] = 0.3
out = batch.rollout(np.broadcast_to(batch.ctrl[:, None], (16, 50, model.nu)), nstep=4, record=("qpos", "residual"))
print(batch, "moved by", np.round(out["qpos"][:, -1, 0] - out["qpos"][:, 0, 0], 3), "m")
