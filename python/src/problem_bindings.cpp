#include <nanobind/stl/pair.h>

#include <sstream>

#include "bindings.hpp"
#include "simulation.hpp"
#include "uzawa/base/at.hpp"
#include "uzawa/base/error.hpp"
#include "uzawa/problem/block_matrix.hpp"
#include "uzawa/problem_io/file_formats.hpp"
#include "uzawa/problem_io/from_matrices.hpp"
#include "uzawa/problem_io/problem_file.hpp"
#include "uzawa/solver/solver.hpp"

namespace uzawa::python {

namespace {

/// The arrays of a CSR matrix of scipy.
SparseRows to_rows(int columns, const ConstIntArray& start, const ConstIntArray& column, const ConstArray& value) {
  SparseRows rows;
  rows.columns = columns;
  rows.start.assign(start.data(), start.data() + start.size());
  rows.column.assign(column.data(), column.data() + column.size());
  rows.value.assign(value.data(), value.data() + value.size());
  const bool whole = !rows.start.empty() && rows.start.front() == 0 && at(rows.start.back()) == rows.column.size() &&
                     rows.column.size() == rows.value.size();
  if (!whole) throw InputError("", "matrix", "its arrays do not fit together");
  for (std::size_t i = 1; i < rows.start.size(); ++i) {
    if (rows.start[i] < rows.start[i - 1]) throw InputError("", "matrix", "its rows are not in order");
  }
  for (const int c : rows.column) {
    if (c < 0 || c >= columns) throw InputError("", "matrix", "a column is outside of it");
  }
  return rows;
}

nb::tuple from_rows(const SparseRows& rows) {
  return nb::make_tuple(rows.rows(), rows.columns, new_array(rows.start), new_array(rows.column),
                        new_array(rows.value));
}

/// The rows of one constraint.
SparseRows cut(const SparseRows& rows, int first, int count) {
  SparseRows out;
  out.columns = rows.columns;
  for (int row = first; row < first + count; ++row) {
    for (std::size_t k = rows.begin(row); k < rows.end(row); ++k) {
      out.column.push_back(rows.column[k]);
      out.value.push_back(rows.value[k]);
    }
    out.start.push_back(static_cast<int>(out.column.size()));
  }
  return out;
}

/// Numbers of a law: mu1, mu2, e (three), k, b, lower, upper, bound.
constexpr std::size_t kLawNumbers = 10;

ConstraintLaw to_law(int kind, const double* x) {
  if (kind < 0 || kind > static_cast<int>(ConstraintKind::Friction)) throw InputError("", "kind", "is not known");
  return {.kind = static_cast<ConstraintKind>(kind),
          .cone = {x[0], x[1]},
          .e = {x[2], x[3], x[4]},
          .k = x[5],
          .b = x[6],
          .lower = x[7],
          .upper = x[8],
          .bound = x[9]};
}

Problem make_problem(int n, const ConstIntArray& a_start, const ConstIntArray& a_column, const ConstArray& a_value,
                     const ConstArray& b, const ConstIntArray& j_start, const ConstIntArray& j_column,
                     const ConstArray& j_value, const ConstIntArray& kinds, const ConstArray& laws) {
  const SparseRows a = to_rows(n, a_start, a_column, a_value), j = to_rows(n, j_start, j_column, j_value);
  if (a.rows() != n || b.size() != at(n)) throw InputError("", "problem", "A must be n x n, and b have n numbers");
  if (laws.size() != kinds.size() * kLawNumbers) throw InputError("", "problem", "a law is not complete");
  std::vector<MatrixConstraint> constraints;
  int row = 0;
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    const ConstraintLaw law = to_law(static_cast<int>(kinds.data()[i]), laws.data() + i * kLawNumbers);
    const int dims = law.kind == ConstraintKind::Contact ? 3 : 1;
    if (row + dims > j.rows()) throw InputError("", "J", "has fewer rows than the constraints need");
    constraints.push_back({law, cut(j, row, dims)});
    row += dims;
  }
  if (row != j.rows()) throw InputError("", "J", "has more rows than the constraints need");
  Problem problem = from_matrices(a, {b.data(), b.data() + b.size()}, constraints, "matrices");
  validate(problem);
  return problem;
}

Problem make_delassus(const ConstIntArray& start, const ConstIntArray& column, const ConstArray& value,
                      const ConstArray& q, const ConstArray& mu) {
  const SparseRows w = to_rows(static_cast<int>(q.size()), start, column, value);
  if (at(w.rows()) != q.size() || 3 * mu.size() != q.size()) {
    throw InputError("", "problem", "W must be 3 n x 3 n, q have 3 n numbers and mu n, for n contacts");
  }
  std::vector<FrictionCone> cones;
  for (std::size_t i = 0; i < mu.size(); ++i) cones.push_back({mu.data()[i], mu.data()[i]});
  Problem problem = from_delassus(w, {q.data(), q.data() + q.size()}, cones, "matrices");
  validate(problem);
  return problem;
}

/// A by its products with unit vectors.
SparseRows matrix_of(const Problem& problem) {
  const auto n = at(problem.n());
  std::vector<double> unit(n), product(n);
  SparseRows out;
  out.columns = problem.n();
  for (std::size_t i = 0; i < n; ++i) {
    unit[i] = 1;
    multiply(problem, unit, product);
    unit[i] = 0;
    for (std::size_t k = 0; k < n; ++k) {
      if (product[k] == 0) continue;
      out.column.push_back(static_cast<int>(k));
      out.value.push_back(product[k]);
    }
    out.start.push_back(static_cast<int>(out.column.size()));
  }
  return out;
}

nb::tuple laws_of(const Problem& problem) {
  std::vector<int> kinds;
  std::vector<double> numbers;
  for (int c = 0; c < static_cast<int>(problem.constraints.size()); ++c) {
    const ConstraintLaw law = law_of(problem, c);
    kinds.push_back(static_cast<int>(law.kind));
    for (const double x :
         {law.cone.mu1, law.cone.mu2, law.e.x(), law.e.y(), law.e.z(), law.k, law.b, law.lower, law.upper, law.bound}) {
      numbers.push_back(x);
    }
  }
  const std::size_t count = kinds.size();
  return nb::make_tuple(new_array(std::move(kinds)), new_array(std::move(numbers), {count, kLawNumbers}));
}

Result solve(const Problem& problem, const WorldOptions& options, int max_iterations, bool require_siconos,
             const std::vector<double>& start) {
  SimSettings settings = to_settings(options);
  settings.solve.max_iterations = max_iterations;
  settings.solve.require_siconos = require_siconos;
  settings.solve.budget_us = options.budget_us;
  std::atomic<bool> stop = false;
  settings.solve.stop = &stop;
  if (!start.empty() && start.size() != at(problem.rows)) {
    throw InputError("", "start", "must have " + std::to_string(problem.rows) + " impulses");
  }
  return until_interrupted(stop, [&] {
    Workspace workspace;
    workspace.start = start;
    Result result;
    solve_islands(find_solver(options.solver), problem, settings.solve, workspace, result);
    return result;
  });
}

void bind_result(nb::module_& m) {
  nb::class_<Result> c(m, "Result",
                       "Impulses and velocities that a method has found, and a verdict that is not its own");
  c.def_prop_ro("status", [](const Result& r) { return to_string(r.status); });
  c.def_prop_ro("ok", [](const Result& r) { return r.status == SolveStatus::Converged; });
  c.def_prop_ro(
      "v", [](const Result& r) { return new_array(r.v); }, nb::rv_policy::automatic,
      "(n,) A^-1 (b + J^T impulse), m/s, rad/s");
  c.def_prop_ro(
      "impulse", [](const Result& r) { return new_array(r.lambda); }, nb::rv_policy::automatic,
      "(rows of J,) N s, N m s");
  c.def_prop_ro(
      "residual", [](const Result& r) { return r.verdict.residual; }, "m/s and N s, by the judge");
  c.def_prop_ro(
      "siconos_error", [](const Result& r) { return r.verdict.siconos; }, "relative, contacts only");
  c.def_prop_ro(
      "penetration_velocity", [](const Result& r) { return r.verdict.penetration; }, "m/s");
  c.def_prop_ro(
      "cone_violation", [](const Result& r) { return r.verdict.cone_violation; }, "N s");
  c.def_prop_ro(
      "complementarity", [](const Result& r) { return r.verdict.complementarity; }, "J");
  c.def_prop_ro(
      "iterations", [](const Result& r) { return r.stats.iterations; }, "of the hardest island");
  c.def_prop_ro("islands", [](const Result& r) { return r.stats.islands; });
  c.def_prop_ro(
      "seconds", [](const Result& r) { return r.stats.seconds; }, "s, wall time");
  c.def("__repr__", [](const Result& r) {
    std::ostringstream text;
    text << "<uzawa.Result " << to_string(r.status) << ", residual " << r.verdict.residual << ", " << r.stats.iterations
         << " iterations, " << r.stats.seconds * 1e3 << " ms>";
    return text.str();
  });
}

}  // namespace

