/// Energy and momentum along motions, and the order at which the integrators keep them.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "support/random_model.hpp"
#include "support/simple_models.hpp"
#include "uzawa/dynamics/integrators.hpp"
#include "uzawa/dynamics/kinematics.hpp"
#include "uzawa/dynamics/newton_euler.hpp"

namespace uzawa {
namespace {

/// Runs a model and evaluates its invariants.
class Runner {
 public:
  explicit Runner(ModelSpec spec) : model_(std::move(spec)), data_(model_), workspace_(model_) {}

  const Model& model() const { return model_; }
  State start() const { return model_.reference_state(); }

  /// theta < 0: RK4.
  State run(State state, double time, int steps, double theta) {
    const double h = time / steps;
    const std::vector<double> control(static_cast<std::size_t>(model_.nu()));
    for (int i = 0; i < steps; ++i) {
      const bool ok = theta < 0 ? rk4_step(model_, control, {}, h, data_, workspace_, state)
                                : theta_step(model_, control, {}, {h, theta}, data_, workspace_, state);
      EXPECT_TRUE(ok);
    }
    return state;
  }
  void place(const State& state) {
    forward_kinematics(model_, state.q, data_);
    link_velocities(model_, state.v, data_);
  }
  double energy(const State& state) {
    place(state);
    return kinetic_energy(model_, state.v, data_) + potential_energy(model_, data_);
  }
  Momentum total_momentum(const State& state) {
    place(state);
    return momentum(model_, data_);
  }

