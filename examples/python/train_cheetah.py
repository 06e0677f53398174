"""The cross-entropy method on HalfCheetah: a linear policy learns to run in a few minutes on two cores."""

import sys
import time

import gymnasium
import numpy as np

ROUNDS, CANDIDATES, ELITE, HORIZON = int(sys.argv[1]) if len(sys.argv) > 1 else 30, 64, 12, 200

envs = gymnasium.make_vec("uzawa.gym:HalfCheetah-v5", num_envs=CANDIDATES)
inputs, outputs = envs.single_observation_space.shape[0], envs.single_action_space.shape[0]
rng = np.random.default_rng(0)
mean, spread = np.zeros((inputs + 1) * outputs), np.full((inputs + 1) * outputs, 0.5)
first = last = 0.0
for k in range(ROUNDS):
    begin = time.perf_counter()
    candidates = mean + spread * rng.standard_normal((CANDIDATES, len(mean)))
    weights = candidates.reshape(CANDIDATES, inputs + 1, outputs)
    obs, _ = envs.reset(seed=k)
    total = np.zeros(CANDIDATES)
    for _ in range(HORIZON):
        action = np.tanh(np.einsum("ni,nio->no", obs, weights[:, :-1]) + weights[:, -1])
        obs, reward, *_ = envs.step(action)
        total += reward
    best = np.argsort(total)[-ELITE:]
    mean, spread = candidates[best].mean(axis=0), candidates[best].std(axis=0) + 0.02
    last = float(total[best].mean())
    first = last if k == 0 else first
    print(f"round {k + 1}: best {ELITE} of {CANDIDATES} return {last:7.1f} in {time.perf_counter() - begin:.1f} s")
if ROUNDS > 5:
    assert last > first, "it has not learned"
