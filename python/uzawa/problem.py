"""Contact problems by themselves: matrices and files in, impulses out."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ._engine import core
from ._errors import InputError
from .model import Floats, PathLike
from .world import make_options

if TYPE_CHECKING:
    from ._core import Problem as _Problem
    from ._core import Result
else:
    Result = core.Result

KINDS = ("contact", "hard", "equality", "soft", "limit", "friction", "moment")
_ROWS = {"contact": 3, "moment": 3}  # the others have one
_COLUMNS = ("mu1", "mu2", "e1", "e2", "e3", "k", "b", "lower", "upper", "bound")


def _csr(matrix: Any, columns: int | None, what: str) -> tuple[int, int, Any, Any, Any]:
    """(rows, columns, start, column, value) of a matrix of numpy or scipy, columns ascending."""
    if hasattr(matrix, "tocsr"):
        m = matrix.tocsr().copy()
        m.sum_duplicates()
        m.sort_indices()
        rows, cols, start, column, value = m.shape[0], m.shape[1], m.indptr, m.indices, m.data
    else:
        dense = np.atleast_2d(np.asarray(matrix, float))
        if dense.size == 0:
            dense = dense.reshape(0, columns or 0)
        rows, cols = dense.shape
        where = dense != 0
        start = np.concatenate([[0], np.cumsum(where.sum(axis=1))])
        column = np.nonzero(where)[1]
        value = dense[where]
    if columns is not None and cols != columns:
        raise InputError("", what, f"has {cols} columns; wanted: {columns}")
    if not np.all(np.isfinite(value)):
        raise InputError("", what, "has a number that is not finite")
    return (
        rows,
        cols,
        np.ascontiguousarray(start, np.int64),
        np.ascontiguousarray(column, np.int64),
        np.ascontiguousarray(value, float),
    )


class Problem:
    """A v = b + J^T impulse, with (J v, impulse) in the laws of the constraints.

    Made by `read_problem`, `from_matrices`, `from_delassus` or a world (`world.problem`). Immutable.
    """

    def __init__(self, core_problem: _Problem) -> None:
        self._core = core_problem

    @classmethod
    def from_matrices(
        cls,
        A: Any,
        b: Any,
        J: Any,
        mu: Any = 0.0,
        *,
        e: Any = None,
        kinds: Sequence[str] | None = None,
        k: Any = 0.0,
        damping: Any = 0.0,
        lower: Any = -np.inf,
        upper: Any = np.inf,
        bound: Any = 0.0,
    ) -> Problem:
        """A (n, n) symmetric positive definite, J (rows, n), of numpy or scipy.

        A contact has three rows of J: two tangents and the normal; the other kinds have one. kinds: of the constraints,
        None: contacts only. mu: per constraint, or two numbers each. e: m/s, per row of J, added to J v. k, damping: of soft
        rows; lower, upper: m/s, of limits; bound: N s, of friction rows; each a number or one per constraint.
        """
        b = np.ascontiguousarray(b, float).reshape(-1)
        n = len(b)
        _, _, *a_arrays = _csr(A, n, "A")
        rows, _, *j_arrays = _csr(J, n, "J")
        if kinds is None:
            if rows % 3:
                raise InputError("", "J", f"has {rows} rows: contacts have three each; say `kinds` for others")
            kinds = ["contact"] * (rows // 3)
        for kind in kinds:
            if kind not in KINDS[:-1]:  # a moment's law has more numbers than are taken here
                raise InputError("", f"kind '{kind}'", f"is none of {', '.join(KINDS[:-1])}")
        count = len(kinds)
        laws = np.zeros((count, len(_COLUMNS)))
        mu_array = np.asarray(mu, float)
        laws[:, 0:2] = mu_array if mu_array.ndim == 2 else np.broadcast_to(mu_array, (count,))[:, None]
        for column, values in ((5, k), (6, damping), (7, lower), (8, upper), (9, bound)):
            laws[:, column] = values
        if e is not None:
            offsets = np.broadcast_to(np.asarray(e, float), (rows,))
            row = 0
            for i, kind in enumerate(kinds):
                if kind == "contact":
                    laws[i, 2:5] = offsets[row : row + 3]
                    row += 3
                else:
                    laws[i, 4] = offsets[row]
                    row += 1
        numbers = np.array([KINDS.index(kind) for kind in kinds], np.int64)
        return cls(core.make_problem(n, *a_arrays, b, *j_arrays, numbers, np.ascontiguousarray(laws)))

    @classmethod
    def from_delassus(cls, W: Any, q: Any, mu: Any) -> Problem:
        """The local form: u = W impulse + q for n contacts, W (3 n, 3 n), rows t1, t2, n of each; mu (n,)."""
        q = np.ascontiguousarray(q, float).reshape(-1)
        _, _, *arrays = _csr(W, len(q), "W")
        friction = np.ascontiguousarray(np.broadcast_to(np.asarray(mu, float), (len(q) // 3,)))
        return cls(core.make_delassus(*arrays, q, friction))

    @property
    def n(self) -> int:
        """velocities"""
        return self._core.n

    @property
    def ncon(self) -> int:
        """contacts"""
        return self._core.ncon

    @property
    def b(self) -> Floats:
        """(n,) N s, N m s"""
        return self._core.b

    @property
    def A(self) -> Any:
        """(n, n) kg, kg m^2; of scipy.sparse where that is installed, else of numpy"""
        return _matrix(*self._core.matrix_arrays())

    @property
    def J(self) -> Any:
        """(rows, n); of scipy.sparse where that is installed, else of numpy"""
        return _matrix(*self._core.jacobian_arrays())

    @property
    def kinds(self) -> list[str]:
        """per constraint"""
        return [KINDS[kind] for kind in self._core.law_arrays()[0]]

    @property
    def mu(self) -> Floats:
        """(constraints, 2) friction along the two tangents; zero for other kinds than contacts"""
        return self._core.law_arrays()[1][:, 0:2]

    @property
    def e(self) -> Floats:
        """(rows,) m/s"""
        laws = self._core.law_arrays()[1]
        parts = [laws[i, 2:5] if kind in _ROWS else laws[i, 4:5] for i, kind in enumerate(self.kinds)]
        return np.concatenate(parts) if parts else np.zeros(0)

    def write(self, path: PathLike) -> None:
        """JSON, which keeps every bit, or FCLIB's HDF5 where the name ends in .hdf5 or .h5."""
        self._core.write(os.fspath(path))

    def __reduce__(self) -> tuple[Any, ...]:
        return _from_json, (self._core.to_json(),)

    def __repr__(self) -> str:
        return f"<uzawa.Problem: {self.n} velocities, {self._core.nconstraint} constraints ({self.ncon} contacts)>"


