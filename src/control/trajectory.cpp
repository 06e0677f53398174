#include "uzawa/control/trajectory.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <string>

#include "uzawa/base/error.hpp"

namespace uzawa {

namespace {

/// A polynomial of degree five over `duration` seconds, by position, velocity and acceleration at both ends.
class Quintic {
 public:
  struct End {
    double position = 0, velocity = 0, acceleration = 0;
  };
  Quintic(const End& from, const End& to, double duration) : duration_(duration) {
    const double way = to.position - from.position;
    const double v0 = from.velocity * duration, v1 = to.velocity * duration;
    const double a0 = from.acceleration * duration * duration, a1 = to.acceleration * duration * duration;
    c_ = {from.position,
          v0,
          a0 / 2,
          10 * way - 6 * v0 - 4 * v1 - 1.5 * a0 + 0.5 * a1,
          -15 * way + 8 * v0 + 7 * v1 + 1.5 * a0 - a1,
          6 * way - 3 * v0 - 3 * v1 - 0.5 * a0 + 0.5 * a1};
  }
  /// Derivative of the given order after `share` of the duration.
  double derivative(int order, double share) const {
    double sum = 0;
    for (int k = 5; k >= order; --k) {
      double factor = 1;
      for (int m = 0; m < order; ++m) factor *= k - m;
      sum = sum * share + factor * c_[static_cast<std::size_t>(k)];
    }
    return sum / std::pow(duration_, order);
  }