 private:
  Model model_;
  DynamicsData data_;
  IntegratorWorkspace workspace_;
};

/// Exponent p of error ~ h^p, from the errors at `steps` and twice the steps.
double observed_order(const std::function<double(int)>& error, int steps) {
  return std::log2(error(steps) / error(2 * steps));
}

constexpr double kRk4 = -1, kEuler = 0, kMidpoint = 0.5;

/// Fourth order for RK4, first for the theta rule (whose velocity-dependent forces are explicit), less what a finite
/// step blurs. Some invariants do better by an order.
double least_order(double theta) { return theta < 0 ? 3.7 : 0.7; }

class OrderTest : public testing::TestWithParam<double> {};
INSTANTIATE_TEST_SUITE_P(Integrators, OrderTest, testing::Values(kRk4, kEuler, kMidpoint));

TEST_P(OrderTest, FreeFlightKeepsMomentumAndEnergyToItsOrder) {
  // A tumbling asymmetric body without gravity: the intermediate axis makes it flip.
  ModelSpec spec = test::free_body();
  spec.options.gravity = {};
  Runner runner(std::move(spec));
  State state = runner.start();
  state.v = {0.3, -0.2, 0.5, 0.1, 3, 0.2};
  const Momentum before = runner.total_momentum(state);
  const double energy = runner.energy(state);
  const auto angular_error = [&](int steps) {
    return norm(runner.total_momentum(runner.run(state, 2, steps, GetParam())).angular - before.angular);
  };
  const auto energy_error = [&](int steps) {
    return std::abs(runner.energy(runner.run(state, 2, steps, GetParam())) - energy);
  };
  EXPECT_GE(observed_order(angular_error, 400), least_order(GetParam()));
  if (GetParam() == kRk4) {
    EXPECT_GE(observed_order(energy_error, 400), least_order(GetParam()));
  } else {
    EXPECT_LE(energy_error(20), 1e-13 * energy);  // exact by the implicit gyroscopic impulse, at any step
  }
  const Momentum after = runner.total_momentum(runner.run(state, 2, 200, GetParam()));
  EXPECT_LE(norm(after.linear - before.linear), 1e-13);  // no force: exact
}

TEST_P(OrderTest, PendulumComesBackAfterItsPeriod) {
  Runner runner(test::pendulum());
  State state = runner.start();
  const double amplitude = 1.0;
  state.q[0] = amplitude;
  // Period of the finite pendulum by the arithmetic-geometric mean: 2 pi sqrt(l/g) / agm(1, cos(a/2)).
  double a = 1, b = std::cos(amplitude / 2);
  for (int i = 0; i < 20; ++i) {
    const double mean = (a + b) / 2;
    b = std::sqrt(a * b);
    a = mean;
  }
  const double period = 2 * M_PI * std::sqrt(1 / 9.81) / a;
  const auto velocity_error = [&](int steps) {
    return std::abs(runner.run(state, period, steps, GetParam()).v[0]);  // zero again at the turning point
  };
  const auto energy_error = [&](int steps) {
    return std::abs(runner.energy(runner.run(state, 0.3 * period, steps, GetParam())) - runner.energy(state));
  };
  EXPECT_GE(observed_order(velocity_error, 200), least_order(GetParam()));
  // Few steps: at 200 the energy error of RK4 is rounding.
  EXPECT_GE(observed_order(energy_error, 20), least_order(GetParam()));
  EXPECT_LE(velocity_error(2000), GetParam() == kRk4 ? 1e-10 : 0.05);
}

TEST(ThetaRuleEnergyTest, SwingsKeepTheirEnergyAtEveryTheta) {
  // With forces at the start of the step, theta = 1/2 would add (h w)^2/2 = 2e-5 of the energy a step: 0.4 in all here.
  for (const double theta : {0.0, 0.25, 0.5, 0.75}) {
    Runner runner(test::pendulum());
    State state = runner.start();
    state.q[0] = 1;
    const double depth = 9.81 * (1 - std::cos(1.0)), energy = runner.energy(state), h = 0.002;
    double worst = 0;
    for (int i = 0; i < 200; ++i) {
      state = runner.run(state, 100 * h, 100, theta);
      worst = std::max(worst, std::abs(runner.energy(state) - energy) / depth);
    }
    // Shifted by (1/2 - theta) h along the orbit, which is an oscillation, and no growth.
    EXPECT_LE(worst, 2 * h * std::sqrt(9.81) * std::abs(0.5 - theta) + 1e-5) << "theta " << theta;
  }
}

TEST_P(OrderTest, SpinningTopKeepsItsThreeInvariants) {
  Runner runner(test::top());
  State state = runner.start();
  exp_rotation({0.4, 0, 0}).store(state.q.data());  // tilted
  state.v = {0, 1.5, 150};                          // fast spin about its axis
  const auto invariants = [&](const State& s) {
    const double spin = 6e-4 * s.v[2];
    const double vertical = runner.total_momentum(s).angular.z();
    return std::array<double, 3>{spin, vertical, runner.energy(s)};
  };
  const std::array<double, 3> before = invariants(state);
  const auto error = [&](int steps) {
    const std::array<double, 3> after = invariants(runner.run(state, 0.2, steps, GetParam()));
    double worst = 0;
    for (std::size_t k = 0; k < 3; ++k) worst = std::max(worst, std::abs(after[k] / before[k] - 1));
    return worst;
  };
  EXPECT_GE(observed_order(error, 1000), least_order(GetParam()));
  EXPECT_LE(error(4000), GetParam() == kRk4 ? 1e-9 : 0.05);
}

TEST(ConservationTest, FastTopPrecessesAtTheGyroscopicRate) {
  // Steady precession with tilt: (I1 W^2 cos t) - I3 w3 W + m g l = 0, slow root.
  Runner runner(test::top());
  const double tilt = 0.4, spin = 400, weight = 0.5 * 9.81 * 0.1;
  const double i1 = 4e-4 + 0.5 * 0.1 * 0.1, i3 = 6e-4;
  const double a = i1 * std::cos(tilt), b = -i3 * spin, c = weight;
  const double rate = (-b - std::sqrt(b * b - 4 * a * c)) / (2 * a);
  State state = runner.start();
  exp_rotation({tilt, 0, 0}).store(state.q.data());
  // Body rates: precession about the vertical seen in the body, plus what is left of w3 = spin.
  state.v = {0, rate * std::sin(tilt), spin};
  const double quarter = M_PI / 2 / rate;
  const State after = runner.run(state, quarter, 20000, kRk4);
  const Vec3 axis = rotate(Quat::from(after.q.data()), {0, 0, 1});
  // It started in the plane x = 0, leaning to -y; a quarter turn later it leans to +x.
  EXPECT_NEAR(axis.x(), std::sin(tilt), 1e-6);
  EXPECT_NEAR(axis.y(), 0, 1e-6);
  EXPECT_NEAR(axis.z(), std::cos(tilt), 1e-6);
}

TEST(ConservationTest, FloatingRobotsKeepMomentumAndEnergy) {
  // Random trees on one free joint each, no gravity, no damping: RK4 keeps everything to its truncation error.
  for (unsigned seed = 1; seed <= 5; ++seed) {
    std::mt19937_64 random(seed);
    ModelSpec spec = test::random_spec(random, {.bodies = 6, .free_roots = false, .gravity = false});
    spec.bodies.insert(spec.bodies.begin() + 1, spec.bodies[1]);  // a floating base below all the rest
    for (std::size_t b = 2; b < spec.bodies.size(); ++b) spec.bodies[b].parent += 1;
    spec.bodies[1].parent = 0;
    for (JointSpec& joint : spec.joints) {
      joint.body += 1;
      joint.damping = 0;
      joint.armature = 0;  // rotor inertia is fixed to the joint and carries no momentum of its own in the count
    }
    JointSpec base;
    base.type = JointType::Free;
    base.body = 1;
    spec.joints.insert(spec.joints.begin(), base);
    Runner runner(std::move(spec));
    const State state = test::random_state_of(runner.model(), random);
    const Momentum before = runner.total_momentum(state);
    const double energy = runner.energy(state);
    const State later = runner.run(state, 0.25, 2000, kRk4);
    const Momentum after = runner.total_momentum(later);
    EXPECT_LE(norm(after.linear - before.linear), 1e-7 * (1 + norm(before.linear))) << "seed " << seed;
    EXPECT_LE(norm(after.angular - before.angular), 1e-7 * (1 + norm(before.angular))) << "seed " << seed;
    EXPECT_NEAR(runner.energy(later), energy, 1e-7 * (1 + energy)) << "seed " << seed;
  }
}

TEST(ConservationTest, FreeFallIsExactAtEveryTheta) {
  for (const double theta : {0.0, 0.25, 0.5, 0.9}) {
    Runner runner(test::free_body());
    const int steps = 100;
    const double h = 0.01;
    const State after = runner.run(runner.start(), steps * h, steps, theta);
    EXPECT_NEAR(after.v[2], -9.81 * steps * h, 1e-12);
    // Sum of vhat = theta v_k + (1 - theta) v_{k+1} over the steps.
    const double expected = -9.81 * h * h * (steps * (steps - 1) / 2.0 + (1 - theta) * steps);
    EXPECT_NEAR(after.q[2], expected, 1e-12);
  }
}

}  // namespace
}  // namespace uzawa
