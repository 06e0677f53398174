#include "uzawa/solver/baseline/soft_laws.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "uzawa/base/at.hpp"

namespace uzawa {

namespace {

constexpr double kDefaultStep = 1.0 / 240;  // s, where the problem does not say; [AL] section VII
constexpr double kLeastImpedance = 1e-4, kMostImpedance = 0.9999;  // as MuJoCo bounds it
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// What the settings make of one offset or bound.
class Softness {
 public:
  Softness(const Problem& problem, const SoftConvexSettings& settings, std::span<const double> rates)
      : settings_(settings), rates_(rates), h_(step_of(problem)) {
    // Springs faster than two steps are not stable (MuJoCo's refsafe).
    const double time = std::max(settings.timeconst, 2 * h_), bounded = time * settings.dampratio * settings.dmax;
    k_ = 1 / (bounded * bounded);
    kept_ = 1 - h_ * 2 / (settings.dmax * time);
  }
  /// Share of the velocity before the step that damping leaves.
  double kept(int row) const { return rates_.empty() ? 0 : kept_ * rates_[at(row)]; }
  /// A constraint with the offset e counts: in a simulation only where it is violated, e < 0.
  bool is_there(double e) const { return rates_.empty() || e < 0; }
  /// Velocity towards which a constraint with this offset is driven.
  double one_sided(double e, int row) const { return e > 0 ? -e : two_sided(e, row); }
  double from_above(double e, int row) const { return e > 0 ? e : 2 * kept(row) - two_sided(e, row); }
  double two_sided(double e, int row) const { return kept(row) - h_ * h_ * k_ * impedance(settings_, h_ * e) * e; }
  /// 1/R for the mean diagonal of J A^-1 J^T; 0 for a constraint that moves nothing.
  double stiffness(double e, double diagonal) const {
    const double d = impedance(settings_, h_ * e);
    return diagonal > 0 ? d / ((1 - d) * diagonal) : 0;
  }

