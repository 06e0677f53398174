/// Lemke's algorithm on a tableau with lexicographic ordering, as [LCP] section V-A compares with: ties within Delta.
#include "uzawa/solver/lcp/lcp_methods.hpp"

namespace uzawa {

void solve_lcp_lexicographic(PreparedProblem& prepared, const Settings& settings, Workspace& workspace,
                             Result& result) {
  solve_polyhedral(prepared, settings, LcpMethod::Lexicographic, workspace, result);
}

}  // namespace uzawa
