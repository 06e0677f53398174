/// The paper's method: a search over sequences of pivots ([LCP] section III), depth first, or as written.
#include "uzawa/solver/lcp/lcp_methods.hpp"

namespace uzawa {

void solve_lcp_search(PreparedProblem& prepared, const Settings& settings, Workspace& workspace, Result& result) {
  solve_polyhedral(prepared, settings, LcpMethod::Search, workspace, result);
}

}  // namespace uzawa
