/// Contact constraint splitting, the ADMM that [COND] Table VII compares with (its reference [16], for thin nodal
/// objects: cloth and hair). The velocities that contacts act on are doubled, v = z; v has the dynamics, z the
/// contacts, and a weight Q, diagonal by nodes, holds them together:
///
///     1. (A + Q) v = b + J^T lambda + Q z              a linear solve of size n with one factorisation
///     2. Q z+ = Q v + J^T (lambda+ - lambda),  (J z+, lambda+) in S
///                                                      the contact law exactly, node by node: Q has no couplings
///
/// J^T lambda is the (unscaled) multiplier of v = z: step 2 is the update of both. At a fixed point v = z, and A v = b
/// + J^T lambda holds with the exact law of all constraints. z satisfies the contact conditions in every iteration.
///
/// [COND]'s text gives the idea, not the details; ours: Q is in proportion to the node's own diagonal block of A, at
/// the size that splitting.hpp explains; over-relaxation; step 2 by sweeps of Gauss-Seidel with the exact solution of
/// each contact, because nodes may have several constraints. Bodies and trees, which the reference has no form for, get
/// a multiple of their A as Q: step 2 then is their own contact problem.
#include <algorithm>

#include "uzawa/base/at.hpp"
#include "uzawa/base/error.hpp"
#include "uzawa/solver/first_order/splitting.hpp"
#include "uzawa/solver/gauss_seidel/gauss_seidel.hpp"
#include "uzawa/solver/progress.hpp"

namespace uzawa {

namespace {

constexpr int kDefaultIterations = 1000;

struct CcsMemory : Workspace::Base {
  Judge judge;
  ConstraintSplitting splitting;
  DelassusOperator contacts;                ///< J Q^-1 J^T
  DelassusOperator::Velocities velocities;  ///< v: z
  SweepOrder order;
  std::vector<double> lambda, v, z, best_lambda;  ///< z: of the last iteration
};

class Ccs {
 public:
  Ccs(PreparedProblem& prepared, const CcsSettings& settings, CcsMemory& memory)
      : prepared_(prepared), problem_(prepared.problem()), settings_(settings), m_(memory) {
    local_.local = PgsLocal::Exact;
    m_.order.reset(static_cast<int>(problem_.constraints.size()));
    m_.splitting.prepare(prepared);
    if (!m_.splitting.set_penalty(settings.penalty)) throw InputError(problem_.name, "A", "is not positive definite");
    m_.contacts.build_simple(problem_, prepared_.factor(), prepared_.compact_rows(), m_.splitting.weight());
  }

  /// From m_.lambda.
  void start() {
    m_.v.resize(at(problem_.n()));
    prepared_.velocity(m_.lambda, m_.v);
    m_.velocities.v = m_.v;
    m_.velocities.u.resize(at(problem_.rows));
    m_.z = m_.v;
  }

  void step() {
    const CompactRows& rows = prepared_.compact_rows();
    m_.z.swap(m_.velocities.v);
    std::copy(problem_.b.begin(), problem_.b.end(), m_.v.begin());
    rows.add_transposed(m_.lambda.data(), m_.v.data());
    m_.splitting.solve(m_.z, m_.v);
    m_.velocities.v.resize(m_.v.size());
    for (std::size_t i = 0; i < m_.v.size(); ++i) {
      m_.velocities.v[i] = m_.z[i] + settings_.relaxation * (m_.v[i] - m_.z[i]);
    }
    const int sweeps = m_.splitting.couples_constraints() ? settings_.sweeps : 1;
    for (int sweep = 0; sweep < sweeps; ++sweep) {
      m_.order.shuffle();
      gauss_seidel_sweep(problem_, local_, m_.order.order(), rows, m_.contacts, m_.velocities, m_.lambda);
    }
  }

 private:
  PreparedProblem& prepared_;
  const Problem& problem_;
  const CcsSettings& settings_;
  CcsMemory& m_;
  PgsSettings local_;
};

}  // namespace

void solve_ccs(PreparedProblem& prepared, const Settings& settings, Workspace& workspace, Result& result) {
  auto& m = workspace.get<CcsMemory>();
  Progress progress(prepared, settings, m.judge, m.best_lambda, result);
  Ccs method(prepared, settings.ccs, m);
  result.stats.factorizations = 1;
  progress.start_from(workspace.start, m.lambda);
  method.start();
  const SolveStatus status = progress.iterate(
      settings.max_iterations > 0 ? settings.max_iterations : kDefaultIterations, [&] { method.step(); },
      [&] {
        if (result.stats.iterations > 0) progress.look_at(m.lambda);
        progress.record(0);
      });
  progress.finish(status);
}

}  // namespace uzawa
