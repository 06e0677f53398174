#include "uzawa/elastic/rod_elasticity.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "uzawa/base/at.hpp"
#include "uzawa/base/error.hpp"

namespace uzawa {

namespace {

/// A joint in its present shape. All vectors in world axes.
struct Shape {
  Mat3 middle;                 ///< M
  Vec3 first_arm, second_arm;  ///< m, from the centres of mass to the anchors
  Vec3 gap;                    ///< m, M u
  Vec3 turn;                   ///< rad, M p
  Vec3 half_tangent;           ///< tan(|p|/4) along p
  double spread = 1;           ///< (|p|/2) / sin(|p|/2)
  Vec3 pull;                   ///< N, M C u: what the first link feels
  Vec3 moment;                 ///< N m, M D p
};

Shape shape_of(const RodJoint& joint, const Pose& first, const Pose& second) {
  const Mat3 relative =
      transpose(first.rotation) * (second.rotation * to_matrix(conjugate(joint.relative_orientation)));
  const Vec3 turn = log_rotation(to_quaternion(relative));  // the same in both frames
  const double angle = norm(turn);
  Shape out;
  out.middle = first.rotation * to_matrix(exp_rotation(turn * 0.5));
  out.first_arm = first.rotation * joint.first_anchor;
  out.second_arm = second.rotation * joint.second_anchor;
  out.gap = (second.position - first.position) + (out.second_arm - out.first_arm);
  out.turn = first.rotation * turn;
  if (angle > 1e-4) {
    out.half_tangent = out.turn * (std::tan(angle / 4) / angle);
    out.spread = (angle / 2) / std::sin(angle / 2);
  } else {
    out.half_tangent = out.turn * 0.25;
    out.spread = 1 + angle * angle / 24;
  }
  out.pull = out.middle * scaled(joint.stiffness, transpose_times(out.middle, out.gap));
  out.moment = out.middle * scaled(joint.angular_stiffness, transpose_times(out.middle, out.turn));
  return out;
}

/// From the difference of angular velocities to the rate of the rotation vector, both seen from M: the inverse of the
/// even part of the exponential's derivative at p/2; symmetric.
Mat3 rate_of_turn(const Shape& s) {
  const double square = dot(s.turn, s.turn);
  Mat3 out = Mat3::identity() * s.spread;
  if (square > 0) out += outer(s.turn, s.turn * ((1 - s.spread) / square));
  return out;
}

/// M turns with half the sum of the angular velocities minus half_tangent x (their difference)/2, so that the rate of
/// the gap seen from M is  v2 + w2 x arm2 - v1 - w1 x arm1 + gap x (M's angular velocity).
void add_joint_force(const RodJoint& joint, const Shape& s, std::span<Vec3> force) {
  const Vec3 couple = cross(s.pull, s.gap) * 0.5;
  const Vec3 opposed = rate_of_turn(s) * s.moment - cross(couple, s.half_tangent);
  const std::size_t first = 2 * at(joint.first), second = 2 * at(joint.second);
  force[first] += s.pull;
  force[second] -= s.pull;
  force[first + 1] += cross(s.first_arm, s.pull) - couple + opposed;
  force[second + 1] -= cross(s.second_arm, s.pull) + couple + opposed;
}

Vec3 any_perpendicular(const Vec3& unit) {
  const Vec3 away = std::abs(unit.x()) < 0.6 ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
  const Vec3 out = cross(unit, away);
  return out * (1 / norm(out));
}

/// The part of (n r^T + r n^T)/2 - (n . r) 1 without negative curvature. Its eigenvectors are the sum and the
/// difference of the directions of n and r, and what is perpendicular to both.
Mat3 turning_stiffness(const Vec3& pull, const Vec3& arm) {
  const double size = norm(pull) * norm(arm), along = dot(pull, arm);
  if (!(size > 0)) return {};
  const Vec3 n = pull * (1 / norm(pull)), r = arm * (1 / norm(arm));
  const double of_sum = 0.5 * (size - along);
  if (along >= 0) {
    const Vec3 sum = n + r;
    return outer(sum, sum * (of_sum / dot(sum, sum)));
  }
  // A pull away from the link: all but the direction of the difference. Where n = -r the two others are alike.
  Vec3 difference = n - r, across = cross(n, r);
  difference *= 1 / norm(difference);
  across = norm(across) > 1e-8 ? across * (1 / norm(across)) : any_perpendicular(difference);
  const Vec3 sum = cross(difference, across);
  return outer(sum, sum * of_sum) + outer(across, across * -along);
}

/// diag in the frame M, in world axes.
Mat3 turned(const Mat3& middle, const Vec3& diagonal) {
  Mat3 out;
  for (int i = 0; i < 3; ++i) out += outer(middle.col[i], middle.col[i] * diagonal[i]);
  return out;
}

Vec3 inverse_or_zero(const Vec3& a) {
  const auto inverse = [](double b) { return b > 0 ? 1 / b : 0; };
  return {inverse(a.x()), inverse(a.y()), inverse(a.z())};
}

std::array<int, 4> nodes_of(const RodJoint& joint) {
  return {2 * joint.first, 2 * joint.first + 1, 2 * joint.second, 2 * joint.second + 1};
}

/// The ten blocks of a joint's stiffness, pairs (a >= b) at a (a + 1)/2 + b.
std::array<Mat3, 10> blocks_of(const RodJoint& joint, const Shape& s) {
  const Mat3 c = turned(s.middle, joint.stiffness), rate = rate_of_turn(s);
  const Mat3 d = rate * (turned(s.middle, joint.angular_stiffness) * rate);
  // C^-1 times the rate of the pull by half the angular velocity w of M: gap x w, as seen from M, and C^-1 (w x pull).
  const Vec3 inverse = inverse_or_zero(joint.stiffness);
  const Mat3 by_half = (cross_matrix(s.gap) + turned(s.middle, inverse) * cross_matrix(-s.pull)) * 0.5;
  const Mat3 twist = by_half * cross_matrix(s.half_tangent);
  const Mat3 by_first = cross_matrix(s.first_arm) + by_half + twist;
  const Mat3 by_second = cross_matrix(s.second_arm) * -1.0 + by_half + twist * -1.0;
  const Mat3 first_c = transpose(by_first) * c, second_c = transpose(by_second) * c;
  return {c,
          first_c * -1.0,
          first_c * by_first + d + turning_stiffness(-s.pull, s.first_arm),
          c * -1.0,
          transpose(first_c),
          c,
          second_c * -1.0,
          second_c * by_first + d * -1.0,
          second_c,
          second_c * by_second + d + turning_stiffness(s.pull, s.second_arm)};
}

}  // namespace

RodStiffness rod_stiffness(double young, double shear_modulus, double radius, double length) {
  const double area = M_PI * radius * radius, inertia = area * radius * radius / 4;
  const double stretch = young * area / length, bend = young * inertia / length;
  const double twist = shear_modulus * 2 * inertia / length;
  const double one_plus_poisson = young / (2 * shear_modulus);
  const double shear = 6 * one_plus_poisson / (1 + 6 * one_plus_poisson) * shear_modulus * area / length;
  return {{shear, shear, stretch}, {bend, bend, twist}};
}

RodElasticity::RodElasticity(int links, std::vector<RodJoint> joints) : joints_(std::move(joints)), links_(links) {
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    const std::string element = "joint " + std::to_string(j);
    for (const int link : {joints_[j].first, joints_[j].second}) {
      if (link < 0 || link >= links) {
        throw InputError("rod", element, "names link " + std::to_string(link) + ", which does not exist");
      }
    }
    if (joints_[j].first == joints_[j].second) throw InputError("rod", element, "joins a link to itself");
    for (int i = 0; i < 3; ++i) {
      if (joints_[j].stiffness[i] >= 0 && joints_[j].angular_stiffness[i] >= 0) continue;
      throw InputError("rod", element, "has a stiffness that is negative or no number");
    }
  }
}

