#pragma once

#include <optional>
#include <string_view>

#include "uzawa/solver/lcp/lcp_solver.hpp"
#include "uzawa/solver/solver.hpp"

namespace uzawa {

/// Pivoting as the settings of a method say it.
LcpOptions lcp_options(const Settings& settings, LcpMethod method, const Deadline& deadline);
/// The method behind a name in solvers(); none where it is not of this family.
std::optional<LcpMethod> find_lcp_method(std::string_view solver);

/// What all methods of the family do around pivoting: the polyhedral form, its solution by `method`, impulses for the
/// judge; with settings.lcp.follow, again with turned polygons.
void solve_polyhedral(PreparedProblem& prepared, const Settings& settings, LcpMethod method, Workspace& workspace,
                      Result& result);

}  // namespace uzawa
