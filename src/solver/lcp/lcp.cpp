/// The default of the family: Lemke's path on an updated inverse with Harris's ratio test, from the warm start, from
/// the frictionless solution ([LCP] section IV-C) and cold; then other covering vectors; then the search; then without
/// friction, with a status that says so.
#include "uzawa/solver/lcp/lcp_methods.hpp"

namespace uzawa {

void solve_lcp(PreparedProblem& prepared, const Settings& settings, Workspace& workspace, Result& result) {
  solve_polyhedral(prepared, settings, LcpMethod::Automatic, workspace, result);
}

}  // namespace uzawa
