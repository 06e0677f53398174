#pragma once

#include <span>
#include <vector>

#include "uzawa/math/nodal/nodal_krylov.hpp"
#include "uzawa/problem/compact_rows.hpp"
#include "uzawa/solver/laws/law_response.hpp"

namespace uzawa {

/// Whether all nodes that one constraint holds are coupled by A, so that A + J^T D J has the pattern of A: a constraint
/// holds a node, the corners of a face, or the two nodes of a link.
bool keeps_pattern(const NodalPattern& pattern, const CompactRows& rows);

/// H = A + beta J^T D J of a problem of one soft body, in the pattern of A, solved by iterations. Nothing is
/// factorised: contacts change the 3x3 blocks of the nodes that they hold, and a stiff block is as good a pivot as a
/// soft one.
class NodalNewton {
 public:
  /// Both must stay; `rows` of a problem with this one block. `iterations`: those of a system with A, about.
  void prepare(const NodalMatrix& a, const CompactRows& rows, int iterations);
  /// `general`: D is not symmetric. False where the block of a node is singular.
  [[nodiscard]] bool assemble(const Problem& problem, double beta, const LawDerivatives& d, bool general);
  /// x := H^-1 x, to |x - H y| <= goal; 0: to ten digits. The best there is where iterations get no further.
  void solve(std::span<double> x, double goal);
  void set_deadline(const Deadline& deadline) { krylov_.set_deadline(deadline); }
  /// Multiply-adds of a Newton step, about.
  double work() const;

 private:
  /// A constraint's share of J on a node: dims x 3.
  struct Share {
    int node;
    double j[3][3];
  };
  void find_shares(int constraint);
  void add_constraint(const Mat3& weight, bool general);

  const NodalMatrix* a_ = nullptr;
  const CompactRows* rows_ = nullptr;
  int iterations_ = 0;
  bool several_ = false;  ///< some constraint holds several nodes, so that off-diagonal blocks are not A's
  bool general_ = false;
  std::vector<double> lower_, upper_;  ///< blocks of H, where they are not A's
  std::vector<Share> shares_;          ///< of a constraint
  std::vector<double> right_;
  NodalSweeps sweeps_;
  NodalKrylov krylov_;
};

}  // namespace uzawa
