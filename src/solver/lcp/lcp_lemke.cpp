/// Lemke's algorithm on a tableau, as [LCP] section V-A compares with: least ratio, of equal ones the least index.
#include "uzawa/solver/lcp/lcp_methods.hpp"

namespace uzawa {

void solve_lcp_lemke(PreparedProblem& prepared, const Settings& settings, Workspace& workspace, Result& result) {
  solve_polyhedral(prepared, settings, LcpMethod::Lemke, workspace, result);
}

}  // namespace uzawa
