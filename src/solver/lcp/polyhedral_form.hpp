#pragma once

#include <span>
#include <vector>

#include "uzawa/problem/prepared_problem.hpp"
#include "uzawa/solver/lcp/lcp_solver.hpp"
#include "uzawa/solver/settings/lcp_settings.hpp"

namespace uzawa {

/// A Problem as a linear complementarity problem ([LCP] eq. 25): friction discs become polygons, and all other rows go
/// with them.
///
///     contact     a (normal), one slip variable, one b a side; without friction a alone
///     hard        z = lambda
///     limit       one z a bound that is finite
///     equality    a free z, or two opposite ones; redundant free rows are left out
///     soft        a free z with compliance 1/b; for b = 0 a given impulse
///     friction    z = lambda + bound and a slip variable with w = 2 bound - z
///
/// Scaled by the effective mass of each constraint, so that the Delassus matrix has about 1 on its diagonal, and by the
/// largest entry of q.
class PolyhedralForm {
 public:
  /// False where the Delassus matrix needs more than settings.memory. `sliding`: sliding velocity of each contact
  /// (rows of the problem), for polygons turned accordingly; empty: a corner (or, outside, a side) towards t1.
  [[nodiscard]] bool build(PreparedProblem& prepared, const LcpSettings& settings, std::span<const double> sliding);

  ScaledLcp lcp() const { return {&matrix_, q_, roles_, friction_, guess_}; }
  const ContactLcpMatrix& matrix() const { return matrix_; }
  /// Impulses of a solution.
  void impulses(std::span<const double> z, std::span<double> lambda) const;
  /// Variables that impulses like these make basic, for the start.
  void set_guess(const Problem& problem, std::span<const double> lambda);

 private:
  void fill_delassus(PreparedProblem& prepared);
  void scale(const Problem& problem);
  void add_contact(const Problem& problem, int index, const LcpSettings& settings, std::span<const double> sliding);
  void add_scalar(const Problem& problem, const ConstraintRef& ref, const LcpSettings& settings);
  int add(int row, double sign, double q, LcpRole role, double compliance = 0);
  void finish_q();
  void leave_out_redundant();
  int sides_of(int slip) const;
  struct SidePair {
    int first = -1, second = -1;  ///< variables; -1: there are no sides
    double x = 0, y = 0;
  };
  SidePair sides_around(int slip, const double* impulse, double nothing) const;
  bool sticks(const Problem& problem, int index, std::span<const double> lambda) const;
  void guess_sliding(const Problem& problem, int index, std::span<const double> lambda);
  void guess_carrying(const Problem& problem, int index, std::span<const double> lambda);
  void guess_scalar(const Problem& problem, int constraint, double lambda);

  int rows_ = 0;
  double unit_ = 1;               ///< of q and z
  std::vector<double> delassus_;  ///< scaled, rows x rows
  std::vector<double> mass_;      ///< by row: velocities times it, impulses over it are scaled
  std::vector<double> free_;      ///< by row: scaled velocity without the variables
  std::vector<double> base_;      ///< by row: impulses, scaled, beside those of the variables
  ContactLcpMatrix matrix_;
  std::vector<double> q_;
  std::vector<LcpRole> roles_;
  std::vector<char> friction_;
  std::vector<int> first_variable_;  ///< by constraint
  std::vector<int> guess_, at_bound_;
  std::vector<double> column_, factor_;  ///< scratch
  DelassusOperator::Velocities velocities_;
};

}  // namespace uzawa
