#pragma once

#include "uzawa/problem/problem.hpp"

namespace uzawa::papers {

/// CPU time in s that [COND] section V-C spends on PGS and APGD before their first iteration: J A^-1 J^T by Eigen's
/// SimplicialLLT of all of A and a solve for each row. Our own way (Condensation, DelassusOperator) is another.
double published_delassus_seconds(const Problem& problem);

}  // namespace uzawa::papers
