#include "uzawa/papers/published_loop.hpp"

#include <algorithm>
#include <cmath>

#include "uzawa/math/friction_cone.hpp"
#include "uzawa/solver/effective_mass.hpp"
#include "uzawa/solver/penalty_rule.hpp"
#include "uzawa/solver/surrogate.hpp"

namespace uzawa::papers {

namespace {

class Loop {
 public:
  Loop(const Problem& problem, const CanalSettings& settings)
      : problem_(problem),
        settings_(settings),
        lambda_(static_cast<std::size_t>(problem.rows), 0.0),
        shift_(static_cast<std::size_t>(problem.contacts.size()), 0.0),
        penalty_(settings, first_penalty()) {
    judge_.evaluate(problem, lambda_);
    v_.assign(judge_.velocity().begin(), judge_.velocity().end());
  }

  void run(PublishedLoops& out) {
    const LawParameters law{penalty_.beta(), lambda_, shift_};
    out.steps +=
        surrogate_.solve_convex(problem_, law, settings_.newton_tolerance, settings_.max_newton_steps, v_).steps;
    // At v, before anybody looks elsewhere.
    impulse_.assign(surrogate_.impulse().begin(), surrogate_.impulse().end());
    z_.assign(surrogate_.constraint_velocity().begin(), surrogate_.constraint_velocity().end());
    if (!is_within(law, settings_.newton_tolerance)) ++out.short_of;
    out.worst = std::max(out.worst, settings_.newton_tolerance);
    while (out.worst < 1 && !is_within(law, out.worst)) out.worst *= 10;
    update(law.beta);
  }

 private:
  double first_penalty() {
    judge_.prepare(problem_);
    surrogate_.prepare(problem_, judge_.rows());
    return settings_.penalty * effective_mass(problem_, judge_, surrogate_.rows());
  }

  /// Whether the inner residual at v is at most this times its scale: then no step is taken.
  bool is_within(const LawParameters& law, double tolerance) {
    trial_v_ = v_;
    const Surrogate::Outcome outcome = surrogate_.solve_convex(problem_, law, tolerance, 1, trial_v_);
    return outcome.solved && outcome.steps == 0;
  }

  /// z = J v + (lambda+ - lambda)/beta, lambda, penalty and shift: the rest of a loop.
  void update(double beta) {
    double square = 0;
    for (std::size_t k = 0; k < lambda_.size(); ++k) {
      const double change = (impulse_[k] - lambda_[k]) / beta;
      z_[k] += change;
      square += change * change;
    }
    lambda_ = impulse_;
    penalty_.end_of_loop(std::sqrt(square));
    for (std::size_t i = 0; i < shift_.size(); ++i) {
      const Vec3 slip = Vec3::from(&z_[static_cast<std::size_t>(problem_.contacts.row[i])]) + problem_.contacts.e[i];
      shift_[i] = sliding_power(problem_.contacts.cone[i], slip);
    }
  }

  const Problem& problem_;
  const CanalSettings& settings_;
  Judge judge_;
  Surrogate surrogate_;
  std::vector<double> lambda_, impulse_, z_, shift_, v_, trial_v_;
  PenaltyRule penalty_;
};

}  // namespace

PublishedLoops published_loops(const Problem& problem, const CanalSettings& settings, int loops) {
  PublishedLoops out;
  Loop loop(problem, settings);
  for (int i = 0; i < loops; ++i) loop.run(out);
  return out;
}

}  // namespace uzawa::papers