 private:
  double duration_;
  std::array<double, 6> c_{};
};

void check(const std::vector<Waypoint>& waypoints) {
  if (waypoints.empty()) throw InputError("", "trajectory", "needs a waypoint");
  for (std::size_t i = 0; i < waypoints.size(); ++i) {
    const Waypoint& point = waypoints[i];
    const std::string element = "waypoint " + std::to_string(i);
    if (point.value.size() != waypoints.front().value.size()) throw InputError("", element, "has another size");
    const bool finite = std::all_of(point.value.begin(), point.value.end(), [](double x) { return std::isfinite(x); });
    if (!finite || !std::isfinite(point.time)) throw InputError("", element, "holds a number that is not finite");
    if (i > 0 && point.time <= waypoints[i - 1].time) {
      throw InputError("", element, "must come later than the one before");
    }
  }
}

}  // namespace

Trajectory::Trajectory(std::vector<Waypoint> waypoints) : waypoints_(std::move(waypoints)) {
  check(waypoints_);
  velocity_.assign(waypoints_.size(), std::vector<double>(size()));
  acceleration_ = velocity_;
  std::size_t stop = 0;
  for (std::size_t i = 1; i < waypoints_.size(); ++i) {
    if (!waypoints_[i].stop && i + 1 < waypoints_.size()) continue;
    pass_through(stop, i);
    stop = i;
  }
}

/// Velocities and accelerations between two stops: jerk and snap of the stretches before and after a waypoint are
/// equal. Both are linear in them, and their coefficients are what unit values yield.
void Trajectory::pass_through(std::size_t first, std::size_t last) {
  const std::size_t inner = last - first - 1;
  if (inner == 0) return;
  const auto unknowns = static_cast<Eigen::Index>(2 * inner), columns = static_cast<Eigen::Index>(size());
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(unknowns, unknowns), right = Eigen::MatrixXd::Zero(unknowns, columns);
  const auto column = [&](std::size_t point) { return static_cast<Eigen::Index>(2 * (point - first - 1)); };
  for (std::size_t i = first + 1; i < last; ++i) {
    for (const int order : {3, 4}) {
      const Eigen::Index row = column(i) + order - 3;
      // The stretch that ends at i counts positive, the one that begins there negative.
      for (const std::size_t from : {i - 1, i}) {
        const double duration = waypoints_[from + 1].time - waypoints_[from].time;
        const double sign = from < i ? 1 : -1, share = from < i ? 1 : 0;
        const auto effect = [&](const Quintic::End& a, const Quintic::End& b) {
          return sign * Quintic(a, b, duration).derivative(order, share);
        };
        if (from > first) {
          matrix(row, column(from)) += effect({0, 1, 0}, {});
          matrix(row, column(from) + 1) += effect({0, 0, 1}, {});
        }
        if (from + 1 < last) {
          matrix(row, column(from + 1)) += effect({}, {0, 1, 0});
          matrix(row, column(from + 1) + 1) += effect({}, {0, 0, 1});
        }
        const double per_way = effect({}, {1, 0, 0});
        for (Eigen::Index d = 0; d < columns; ++d) {
          const auto k = static_cast<std::size_t>(d);
          right(row, d) -= per_way * (waypoints_[from + 1].value[k] - waypoints_[from].value[k]);
        }
      }
    }
  }
  const Eigen::MatrixXd found = matrix.partialPivLu().solve(right);
  for (std::size_t i = first + 1; i < last; ++i) {
    for (std::size_t k = 0; k < size(); ++k) {
      velocity_[i][k] = found(column(i), static_cast<Eigen::Index>(k));
      acceleration_[i][k] = found(column(i) + 1, static_cast<Eigen::Index>(k));
    }
  }
}

void Trajectory::at(double time, std::span<double> value, std::span<double> velocity,
                    std::span<double> acceleration) const {
  assert(value.size() == size());
  const auto next = std::upper_bound(waypoints_.begin(), waypoints_.end(), time,
                                     [](double t, const Waypoint& point) { return t < point.time; });
  if (next == waypoints_.begin() || next == waypoints_.end()) {
    const Waypoint& rest = next == waypoints_.begin() ? waypoints_.front() : waypoints_.back();
    std::copy(rest.value.begin(), rest.value.end(), value.begin());
    std::fill(velocity.begin(), velocity.end(), 0.0);
    std::fill(acceleration.begin(), acceleration.end(), 0.0);
    return;
  }
  const auto b = static_cast<std::size_t>(next - waypoints_.begin()), a = b - 1;
  const double duration = waypoints_[b].time - waypoints_[a].time;
  const double share = (time - waypoints_[a].time) / duration;
  for (std::size_t k = 0; k < size(); ++k) {
    const Quintic path({waypoints_[a].value[k], velocity_[a][k], acceleration_[a][k]},
                       {waypoints_[b].value[k], velocity_[b][k], acceleration_[b][k]}, duration);
    value[k] = path.derivative(0, share);
    if (!velocity.empty()) velocity[k] = path.derivative(1, share);
    if (!acceleration.empty()) acceleration[k] = path.derivative(2, share);
  }
}

namespace {

/// The rotation vector of the same rotation that is nearest to `last`: angles of more than half a turn go on growing.
Vec3 unwrapped(const Vec3& rotation, const Vec3& last) {
  const double angle = norm(rotation);
  if (angle < 1e-9)
    return norm(last) < M_PI ? rotation : last * (2 * M_PI * std::round(norm(last) / (2 * M_PI)) / norm(last));
  Vec3 best = rotation;
  for (const int turns : {-2, -1, 1, 2}) {
    const Vec3 other = rotation * ((angle + 2 * M_PI * turns) / angle);
    if (norm(other - last) < norm(best - last)) best = other;
  }
  return best;
}

}  // namespace

PoseTrajectory::PoseTrajectory(const std::vector<PoseWaypoint>& waypoints) {
  if (waypoints.empty()) throw InputError("", "trajectory", "needs a waypoint");
  for (std::size_t first = 0; first + 1 < waypoints.size() || runs_.empty();) {
    const Quat base = normalized(waypoints[first].orientation);
    std::vector<Waypoint> points;
    Vec3 turned;
    std::size_t i = first;
    for (bool more = true; more; ++i) {
      const PoseWaypoint& point = waypoints[i];
      turned = unwrapped(rotation_between(base, normalized(point.orientation)), turned);
      points.push_back(
          {point.time,
           {point.position.x(), point.position.y(), point.position.z(), turned.x(), turned.y(), turned.z()},
           point.stop});
      more = i + 1 < waypoints.size() && (i == first || !point.stop);
    }
    runs_.push_back({base, Trajectory(std::move(points))});
    first = i - 1;
  }
}

Pose PoseTrajectory::at(double time) const {
  const auto later = std::find_if(runs_.begin(), runs_.end(), [&](const Run& run) { return time < run.path.end(); });
  const Run& run = later == runs_.end() ? runs_.back() : *later;
  std::array<double, 6> value{};
  run.path.at(time, value);
  return Pose::from(Vec3::from(value.data()), run.base * exp_rotation(Vec3::from(value.data() + 3)));
}

}  // namespace uzawa