 private:
  const SoftConvexSettings& settings_;
  std::span<const double> rates_;
  double h_, k_ = 0, kept_ = 0;
};

double estimated_diagonal(const Problem& problem, int constraint) {
  const std::vector<double>& estimate = problem.mobility_estimate;
  return at(constraint) < estimate.size() ? estimate[at(constraint)] : 0;
}

double mean_diagonal(const DelassusOperator& delassus, int constraint, int dims) {
  const double* w = delassus.diagonal(constraint);
  return dims == 1 ? w[0] : (w[0] + w[4] + w[8]) / 3;
}

}  // namespace

double step_of(const Problem& problem) { return problem.dt > 0 ? problem.dt : kDefaultStep; }

double impedance(const SoftConvexSettings& s, double r) {
  const double x = std::min(1.0, std::abs(r) / s.width);
  double y = x;
  if (s.power > 1 && x > 0 && x < 1) {
    y = x <= s.midpoint ? std::pow(x, s.power) / std::pow(s.midpoint, s.power - 1)
                        : 1 - std::pow(1 - x, s.power) / std::pow(1 - s.midpoint, s.power - 1);
  }
  return std::clamp(s.dmin + y * (s.dmax - s.dmin), kLeastImpedance, kMostImpedance);
}

void SoftLaws::prepare(const Problem& problem, const SoftConvexSettings& settings, const DelassusOperator& delassus,
                       std::span<const double> rates) {
  const Softness softness(problem, settings, rates);
  const double first_tangent = std::sqrt(1 / settings.impratio);
  contacts_.assign(at(problem.contacts.size()), {});
  for (int i = 0; i < problem.contacts.size(); ++i) {
    Contact& law = contacts_[at(i)];
    const FrictionCone& cone = problem.contacts.cone[at(i)];
    const Vec3& e = problem.contacts.e[at(i)];
    const int constraint = problem.contacts.constraint[at(i)], row = problem.contacts.row[at(i)];
    const double estimate = estimated_diagonal(problem, constraint);
    const double diagonal = estimate > 0 ? estimate : mean_diagonal(delassus, constraint, 3);
    law.stiffness = softness.is_there(e.z()) ? softness.stiffness(std::min(0.0, e.z()), diagonal) : 0;
    // A tangential offset is the velocity of the surface, not a position error.
    law.reference = {softness.kept(row) - e.x(), softness.kept(row + 1) - e.y(), softness.one_sided(e.z(), row + 2)};
    const double second_tangent = cone.isotropic() ? first_tangent : first_tangent * cone.mu1 / cone.mu2;
    law.inverse_scale = {1 / first_tangent, 1 / second_tangent, 1};
    law.cone = {first_tangent * cone.mu1, first_tangent * cone.mu1};
  }
  scalars_.clear();
  add_scalars(problem, settings, delassus, rates);
}

void SoftLaws::add_scalars(const Problem& problem, const SoftConvexSettings& settings, const DelassusOperator& delassus,
                           std::span<const double> rates) {
  const Softness softness(problem, settings, rates);
  const auto stiffness = [&](int constraint, double e) {
    return softness.stiffness(e, mean_diagonal(delassus, constraint, 1));
  };
  const ErrorRows &hard = problem.hard, &equality = problem.equality;
  for (int i = 0; i < hard.size(); ++i) {
    const double e = hard.e[at(i)];
    const double strength = softness.is_there(e) ? stiffness(hard.constraint[at(i)], std::min(0.0, e)) : 0;
    scalars_.push_back({hard.row[at(i)], strength, softness.one_sided(e, hard.row[at(i)]), kInfinity, kInfinity, 0});
  }
  for (int i = 0; i < equality.size(); ++i) {
    const double e = equality.e[at(i)], reference = softness.two_sided(e, equality.row[at(i)]);
    const double strength = stiffness(equality.constraint[at(i)], e);
    scalars_.push_back({equality.row[at(i)], strength, reference, reference, kInfinity, 0});
  }
  for (int i = 0; i < problem.soft.size(); ++i) {
    const SoftRows& soft = problem.soft;
    scalars_.push_back({soft.row[at(i)], soft.b[at(i)], 0, 0, kInfinity, -soft.k[at(i)] * soft.e[at(i)]});
  }
  for (int i = 0; i < problem.limits.size(); ++i) {
    // The side that is violated, if any, has its bound on the far side of zero: J v >= lower > 0 or J v <= upper < 0.
    const double lower = problem.limits.lower[at(i)], upper = problem.limits.upper[at(i)];
    const double violation = std::max({0.0, lower, -upper});
    const double strength = stiffness(problem.limits.constraint[at(i)], violation);
    const int row = problem.limits.row[at(i)];
    const double least = softness.is_there(-lower) ? softness.one_sided(-lower, row) : -kInfinity;
    const double most = softness.is_there(upper) ? softness.from_above(upper, row) : kInfinity;
    scalars_.push_back({row, strength, least, most, kInfinity, 0});
  }
  for (int i = 0; i < problem.friction.size(); ++i) {
    const double strength = stiffness(problem.friction.constraint[at(i)], 0);
    const double kept = softness.kept(problem.friction.row[at(i)]);
    scalars_.push_back({problem.friction.row[at(i)], strength, kept, kept, problem.friction.bound[at(i)], 0});
  }
}

SoftLaws::Response SoftLaws::respond(const Scalar& law, double u) {
  const double depth = u < law.lower ? law.lower - u : (u > law.upper ? law.upper - u : 0);
  const double impulse = std::clamp(law.stiffness * depth, -law.bound, law.bound);
  const bool bounded = impulse != law.stiffness * depth;
  // Integral of the impulse over the depth: a parabola, then a line; and the constant offset.
  const double potential = bounded ? impulse * (depth - 0.5 * impulse / law.stiffness) : 0.5 * impulse * depth;
  return {law.offset + impulse, depth != 0 && !bounded ? law.stiffness : 0, potential - law.offset * u};
}

Vec3 SoftLaws::argument(const Contact& law, const Vec3& u) {
  return scaled(law.reference - u, law.inverse_scale) * law.stiffness;
}

Mat3 SoftLaws::stiffness(const Contact& law, const Vec3& argument) {
  Mat3 d = proximal_derivative(law.cone, argument);
  for (int c = 0; c < 3; ++c) d.col[c] = scaled(d.col[c], law.inverse_scale) * (law.inverse_scale[c] * law.stiffness);
  return d;
}

double SoftLaws::respond(const Problem& problem, std::span<const double> u, std::span<double> impulse,
                         LawDerivatives& derivatives) const {
  double potential = 0;
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const Contact& law = contacts_[i];
    const auto row = at(problem.contacts.row[i]);
    const Vec3 s = argument(law, Vec3::from(&u[row]));
    const Vec3 projection = project_proximal(law.cone, s);
    scaled(projection, law.inverse_scale).store(&impulse[row]);
    derivatives.contact[i] = stiffness(law, s);
    if (law.stiffness > 0) potential += dot(projection, projection) / (2 * law.stiffness);
  }
  for (const Scalar& law : scalars_) {
    const Response response = respond(law, u[at(law.row)]);
    impulse[at(law.row)] = response.impulse;
    derivatives.scalar[at(law.row)] = response.stiffness;
    potential += response.potential;
  }
  return potential;
}

DirectionalSlope SoftLaws::slope(const Problem& problem, std::span<const double> u, std::span<const double> du) const {
  DirectionalSlope slope;
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const Contact& law = contacts_[i];
    const auto row = at(problem.contacts.row[i]);
    const Vec3 s = argument(law, Vec3::from(&u[row])), direction = Vec3::from(&du[row]);
    slope.first -= dot(scaled(project_proximal(law.cone, s), law.inverse_scale), direction);
    slope.second += dot(direction, stiffness(law, s) * direction);
  }
  for (const Scalar& law : scalars_) {
    const Response response = respond(law, u[at(law.row)]);
    slope.first -= response.impulse * du[at(law.row)];
    slope.second += response.stiffness * du[at(law.row)] * du[at(law.row)];
  }
  return slope;
}

}  // namespace uzawa
