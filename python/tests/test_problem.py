import pickle
import subprocess
import sys

import numpy as np
import pytest
import scipy.sparse

import uzawa as uz


def sliding_ball(mu):
    """A unit mass on the floor with velocity (1, 0, -1): rows t1, t2, n."""
    return uz.Problem.from_matrices(np.eye(3), [1.0, 0.0, -1.0], np.eye(3), mu=mu)


@pytest.mark.parametrize("solver", ["auto", "canal", "pgs", "subadmm"])
def test_slip_and_stick_have_closed_forms(solver):
    slips = uz.solve(sliding_ball(0.5), solver, tolerance=1e-10)
    assert slips.ok
    np.testing.assert_allclose(slips.impulse, [-0.5, 0, 1], atol=1e-8)
    np.testing.assert_allclose(slips.v, [0.5, 0, 0], atol=1e-8)
    sticks = uz.solve(sliding_ball(2.0), solver, tolerance=1e-10)
    np.testing.assert_allclose(sticks.v, 0, atol=1e-8)


def test_matrices_come_back(quadruped):
    world = uz.World(quadruped)
    world.reset(0)
    world.step(30)
    problem = world.problem
    result = uz.solve(problem, tolerance=1e-10)
    assert result.ok
    # the definition of v, from the matrices alone
    v = np.linalg.solve(problem.A.toarray(), problem.b + problem.J.T @ result.impulse)
    np.testing.assert_allclose(v, result.v, atol=1e-9)
    again = uz.Problem.from_matrices(
        scipy.sparse.csr_matrix(problem.A), problem.b, problem.J, problem.mu, e=problem.e, kinds=problem.kinds
    )
    other = uz.solve(again, tolerance=1e-10)
    np.testing.assert_allclose(other.v, result.v, atol=1e-7)


def test_delassus_form():
    result = uz.solve(uz.Problem.from_delassus(np.eye(3), [1.0, 0.0, -1.0], 0.5), tolerance=1e-10)
    np.testing.assert_allclose(result.impulse, [-0.5, 0, 1], atol=1e-8)


def test_files_and_pickle(tmp_path):
    problem = sliding_ball(0.5)
    for name in ("p.json", "p.hdf5"):
        problem.write(tmp_path / name)
        np.testing.assert_allclose(uz.solve(uz.read_problem(tmp_path / name)).v, [0.5, 0, 0], atol=1e-7)
    assert pickle.loads(pickle.dumps(problem)).ncon == 1
    with pytest.raises(uz.InputError):
        uz.read_problem(tmp_path / "absent.json")


def test_equality_and_limit_rows():
    problem = uz.Problem.from_matrices(
        np.eye(2), [1.0, 5.0], np.eye(2), kinds=["equality", "limit"], lower=[-np.inf, -2], upper=[np.inf, 2]
    )
    np.testing.assert_allclose(uz.solve(problem, tolerance=1e-10).v, [0, 2], atol=1e-8)


def test_wrong_input():
    with pytest.raises(uz.InputError):
        uz.Problem.from_matrices(np.diag([1.0, 1.0, -1.0]), np.zeros(3), np.eye(3), 0.5)
    with pytest.raises(uz.InputError, match="finite"):
        uz.Problem.from_matrices(np.full((3, 3), np.nan), np.zeros(3), np.eye(3), 0.5)
    with pytest.raises(uz.InputError, match="columns"):
        uz.Problem.from_matrices(np.eye(3), np.zeros(3), np.eye(4)[:3], 0.5)
    with pytest.raises(uz.InputError, match="rows"):
        uz.Problem.from_matrices(np.eye(3), np.zeros(3), np.eye(3)[:2], 0.5)
    with pytest.raises(uz.InputError):
        uz.solve(sliding_ball(0.5), "no such solver")


@pytest.mark.parametrize("solver", ["pgs", "apgd", "subadmm", "nnewton"])
def test_ctrl_c_ends_a_long_solve(quadruped, solver, tmp_path):
    """By a signal, as from a terminal, to a solve that would go on for hours."""
    world = uz.World(quadruped)
    world.reset(0)
    world.step(100)
    world.problem.write(tmp_path / "problem.json")
    code = f"""
import os, signal, threading, time, uzawa as uz
problem = uz.read_problem({str(tmp_path / "problem.json")!r})
assert uz.solve(problem, {solver!r}).status == "converged"
threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
begin = time.perf_counter()
try:
    print(uz.solve(problem, {solver!r}, tolerance=1e-300, max_iterations=10**9))
except KeyboardInterrupt:
    print("interrupted", time.perf_counter() - begin < 10)
assert uz.solve(problem, {solver!r}).status == "converged"
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout.strip() == "interrupted True", done.stdout + done.stderr