void bind_problem(nb::module_& m) {
  bind_result(m);
  nb::class_<Problem> c(m, "Problem", "A v = b + J^T impulse with (J v, impulse) in the laws of the constraints");
  c.def_prop_ro("n", &Problem::n, "velocities");
  c.def_ro("rows", &Problem::rows, "of J: three a contact, one another constraint");
  c.def_ro("name", &Problem::name);
  c.def_ro("dt", &Problem::dt, "s; 0: unknown");
  c.def_prop_ro(
      "ncon", [](const Problem& p) { return p.contacts.size(); }, "contacts");
  c.def_prop_ro(
      "nconstraint", [](const Problem& p) { return p.constraints.size(); }, "constraints of all kinds");
  c.def_prop_ro(
      "b", [](const Problem& p) { return new_array(p.b); }, nb::rv_policy::automatic, "(n,) N s, N m s");
  c.def(
      "matrix_arrays", [](const Problem& p) { return from_rows(matrix_of(p)); }, "A as (rows, columns, CSR arrays)");
  c.def(
      "jacobian_arrays", [](const Problem& p) { return from_rows(constraint_rows(p)); }, "J likewise");
  c.def("law_arrays", &laws_of, "(kinds, numbers) of the constraints");
  c.def(
      "write", [](const Problem& p, const std::string& path) { write_problem(p, path); }, nb::arg("path"));
  c.def("to_json", [](const Problem& p) {
    std::ostringstream text;
    write_json(p, text);
    return text.str();
  });
  m.def("problem_from_json", [](const std::string& text) {
    std::istringstream stream(text);
    Problem problem = read_json(stream, "json");
    validate(problem);
    return problem;
  });
  m.def(
      "read_problem", [](const std::string& path) { return read_problem(path); }, nb::arg("path"));
  m.def("make_problem", &make_problem);
  m.def("make_delassus", &make_delassus);
  m.def("solve", &solve, nb::arg("problem"), nb::arg("options"), nb::arg("max_iterations"), nb::arg("require_siconos"),
        nb::arg("start"));
  m.def(
      "world_problem",
      [](Simulation& s) {
        const Simulation::Guard guard(s);
        return Problem(s.world().problem());
      },
      nb::arg("world"), "a copy of the last step's problem");
  m.def(
      "solvers",
      [] {
        std::vector<std::pair<std::string, std::string>> out;
        for (const Solver& solver : solvers()) out.emplace_back(solver.name, solver.summary);
        return out;
      },
      "(name, summary) of all methods");
}

}  // namespace uzawa::python
