#pragma once

#include <span>
#include <vector>

#include "uzawa/assembly/constraint_writer.hpp"
#include "uzawa/problem/islands.hpp"

namespace uzawa {

/// Work of constraints where rates are held. A held row reflects its rate, J v_{k+1} = -J v_k (held_rate), and does no
/// work whatever its impulse is. What else the impulses of its island do is another matter: a foot that steps into a
/// net lands on nodes that are just being reflected, and is thrown back by more than it brings. Without held rates
/// constraints as a whole give no energy,
///
///     P = 1/2 lambda^T J (v_k + v_{k+1}) = -1/2 lambda^T J A^-1 J^T lambda      but for loads, whose work cancels,
///
/// since lambda^T J v_{k+1} <= 0 by all laws but those of held rows, where it is -lambda_i e_i. So in an island whose
/// constraints would give energy its held rates give way, by the share s with
///
///     P(s) ~ P + s/2 sum lambda_i e_i = 0,      e_i <- (1 - s) e_i,
///
/// and wholly where they would give energy even then: another set of contacts carries, and without rates to hold there
/// is nothing to gain.
class HeldWork {
 public:
  /// Rates hold whole again; for a new step.
  void reset() { share_.clear(); }
  /// Lessens the shares of islands that would gain by v and lambda; true where there are any. `start`: v_k.
  [[nodiscard]] bool look(const Problem& problem, std::span<const HeldRow> held, std::span<const DrivenRow> driven,
                          std::span<const double> start, std::span<const double> v, std::span<const double> lambda);
  /// Puts the shares into e of the held rows.
  void apply(std::span<const HeldRow> held, Problem& problem) const;

 private:
  /// Of an island.
  struct Sums {
    double work = 0;   ///< P, J
    double lever = 0;  ///< sum lambda_i e_i of its held rows, J
  };
  Sums sum_up(const Problem& problem, const Island& island, std::span<const double> lambda) const;

  IslandSplit split_;
  SparseRows rows_;
  std::vector<double> share_;   ///< per block; empty: 1
  std::vector<double> mean_v_;  ///< (v_k + v_{k+1})/2
  std::vector<double> mean_u_;  ///< J of it, per row, mocap bodies included
  std::vector<double> offset_;  ///< per equality: e of a held row, without what mocap bodies give; else 0
};

}  // namespace uzawa
