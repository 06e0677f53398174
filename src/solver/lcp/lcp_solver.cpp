#include "uzawa/solver/lcp/lcp_solver.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "uzawa/base/at.hpp"
#include "uzawa/solver/lcp/lemke_path.hpp"

namespace uzawa {

namespace {

constexpr int kCovers = 8;  // covering vectors that are tried before the search

/// Numbers in [0, 1) from a seed, the same everywhere.
double random_share(std::uint64_t seed) {
  std::uint64_t x = (seed + 1) * 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
  return static_cast<double>((x ^ (x >> 31U)) >> 11U) * 0x1p-53;
}

}  // namespace

double LcpSolver::error_of(const ScaledLcp& lcp, std::span<const LcpRole> roles, std::span<const double> z) {
  w_.assign(lcp.q.begin(), lcp.q.end());
  columns_.resize(z.size());
  std::iota(columns_.begin(), columns_.end(), 0);
  lcp.matrix->add_product(columns_, z, w_);
  double worst = 0;
  for (std::size_t i = 0; i < z.size(); ++i) {
    if (roles[i] == LcpRole::Locked) continue;
    const double error = std::abs(roles[i] == LcpRole::Free ? w_[i] : std::min(z[i], w_[i]));
    worst = error <= worst ? worst : error;  // NaN counts
  }
  return worst;
}

/// Keeps the basis' solution where it is the best so far; true where it is good enough.
bool LcpSolver::take(const ScaledLcp& lcp, const LcpOptions& options, LcpEnd end, LcpAnswer& answer) {
  ++answer.attempts;
  answer.counts.inversions += basis_.inversions();
  if (end == LcpEnd::Solved) {
    (void)basis_.refresh();  // where the last basis is singular, its values from the path are all there is
    z_.resize(lcp.q.size());
    basis_.solution(z_);
    const double error = error_of(lcp, lcp.roles, z_);
    if (answer.attempts == 1 || answer.z.empty() || !(error >= answer.error)) {
      answer.z = z_;
      answer.error = error;
    }
    if (!(error <= options.tolerance)) end = LcpEnd::Error;
  }
  answer.end = end;
  return end == LcpEnd::Solved;
}

void LcpSolver::set_spread(int size, int attempt) {
  spread_.resize(at(size));
  for (int i = 0; i < size; ++i) {
    spread_[at(i)] = 1 + random_share(static_cast<std::uint64_t>(attempt) * 1000003U + static_cast<std::uint64_t>(i));
  }
}

/// From the z that were positive in the last solution of a problem like it.
bool LcpSolver::from_guess(const ScaledLcp& lcp, const LcpOptions& options, LcpAnswer& answer) {
  basis_.attach(*lcp.matrix, lcp.q, lcp.roles);
  if (!basis_.clear()) return false;
  // What depends on others at first may not once these are there.
  for (int pass = 0; pass < 2; ++pass) {
    for (const int i : lcp.guess) basis_.try_add(i);
  }
  if (!basis_.refresh()) return false;
  return take(lcp, options, follow_lemke_path(basis_, spread_, options.limits, visited_, answer.counts), answer);
}

/// Leaves the solution without friction in basis_.
bool LcpSolver::solve_frictionless(const ScaledLcp& lcp, const LcpOptions& options, LcpAnswer& answer) {
  normal_roles_.assign(lcp.roles.begin(), lcp.roles.end());
  for (std::size_t i = 0; i < normal_roles_.size(); ++i) {
    if (lcp.friction[i] != 0) normal_roles_[i] = LcpRole::Locked;
  }
  basis_.attach(*lcp.matrix, lcp.q, normal_roles_);
  if (!basis_.clear() || !basis_.refresh()) return false;
  const LcpEnd end = follow_lemke_path(basis_, spread_, options.limits, visited_, answer.counts);
  return end == LcpEnd::Solved;
}

/// [LCP] section IV-C, the two-step solution: from the basis of the contacts that carry without friction.
bool LcpSolver::from_frictionless(const ScaledLcp& lcp, const LcpOptions& options, LcpAnswer& answer) {
  if (!solve_frictionless(lcp, options, answer)) return false;
  start_.assign(basis_.basic().begin(), basis_.basic().end());
  basis_.attach(*lcp.matrix, lcp.q, lcp.roles);
  if (!basis_.load(start_)) return false;
  return take(lcp, options, follow_lemke_path(basis_, spread_, options.limits, visited_, answer.counts), answer);
}

bool LcpSolver::cold(const ScaledLcp& lcp, const LcpOptions& options, int attempt, LcpAnswer& answer) {
  set_spread(lcp.matrix->size(), attempt);
  basis_.attach(*lcp.matrix, lcp.q, lcp.roles);
  if (!basis_.clear() || !basis_.refresh()) {
    answer.end = LcpEnd::Error;
    return false;
  }
  return take(lcp, options, follow_lemke_path(basis_, spread_, options.limits, visited_, answer.counts), answer);
}

void LcpSolver::run_search(const ScaledLcp& lcp, const LcpOptions& options, LcpAnswer& answer) {
  set_spread(lcp.matrix->size(), 0);
  basis_.attach(*lcp.matrix, lcp.q, lcp.roles);
  const std::span<const double> ones;
  const bool as_written = options.search.best_first;
  LcpEnd end = LcpEnd::Error;
  if (basis_.clear() && basis_.refresh()) {
    end = search_.run(basis_, as_written ? ones : spread_, options.search, options.limits, answer.counts);
  }
  take(lcp, options, end, answer);
}

void LcpSolver::run_tableau(const ScaledLcp& lcp, const LcpOptions& options, LcpAnswer& answer) {
  answer.end = tableau_.run(*lcp.matrix, lcp.q, lcp.roles, options.tableau, options.limits, answer.counts);
  answer.attempts = 1;
  if (answer.end != LcpEnd::Solved) return;
  answer.z.resize(lcp.q.size());
  tableau_.solution(answer.z);
  answer.error = error_of(lcp, lcp.roles, answer.z);
  if (!(answer.error <= options.tolerance)) answer.end = LcpEnd::Error;
}

/// A covering vector in general position keeps the path from ties while z0 > 0; attempts differ in theirs.
void LcpSolver::run_automatic(const ScaledLcp& lcp, const LcpOptions& options, LcpAnswer& answer) {
  set_spread(lcp.matrix->size(), 0);
  if (!lcp.guess.empty() && from_guess(lcp, options, answer)) return;
  const bool has_friction = std::any_of(lcp.friction.begin(), lcp.friction.end(), [](char x) { return x != 0; });
  if (options.two_step && has_friction && from_frictionless(lcp, options, answer)) return;
  for (int attempt = 0; attempt < kCovers; ++attempt) {
    if (cold(lcp, options, attempt, answer) || options.limits.deadline.has_passed()) return;
  }
  run_search(lcp, options, answer);
}

/// The solution without friction prevents penetration ([LCP] section V-A).
void LcpSolver::last_resort(const ScaledLcp& lcp, const LcpOptions& options, LcpAnswer& answer) {
  set_spread(lcp.matrix->size(), 0);
  if (!solve_frictionless(lcp, options, answer)) return;
  (void)basis_.refresh();
  z_.resize(lcp.q.size());
  basis_.solution(z_);
  if (!(error_of(lcp, normal_roles_, z_) <= options.tolerance)) return;
  answer.z = z_;
  answer.frictionless = true;
}

void LcpSolver::solve(const ScaledLcp& lcp, const LcpOptions& options, LcpAnswer& answer) {
  std::vector<double> memory = std::move(answer.z);
  memory.clear();
  answer = LcpAnswer{};
  answer.z = std::move(memory);
  switch (options.method) {
    case LcpMethod::Automatic: run_automatic(lcp, options, answer); break;
    case LcpMethod::Search: run_search(lcp, options, answer); break;
    case LcpMethod::Lemke:
    case LcpMethod::Lexicographic: run_tableau(lcp, options, answer); break;
  }
  const bool has_friction = std::any_of(lcp.friction.begin(), lcp.friction.end(), [](char x) { return x != 0; });
  if (answer.end != LcpEnd::Solved && has_friction) last_resort(lcp, options, answer);
  if (answer.z.empty()) answer.z.assign(lcp.q.size(), 0.0);
}

LcpAnswer solve_dense_lcp(std::span<const double> m, std::span<const double> q, const LcpOptions& options) {
  LcpAnswer answer;
  const auto finite = [](std::span<const double> x) {
    return std::all_of(x.begin(), x.end(), [](double y) { return std::isfinite(y); });
  };
  const std::size_t n = q.size();
  if (m.size() != n * n || !finite(m) || !finite(q)) {
    answer.end = LcpEnd::BadInput;
    return answer;
  }
  // z = d z', w = w' / d, so that M' = d M d has entries of about 1; q is scaled by one number.
  std::vector<double> d(n, 1.0), scaled(m.begin(), m.end()), right(q.begin(), q.end());
  for (std::size_t i = 0; i < n; ++i) {
    double most = 0;
    for (std::size_t j = 0; j < n; ++j) most = std::max({most, std::abs(m[i * n + j]), std::abs(m[j * n + i])});
    if (most > 0) d[i] = 1 / std::sqrt(most);
  }
  double unit = 0;
  for (std::size_t i = 0; i < n; ++i) unit = std::max(unit, std::abs(q[i] * d[i]));
  if (unit == 0) unit = 1;
  for (std::size_t i = 0; i < n; ++i) {
    right[i] = q[i] * d[i] / unit;
    for (std::size_t j = 0; j < n; ++j) scaled[i * n + j] *= d[i] * d[j];
  }
  DenseLcpMatrix matrix;
  matrix.assign(scaled, static_cast<int>(n));
  const std::vector<LcpRole> roles(n, LcpRole::Complementary);
  LcpSolver solver;
  solver.solve({&matrix, right, roles, {}, {}}, options, answer);
  for (std::size_t i = 0; i < n; ++i) answer.z[i] *= d[i] * unit;
  return answer;
}

}  // namespace uzawa
