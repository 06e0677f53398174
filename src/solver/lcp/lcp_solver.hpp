#pragma once

#include <span>
#include <vector>

#include "uzawa/solver/lcp/lcp_basis.hpp"
#include "uzawa/solver/lcp/lcp_matrix.hpp"
#include "uzawa/solver/lcp/lcp_outcome.hpp"
#include "uzawa/solver/lcp/lemke_tableau.hpp"
#include "uzawa/solver/lcp/pivot_search.hpp"

/// Pivoting methods on a linear complementarity problem, contact or not.
namespace uzawa {

enum class LcpMethod {
  Automatic,     ///< Lemke's path from the warm start, from the frictionless solution, cold; other covers; search
  Search,        ///< PivotSearch alone
  Lemke,         ///< textbook tableau
  Lexicographic  ///< the same, ties broken by the lexicographic rule
};

/// A problem, scaled so that entries of M and q are about 1: all tolerances are absolute.
struct ScaledLcp {
  const LcpMatrix* matrix = nullptr;
  std::span<const double> q;
  std::span<const LcpRole> roles;
  std::span<const char> friction;  ///< by variable: left out of the frictionless problem; may be empty
  std::span<const int> guess;      ///< z that may be basic, in the order in which they are tried; may be empty
};

struct LcpOptions {
  LcpMethod method = LcpMethod::Automatic;
  bool two_step = true;
  double tolerance = 1e-9;  ///< on the error of an answer
  SearchRule search;
  TableauRule tableau;
  LcpLimits limits;
};

struct LcpAnswer {
  LcpEnd end = LcpEnd::Error;
  bool frictionless = false;  ///< z solves the problem without friction, because that with friction was not solved
  double error = 0;           ///< largest |min(z, w)|, w = M z + q; of a free z: |w|
  LcpCounts counts;
  int attempts = 0;
  std::vector<double> z;
};

/// Memory of solves; solving again for a problem of the same size allocates nothing.
class LcpSolver {
 public:
  void solve(const ScaledLcp& lcp, const LcpOptions& options, LcpAnswer& answer);

 private:
  bool take(const ScaledLcp& lcp, const LcpOptions& options, LcpEnd end, LcpAnswer& answer);
  void run_tableau(const ScaledLcp& lcp, const LcpOptions& options, LcpAnswer& answer);
  void run_search(const ScaledLcp& lcp, const LcpOptions& options, LcpAnswer& answer);
  void run_automatic(const ScaledLcp& lcp, const LcpOptions& options, LcpAnswer& answer);
  bool from_guess(const ScaledLcp& lcp, const LcpOptions& options, LcpAnswer& answer);
  bool from_frictionless(const ScaledLcp& lcp, const LcpOptions& options, LcpAnswer& answer);
  bool cold(const ScaledLcp& lcp, const LcpOptions& options, int attempt, LcpAnswer& answer);
  bool solve_frictionless(const ScaledLcp& lcp, const LcpOptions& options, LcpAnswer& answer);
  void last_resort(const ScaledLcp& lcp, const LcpOptions& options, LcpAnswer& answer);
  void set_spread(int size, int attempt);
  double error_of(const ScaledLcp& lcp, std::span<const LcpRole> roles, std::span<const double> z);

  LcpBasis basis_;
  PivotSearch search_;
  LemkeTableau tableau_;
  HashSet visited_;
  std::vector<LcpRole> normal_roles_;
  std::vector<char> start_;
  std::vector<double> spread_, z_, w_;
  std::vector<int> columns_;
};

/// w = M z + q with a dense M (row-major) in any units, by itself: scaled here, and back. BadInput where M is not
/// square or a number is not finite.
LcpAnswer solve_dense_lcp(std::span<const double> m, std::span<const double> q, const LcpOptions& options);

}  // namespace uzawa
