#include "uzawa/papers/pbd_cable.hpp"

#include <algorithm>
#include <cmath>

#include "uzawa/base/at.hpp"

namespace uzawa::papers {

namespace {

const Quat kTangent{0, {0, 0, 1}};  // e_3

Quat plus(const Quat& a, const Quat& b, double factor) { return {a.w + factor * b.w, a.v + b.v * factor}; }

/// Smallest rotation from e_3 to a unit vector.
Quat frame_of(const Vec3& tangent) {
  if (tangent.z() < -1 + 1e-12) return {0, {1, 0, 0}};
  return normalized(Quat{1 + tangent.z(), {-tangent.y(), tangent.x(), 0}});
}

}  // namespace

PbdCable::PbdCable(std::vector<Vec3> points, const Options& options, bool straight)
    : options_(options), x_(std::move(points)) {
  const std::size_t n = x_.size();
  for (auto* list : {&v_, &force_, &pull_}) list->assign(n, Vec3{});
  previous_ = start_ = target_ = x_;
  std::vector<double> mass(n, 0.0);
  const double area = M_PI * options.radius * options.radius;
  for (std::size_t j = 0; j + 1 < n; ++j) {
    const Vec3 along = x_[j + 1] - x_[j];
    Segment s;
    s.length = norm(along);
    const Vec3 tangent = along * (1 / s.length);
    // Frames follow each other without twist.
    s.q = j == 0 ? frame_of(tangent) : segments_.back().q;
    const Vec3 before = rotate(s.q, {0, 0, 1});
    const Vec3 turn = cross(before, tangent);
    s.q = normalized(Quat{1 + dot(before, tangent), turn} * s.q);
    const double m = options.density * area * s.length;
    s.inverse = 1 / (4 * m * (s.length * s.length / 12 + options.radius * options.radius / 4));
    mass[j] += m / 2;
    mass[j + 1] += m / 2;
    segments_.push_back(s);
  }
  for (std::size_t j = 0; j + 1 < segments_.size(); ++j) {
    const Quat bend = conjugate(segments_[j].q) * segments_[j + 1].q;
    joints_.push_back({straight ? Quat{} : bend, (segments_[j].length + segments_[j + 1].length) / 2});
  }
  for (const double m : mass) inverse_mass_.push_back(1 / m);
  depth_.assign(n, 0.0);
  sticks_.assign(n, 0);
}

void PbdCable::hold(int point) { inverse_mass_[at(point)] = 0; }

void PbdCable::hold_segment(int segment) { segments_[at(segment)].inverse = 0; }

double PbdCable::mass() const {
  double sum = 0;
  for (const double inverse : inverse_mass_) sum += inverse > 0 ? 1 / inverse : 0;
  return sum;
}

double PbdCable::depth_at(const Vec3& x, Vec3& normal) const {
  const Cylinder& c = *options_.cylinder;
  const Vec3 from = x - c.centre, out = from - c.axis * dot(c.axis, from);
  const double distance = norm(out);
  if (!(distance > 0)) return 0;  // on the axis: no direction is better than another
  normal = out * (1 / distance);
  return c.radius + options_.radius - distance;
}

double PbdCable::penetration() const {
  double deepest = 0;
  Vec3 normal;
  if (!options_.cylinder) return 0;
  for (const Vec3& x : x_) deepest = std::max(deepest, depth_at(x, normal));
  return deepest;
}

void PbdCable::step(double dt, int substeps) {
  const double h = dt / substeps;
  start_ = x_;
  std::fill(force_.begin(), force_.end(), Vec3{});
  for (int k = 0; k < substeps; ++k) {
    predict(h, (k + 1.0) / substeps);
    const std::size_t last = segments_.size() - 1;
    for (std::size_t j = 0; j <= last; ++j) solve_stretch(backward_ ? last - j : j, h);
    for (std::size_t j = 0; j < last; ++j) solve_bend(backward_ ? last - 1 - j : j, h);
    if (options_.cylinder) solve_contacts();
    update_velocities(h);
    if (options_.cylinder) slow_by_friction(h);
    backward_ = !backward_;
  }
  for (Vec3& f : force_) f *= 1.0 / substeps;
}

/// `share` of the step that is over at the end of this substep: held points go straight to their targets.
void PbdCable::predict(double h, double share) {
  const double kept = std::exp(-options_.drag * h);
  for (std::size_t i = 0; i < x_.size(); ++i) {
    previous_[i] = x_[i];
    if (inverse_mass_[i] == 0) {
      x_[i] = start_[i] + (target_[i] - start_[i]) * share;
      continue;
    }
    v_[i] = (v_[i] + (options_.gravity + pull_[i] * inverse_mass_[i]) * h) * kept;
    x_[i] += v_[i] * h;
  }
  for (Segment& s : segments_) {
    s.previous = s.q;
    if (s.inverse == 0) continue;
    s.spin *= kept;
    s.q = normalized(plus(s.q, Quat{0, s.spin} * s.q, 0.5 * h));
  }
}

void PbdCable::solve_stretch(std::size_t j, double h) {
  Segment& s = segments_[j];
  const double wa = inverse_mass_[j], wb = inverse_mass_[j + 1], l = s.length;
  const double area = M_PI * options_.radius * options_.radius;
  const double compliance = 1 / (options_.young * area * l * h * h);
  const Vec3 error = (x_[j + 1] - x_[j]) * (1 / l) - rotate(s.q, {0, 0, 1});
  const Vec3 lambda = error * (-1 / ((wa + wb) / (l * l) + 4 * s.inverse + compliance));
  const Vec3 push = lambda * (1 / l);
  x_[j] -= push * wa;
  x_[j + 1] += push * wb;
  s.q = normalized(plus(s.q, Quat{0, lambda} * s.q * kTangent, 2 * s.inverse));
  force_[j] -= push * (1 / (h * h));
  force_[j + 1] += push * (1 / (h * h));
}

void PbdCable::solve_bend(std::size_t j, double h) {
  Segment &a = segments_[j], &b = segments_[j + 1];
  const Joint& joint = joints_[j];
  const double r4 = std::pow(options_.radius, 4), bending = options_.young * options_.bending * M_PI / 4 * r4;
  const double twisting = bending / (1 + options_.poisson);  // G J = E I/(1 + nu) of a circle
  const Quat now = conjugate(a.q) * b.q;
  // q and -q are one orientation: the one that is nearer to rest.
  const double nearer = now.w * joint.rest.w + dot(now.v, joint.rest.v) < 0 ? -1 : 1;
  const Vec3 error = now.v - joint.rest.v * nearer;
  const double scale = joint.length / (4 * h * h), inertia = a.inverse + b.inverse;
  const double across = -1 / (inertia + scale / bending), about = -1 / (inertia + scale / twisting);
  if (!(inertia > 0)) return;
  const Quat lambda{0, {error.x() * across, error.y() * across, error.z() * about}};
  const Quat to_a = b.q * lambda, to_b = a.q * lambda;
  a.q = normalized(plus(a.q, to_a, -a.inverse));
  b.q = normalized(plus(b.q, to_b, b.inverse));
}

/// Points out of the cylinder; where the tangential motion since the start of the substep is within what static
/// friction holds, it is undone.
void PbdCable::solve_contacts() {
  for (std::size_t i = 0; i < x_.size(); ++i) {
    depth_[i] = 0;
    sticks_[i] = 0;
    if (inverse_mass_[i] == 0) continue;
    Vec3 normal;
    const double depth = depth_at(x_[i], normal);
    if (!(depth > 0)) continue;
    x_[i] += normal * depth;
    depth_[i] = depth;
    const Vec3 moved = x_[i] - previous_[i], along = moved - normal * dot(normal, moved);
    if (norm(along) > options_.mu * depth) continue;
    x_[i] -= along;
    sticks_[i] = 1;
  }
}

void PbdCable::update_velocities(double h) {
  for (std::size_t i = 0; i < x_.size(); ++i) v_[i] = (x_[i] - previous_[i]) * (1 / h);
  for (Segment& s : segments_) {
    const Quat turn = s.q * conjugate(s.previous);
    s.spin = turn.v * ((turn.w < 0 ? -2 : 2) / h);
  }
}

/// Sliding friction, at most as much as stops the point; no bounce off the cylinder.
void PbdCable::slow_by_friction(double h) {
  for (std::size_t i = 0; i < x_.size(); ++i) {
    if (!(depth_[i] > 0)) continue;
    Vec3 normal;
    depth_at(x_[i], normal);
    const double away = dot(v_[i], normal);
    const Vec3 along = v_[i] - normal * away;
    const double speed = norm(along), slower = std::min(speed, options_.mu * depth_[i] / h);
    v_[i] -= normal * std::max(0.0, away);
    if (sticks_[i] == 0 && speed > 0) v_[i] -= along * (slower / speed);
  }
}

}  // namespace uzawa::papers