def _matrix(rows: int, columns: int, start: Any, column: Any, value: Any) -> Any:
    try:
        import scipy.sparse

        return scipy.sparse.csr_matrix((value, column, start), shape=(rows, columns))
    except ImportError:
        dense = np.zeros((rows, columns))
        dense[np.repeat(np.arange(rows), np.diff(start)), column] = value
        return dense


def _from_json(text: str) -> Problem:
    return Problem(core.problem_from_json(text))


def read_problem(path: PathLike) -> Problem:
    """A problem of a JSON or FCLIB file."""
    return Problem(core.read_problem(os.fspath(path)))


def solve(
    problem: Problem,
    solver: str = "auto",
    *,
    tolerance: float | None = None,
    max_iterations: int = 0,
    budget_us: float = 0.0,
    threads: int = 1,
    require_siconos: bool = True,
    start: Any = (),
    settings: dict[str, Any] | None = None,
) -> Result:
    """Solves a contact problem; `result.v`, `result.impulse`, `result.status`, `result.residual`.

    tolerance: on the judge's residual, m/s and N s. start: impulses to begin with. settings: of the method, by name.
    """
    options = make_options(
        dt=None, solver=solver, tolerance=tolerance, settings=settings, budget_us=budget_us, threads=threads
    )
    begin = np.asarray(start, float).reshape(-1).tolist()
    return core.solve(problem._core, options, max_iterations, require_siconos, begin)


def solvers() -> dict[str, str]:
    """All methods, with a line about each."""
    return dict(core.solvers())
