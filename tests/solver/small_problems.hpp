#pragma once

#include <string_view>
#include <vector>

#include "uzawa/solver/solver.hpp"

/// Problems that can be solved by hand, and who should solve them.
namespace uzawa::test {

/// A point mass (three dofs, A = m 1) with impulse b.
inline int add_particle(Problem& problem, double mass, const Vec3& b) {
  SparseBlock block;
  block.lower.columns = 3;
  for (int i = 0; i < 3; ++i) {
    block.lower.column.push_back(i);
    block.lower.value.push_back(mass);
    block.lower.start.push_back(i + 1);
  }
  return problem.add_sparse(block, {b.x(), b.y(), b.z()});
}
inline Problem particle(double mass, const Vec3& b) {
  Problem problem;
  add_particle(problem, mass, b);
  return problem;
}

/// Explicit rows: `count` unit vectors starting at `axis`.
inline Attachment axes(Problem& problem, int axis, int count, int block = 0) {
  SparseRows rows;
  rows.columns = 3;
  for (int i = 0; i < count; ++i) {
    rows.column.push_back(axis + i);
    rows.value.push_back(1);
    rows.start.push_back(i + 1);
  }
  return problem.explicit_rows(block, rows);
}

inline Problem contact_particle(double mass, const Vec3& b, double mu, const Vec3& e = {}) {
  Problem problem = particle(mass, b);
  problem.add_contact({mu, mu}, e, {axes(problem, 0, 3)});
  return problem;
}

/// All methods that solve the problem itself, not a relaxation of it.
inline std::vector<const char*> exact_methods() {
  std::vector<const char*> names;
  for (const Solver& solver : solvers()) {
    const std::string_view name = solver.name;
    if (name != "soft-convex" && name != "penalty") names.push_back(solver.name);
  }
  return names;
}

/// First-order methods need thousands of iterations where Newton's need a few.
inline int enough_iterations(std::string_view method) {
  return method == "auto" || method == "canal" || method.starts_with("al-") ? 100 : 20000;
}

}  // namespace uzawa::test
