#pragma once

#include "uzawa/problem/problem.hpp"
#include "uzawa/solver/settings/pgs_settings.hpp"

namespace uzawa {

/// The impulse that a constraint's law requires against its own block W_ii alone, by relaxation (one constraint of
/// projected Gauss-Seidel or Jacobi). `w`: dims x dims, row-major; u: J_i v at the present impulses; `lambda`: the
/// constraint's own, which are replaced.
void update_impulse(const Problem& problem, int constraint, PgsLocal local, const double* w, const double* u,
                    double relaxation, double* lambda);

}  // namespace uzawa
