#include "uzawa/solver/baseline/penalty_laws.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "uzawa/base/at.hpp"
#include "uzawa/base/error.hpp"
#include "uzawa/solver/baseline/soft_laws.hpp"

namespace uzawa {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace

void PenaltyLaws::prepare(const Problem& problem, const PenaltySettings& settings) {
  if (settings.time == PenaltyTime::Start && problem.soft.size() > 0) {
    throw InputError(problem.name, "soft constraint " + std::to_string(problem.soft.constraint[0]),
                     "penalty.time=start is explicit and has no implicit springs; use penalty.time=end");
  }
  gains_ = settings;
  step_ = step_of(problem);
  stiffness_ = step_ * (step_ * settings.stiffness + settings.damping);
  const auto contacts = at(problem.contacts.size());
  normals_.resize(contacts);
  for (std::size_t i = 0; i < contacts; ++i) {
    const double lower = reference(problem.contacts.e[i].z());
    normals_[i] = {problem.contacts.row[i] + 2, stiffness_, lower, kInfinity, kInfinity, 0};
  }
  bounding_.assign(contacts, 0.0);
  add_scalars(problem);
}

/// Where h K d_end + D (d_end - d_start) = 0 with d_end = -h (e + u).
double PenaltyLaws::reference(double e) const {
  const double start = step_ * std::max(0.0, -e);
  return stiffness_ > 0 ? -e - gains_.damping * start / stiffness_ : -e;
}

void PenaltyLaws::add_scalars(const Problem& problem) {
  scalars_.clear();
  const ErrorRows &hard = problem.hard, &equality = problem.equality;
  for (std::size_t i = 0; i < hard.e.size(); ++i) {
    scalars_.push_back({hard.row[i], stiffness_, reference(hard.e[i]), kInfinity, kInfinity, 0});
  }
  for (std::size_t i = 0; i < equality.e.size(); ++i) {
    const double spring = step_ * step_ * gains_.stiffness;
    const double rest = stiffness_ > 0 ? -spring * equality.e[i] / stiffness_ : 0;
    scalars_.push_back({equality.row[i], stiffness_, rest, rest, kInfinity, 0});
  }
  for (std::size_t i = 0; i < problem.limits.row.size(); ++i) {
    const double lower = problem.limits.lower[i], upper = problem.limits.upper[i];
    scalars_.push_back({problem.limits.row[i], stiffness_, reference(-lower), -reference(upper), kInfinity, 0});
  }
  for (std::size_t i = 0; i < problem.friction.row.size(); ++i) {
    const double viscous = step_ * gains_.friction_damping;
    scalars_.push_back({problem.friction.row[i], viscous, 0, 0, problem.friction.bound[i], 0});
  }
  const SoftRows& soft = problem.soft;
  for (std::size_t i = 0; i < soft.row.size(); ++i) {
    scalars_.push_back({soft.row[i], soft.b[i], 0, 0, kInfinity, -soft.k[i] * soft.e[i]});
  }
}

double PenaltyLaws::bound_friction(const Problem& problem, std::span<const double> impulse) {
  double change = 0;
  for (std::size_t i = 0; i < bounding_.size(); ++i) {
    const double normal = std::max(0.0, impulse[at(problem.contacts.row[i] + 2)]);
    change = std::max(change, std::abs(normal - bounding_[i]));
    bounding_[i] = normal;
  }
  return change;
}

PenaltyLaws::Response PenaltyLaws::respond(const Scalar& law, double u) {
  const double depth = u < law.lower ? law.lower - u : (u > law.upper ? law.upper - u : 0);
  const double push = law.stiffness * depth, impulse = std::clamp(push, -law.bound, law.bound);
  return {law.offset + impulse, depth != 0 && impulse == push ? law.stiffness : 0};
}

Vec3 PenaltyLaws::friction(const FrictionCone& cone, double normal, const Vec3& u, Mat3* stiffness) const {
  const double viscous = step_ * gains_.friction_damping;
  const Vec3 s{-viscous * u.x(), -viscous * u.y(), normal};
  Vec3 impulse = project_strict(cone, s);
  impulse.set(2, 0);
  if (stiffness != nullptr) {
    *stiffness = strict_derivative(cone, s);
    for (int c = 0; c < 2; ++c) stiffness->col[c] = stiffness->col[c] * viscous;
    stiffness->col[2] = {};
  }
  return impulse;
}

void PenaltyLaws::respond(const Problem& problem, std::span<const double> u, std::span<double> impulse,
                          LawDerivatives& derivatives) const {
  for (std::size_t i = 0; i < normals_.size(); ++i) {
    const Scalar& law = normals_[i];
    const Response normal = respond(law, u[at(law.row)]);
    const Vec3 slip = Vec3::from(&u[at(law.row - 2)]) + problem.contacts.e[i];
    Mat3& stiffness = derivatives.contact[i];
    Vec3 all = friction(problem.contacts.cone[i], bounding_[i], slip, &stiffness);
    all.set(2, normal.impulse);
    all.store(&impulse[at(law.row - 2)]);
    stiffness.col[2] = {0, 0, normal.stiffness};
  }
  for (const Scalar& law : scalars_) {
    const Response response = respond(law, u[at(law.row)]);
    impulse[at(law.row)] = response.impulse;
    derivatives.scalar[at(law.row)] = response.stiffness;
  }
}

DirectionalSlope PenaltyLaws::slope(const Problem& problem, std::span<const double> u,
                                    std::span<const double> du) const {
  DirectionalSlope slope;
  const auto add = [&](const Scalar& law) {
    const Response response = respond(law, u[at(law.row)]);
    slope.first -= response.impulse * du[at(law.row)];
    slope.second += response.stiffness * du[at(law.row)] * du[at(law.row)];
  };
  for (std::size_t i = 0; i < normals_.size(); ++i) {
    add(normals_[i]);
    const auto row = at(normals_[i].row - 2);
    const Vec3 slip = Vec3::from(&u[row]) + problem.contacts.e[i], direction{du[row], du[row + 1], 0};
    Mat3 stiffness;
    slope.first -= dot(friction(problem.contacts.cone[i], bounding_[i], slip, &stiffness), direction);
    slope.second += dot(direction, stiffness * direction);
  }
  for (const Scalar& law : scalars_) add(law);
  return slope;
}

double PenaltyLaws::explicit_push(double e, double u) const {
  if (!(e < 0)) return 0;
  return std::max(0.0, -step_ * (gains_.stiffness * step_ * e + gains_.damping * u));
}

void PenaltyLaws::respond_explicitly(const Problem& problem, std::span<const double> u,
                                     std::span<double> impulse) const {
  for (std::size_t i = 0; i < normals_.size(); ++i) {
    const auto row = at(problem.contacts.row[i]);
    const Vec3& e = problem.contacts.e[i];
    const Vec3 slip = Vec3::from(&u[row]) + Vec3{e.x(), e.y(), 0};
    const double normal = explicit_push(e.z(), slip.z());
    Vec3 all = friction(problem.contacts.cone[i], normal, slip, nullptr);
    all.set(2, normal);
    all.store(&impulse[row]);
  }
  const auto at_row = [&](std::span<const int> rows, auto law) {
    for (std::size_t i = 0; i < rows.size(); ++i) impulse[at(rows[i])] = law(i, u[at(rows[i])]);
  };
  at_row(problem.hard.row, [&](std::size_t i, double ui) { return explicit_push(problem.hard.e[i], ui); });
  at_row(problem.equality.row, [&](std::size_t i, double ui) {
    return -step_ * (gains_.stiffness * step_ * problem.equality.e[i] + gains_.damping * ui);
  });
  at_row(problem.limits.row, [&](std::size_t i, double ui) {
    return explicit_push(-problem.limits.lower[i], ui) - explicit_push(problem.limits.upper[i], -ui);
  });
  at_row(problem.friction.row, [&](std::size_t i, double ui) {
    return std::clamp(-step_ * gains_.friction_damping * ui, -problem.friction.bound[i], problem.friction.bound[i]);
  });
}

}  // namespace uzawa
