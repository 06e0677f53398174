#pragma once

#include <span>
#include <vector>

#include "uzawa/problem/problem.hpp"

namespace uzawa {

/// A direction of PrimalDualNewton: velocities, J times them, impulses.
struct NewtonDirection {
  std::span<double> v, u, lambda;
};

/// Takes out of a direction of Newton what the regularisation of equalities has left in them. With epsilon for 0,
/// epsilon dlambda is missing in kappa dlambda + rho J dv = -R. With T the map of a right side of these rows to what
/// the regularised direction makes of it, T x = -R is solved by generalised conjugate residuals (Eisenstat, Elman and
/// Schultz 1983) with the factors that are there: T is 1 but in the few directions in which rows almost follow from
/// each other, of mobility epsilon or less, each of which costs about an iteration. Most steps of a net need none of
/// it; where one that falls over a ball takes hundreds of Newton steps, it takes a seventh of the time.
class ExactEqualities {
 public:
  void prepare(const Problem& problem);
  bool needed() const { return !rows_.empty(); }

  struct Regularised {
    double epsilon = 0, kappa = 0;
    double goal = 0;  ///< share of the residual R at which iterations end
  };
  /// `follow`: the direction that answers to G R = its first argument; false: none was found.
  template <typename Follow>
  void correct(const Problem& problem, const Regularised& by, std::span<const double> rho,
               std::span<const double> residual, const NewtonDirection& direction, Follow&& follow) {
    start(by, rho, residual, direction);
    for (int i = 0; i < kMost && asks_for_more(); ++i) {
      if (!follow(next_right(by), memory(problem, i)) || !add(problem, by, rho, i, direction)) return;
    }
  }

 private:
  static constexpr int kMost = 8;  // directions; Newton's next step goes on

  void start(const Regularised& by, std::span<const double> rho, std::span<const double> residual,
             const NewtonDirection& direction);
  bool asks_for_more() const;
  std::span<const double> next_right(const Regularised& by);
  NewtonDirection memory(const Problem& problem, int i);
  [[nodiscard]] bool add(const Problem& problem, const Regularised& by, std::span<const double> rho, int i,
                         const NewtonDirection& direction);

  std::vector<int> rows_;                    ///< of equalities
  std::vector<double> scale_, left_, goes_;  ///< per such row: 1/rho; what is missing; T of each direction, one by one
  std::vector<double> square_;               ///< of the latter
  std::vector<double> right_, v_, u_, lambda_;
  double enough_ = 0;
};

}  // namespace uzawa