std::vector<std::pair<int, int>> RodElasticity::couples() const {
  std::vector<std::pair<int, int>> out;
  for (const RodJoint& joint : joints_) {
    for (const int i : nodes_of(joint)) {
      for (const int j : nodes_of(joint)) {
        if (i >= j) out.emplace_back(i, j);
      }
    }
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

void RodElasticity::place(std::span<const int> node_of, const NodalPattern& pattern) {
  check_places(node_of, pattern);
  places_.assign(joints_.size(), {});
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    const std::array<int, 4> nodes = nodes_of(joints_[j]);
    std::size_t pair = 0;
    for (std::size_t a = 0; a < 4; ++a) {
      for (std::size_t b = 0; b <= a; ++b, ++pair) places_[j][pair] = nodal_place(node_of, pattern, nodes[a], nodes[b]);
    }
  }
}

double RodElasticity::energy(std::span<const Pose> links) const {
  double out = 0;
  for (const RodJoint& joint : joints_) {
    const Shape s = shape_of(joint, links[at(joint.first)], links[at(joint.second)]);
    out += 0.5 * (dot(s.pull, s.gap) + dot(s.moment, s.turn));
  }
  return out;
}

void RodElasticity::add_force(std::span<const Pose> links, std::span<Vec3> force) const {
  for (const RodJoint& joint : joints_) {
    add_joint_force(joint, shape_of(joint, links[at(joint.first)], links[at(joint.second)]), force);
  }
}

double RodElasticity::evaluate(std::span<const Pose> links, std::span<Vec3> force, NodalMatrix& k, double scale) const {
  double most = 0;
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    const RodJoint& joint = joints_[j];
    const Shape s = shape_of(joint, links[at(joint.first)], links[at(joint.second)]);
    add_joint_force(joint, s, force);
    most = std::max(most, norm(s.turn));
    const std::array<Mat3, 10> blocks = blocks_of(joint, s);
    for (std::size_t pair = 0; pair < 10; ++pair) add_block(k, places_[j][pair], blocks[pair] * scale);
  }
  return most;
}

}  // namespace uzawa
