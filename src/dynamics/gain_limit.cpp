#include "uzawa/dynamics/gain_limit.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "uzawa/base/at.hpp"

namespace uzawa {

namespace {

/// Largest credit, as a share of the kinetic energy: the swing to and fro of the error on smooth motions passes, a
/// mechanism that has lost much does not get it back.
constexpr double kMostCredit = 5e-3;

/// Largest change of velocities by half of the products, in the metric of M and as a share of the velocities: half a
/// radian of turn, in half a step. Beyond it the step does not resolve the motion, and products are shortened.
constexpr double kMostTurn = 0.5;

constexpr int kMostTranslations = 3;
using BaseVector = std::array<double, kMostTranslations>;

/// x with A x = y for the first `count` dofs of a tree alone: A is the head of their rows of M. Cholesky.
BaseVector solve_base(const TreeMatrix& mass, int first, int count, const BaseVector& y) {
  std::array<BaseVector, kMostTranslations> l{};
  BaseVector x = y;
  for (int i = 0; i < count; ++i) {
    for (int j = 0; j <= i; ++j) {
      double sum = mass.row(first + i)[j];
      for (int k = 0; k < j; ++k) sum -= l[at(i)][at(k)] * l[at(j)][at(k)];
      l[at(i)][at(j)] = i == j ? std::sqrt(sum) : sum / l[at(j)][at(j)];
    }
    for (int k = 0; k < i; ++k) x[at(i)] -= l[at(i)][at(k)] * x[at(k)];
    x[at(i)] /= l[at(i)][at(i)];
  }
  for (int i = count - 1; i >= 0; --i) {
    for (int k = i + 1; k < count; ++k) x[at(i)] -= l[at(k)][at(i)] * x[at(k)];
    x[at(i)] /= l[at(i)][at(i)];
  }
  return x;
}

/// How many of a root link's dofs, from the first on, are translations.
int leading_translations(const Model& model, int root) {
  const Link& link = model.links()[at(root)];
  int count = 0;
  for (int j = link.joint_begin; j < link.joint_end && count < kMostTranslations; ++j) {
    const JointType type = model.joint_frames()[at(j)].type;
    if (type == JointType::Free && count == 0) return 3;
    if (type != JointType::Slide) return count;
    ++count;
  }
  return count;
}

/// Takes up to `surplus` of kinetic energy from the motion of a tree relative to its translating base. `kinetic`: of p.
/// Returns the energy that was taken.
double damp_inner_motion(const Model& model, const Subsystem& tree, const TreeMatrix& mass, double kinetic,
                         double surplus, std::span<double> p) {
  const int root = tree.links.front(), first = model.topology()->dof_begin(root);
  const int count = leading_translations(model, root);
  BaseVector momentum{};
  for (int i = 0; i < count; ++i) momentum[at(i)] = p[at(first + i)];
  const BaseVector base = solve_base(mass, first, count, momentum);
  double inner = kinetic;
  for (int i = 0; i < count; ++i) inner -= 0.5 * momentum[at(i)] * base[at(i)];
  if (!(inner > 0)) return 0;
  const double scale = std::sqrt(std::max(0.0, 1 - surplus / inner));
  for (const int d : tree.dofs) {
    if (d < first + count) continue;
    double of_base = 0;  // rows begin with the base's dofs
    for (int j = 0; j < count; ++j) of_base += mass.row(d)[j] * base[at(j)];
    p[at(d)] = of_base + scale * (p[at(d)] - of_base);
  }
  return std::min(surplus, inner);
}

/// Calls f(s, tree) for each subsystem but those of links that move alone, which need no account (gyroscopic.hpp).
template <typename Function>
void for_each_tree(const Model& model, Function&& f) {
  for (std::size_t s = 0; s < model.subsystems().size(); ++s) {
    const Subsystem& tree = model.subsystems()[s];
    if (!model.moves_alone(tree.links.front())) f(s, tree);
  }
}

double dot_of(const Subsystem& tree, std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (const int d : tree.dofs) sum += a[at(d)] * b[at(d)];
  return sum;
}

}  // namespace

EnergyAccount::EnergyAccount(const Model& model)
    : energy(model.subsystems().size()), credit(energy.size()), kinetic(energy.size()) {}

void limit_gain(const Model& model, const DynamicsData& data, std::span<const double> weight, EnergyAccount& account,
                std::span<double> p, std::span<double> w) {
  bool damped = false;
  for_each_tree(model, [&](std::size_t s, const Subsystem& tree) {
    double kinetic = 0.5 * dot_of(tree, p, w), rest = 0.5 * dot_of(tree, weight, w);
    for (const int i : tree.links) {
      rest -= model.links()[at(i)].mass * dot(model.options().gravity, data.link_com[at(i)]);
    }
    const double balance = account.credit[s] + account.energy[s] - kinetic - rest;
    if (account.known && balance < 0) {
      kinetic -= damp_inner_motion(model, tree, data.mass, kinetic, -balance, p);
      damped = true;
    }
    account.credit[s] = account.known ? std::clamp(balance, 0.0, kMostCredit * kinetic) : 0;
    account.kinetic[s] = kinetic;
    account.energy[s] = kinetic + rest;
  });
  if (!damped) return;
  std::copy(p.begin(), p.end(), w.begin());
  data.mass_factor.solve(w);
}

void limit_products(const Model& model, const DynamicsData& data, double h, const EnergyAccount& account,
                    std::span<double> c, std::span<double> acceleration, std::span<Force> product) {
  std::copy(c.begin(), c.end(), acceleration.begin());
  data.mass_factor.solve(acceleration);
  for_each_tree(model, [&](std::size_t s, const Subsystem& tree) {
    const double most = 2 * kMostTurn * kMostTurn * account.kinetic[s];
    const double square = h * h / 4 * dot_of(tree, c, acceleration);
    if (square <= most) return;
    const double share = std::sqrt(most / square);
    for (const int d : tree.dofs) c[at(d)] *= share, acceleration[at(d)] *= share;
    for (const int i : tree.links) product[at(i)] = product[at(i)] * share;
  });
}

void book_start(const Model& model, std::span<const double> weight, std::span<const double> p,
                std::span<const double> w, EnergyAccount& account) {
  for_each_tree(model, [&](std::size_t s, const Subsystem& tree) {
    account.energy[s] -= 0.5 * (dot_of(tree, p, w) + dot_of(tree, weight, w));
  });
}

void book_end(const Model& model, double h, std::span<const double> v, std::span<const Motion> velocity,
              const DynamicsData& data, EnergyAccount& account) {
  const Motion fall{{}, model.options().gravity * h};
  for_each_tree(model, [&](std::size_t s, const Subsystem& tree) {
    double twice = 0;
    for (const int i : tree.links) {
      twice += dot(velocity[at(i)] + fall * -1, data.tree.inertia[at(i)] * velocity[at(i)]);
    }
    for (const int d : tree.dofs) twice += data.tree.diagonal[at(d)] * v[at(d)] * v[at(d)];
    account.energy[s] += twice / 2;
  });
}

void book_displacement(const Model& model, std::span<const Motion> displacement, const DynamicsData& data,
                       EnergyAccount& account) {
  const Motion fall{{}, model.options().gravity};
  for_each_tree(model, [&](std::size_t s, const Subsystem& tree) {
    for (const int i : tree.links) account.energy[s] -= dot(fall, data.tree.inertia[at(i)] * displacement[at(i)]);
  });
}

}  // namespace uzawa
