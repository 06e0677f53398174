#include "uzawa/control/inverse_kinematics.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Dense>
#include <algorithm>
#include <cassert>
#include <cmath>
#include <string>

#include "uzawa/base/at.hpp"
#include "uzawa/base/error.hpp"
#include "uzawa/base/mixed_bits.hpp"
#include "uzawa/dynamics/kinematics.hpp"

namespace uzawa {

namespace {

constexpr double kMostMove = 0.5;        // rad or m, of a joint in one iteration
constexpr double kLeastDamping = 1e-14;  // m^2; keeps the matrix regular in stretched postures

LinkFrame moving_frame(const Model& model, int link, const Pose& local, const std::string& element) {
  if (link < 0) throw InputError(model.spec().source, element, "is part of the ground: nothing moves it");
  return {link, local};
}

/// Uniform in [0, 1), a function of the place alone.
double scattered(std::size_t place) { return static_cast<double>(mixed_bits(place) >> 11) * 0x1p-53; }

}  // namespace

LinkFrame site_frame(const Model& model, std::string_view site) {
  const int index = model.site(site);
  return moving_frame(model, model.site_link(index), model.site_pose(index), "site '" + std::string(site) + "'");
}

LinkFrame body_frame(const Model& model, std::string_view body) {
  const int index = model.body(body);
  return moving_frame(model, model.body_link(index), model.body_pose(index), "body '" + std::string(body) + "'");
}

InverseKinematics::InverseKinematics(const Model& model, const LinkFrame& frame, InverseKinematicsSettings settings)
    : model_(&model), frame_(frame), settings_(settings), data_(model) {
  assert(frame.link >= 0);
  std::vector<int> path;
  const int carrier = settings.carrier;
  for (int link = frame.link; link >= 0 && link != carrier; link = model.links()[at(link)].parent)
    path.insert(path.begin(), link);
  for (const int link : path) {
    for (int j = model.links()[at(link)].joint_begin; j < model.links()[at(link)].joint_end; ++j) {
      const JointSpec& joint = model.spec().joints[at(j)];
      if (joint.type != JointType::Hinge && joint.type != JointType::Slide) continue;
      joints_.push_back(j);
      const bool limited = joint.range && model.options().limits;
      ranges_.push_back(limited ? Range{joint.range->lower, joint.range->upper} : Range{-HUGE_VAL, HUGE_VAL});
      rest_.push_back(limited ? (joint.range->lower + joint.range->upper) / 2 : 0);
    }
  }
  if (joints_.empty()) {
    throw InputError(model.spec().source,
                     "body '" + model.spec().bodies[at(model.links()[at(frame.link)].body)].name + "'",
                     "no hinge or slide moves it");
  }
  jacobian_.resize(6 * joints_.size());
}

void InverseKinematics::set_rest(std::span<const double> rest) {
  assert(rest.size() == joints_.size());
  rest_.assign(rest.begin(), rest.end());
}

void InverseKinematics::set_rest_from(std::span<const double> q) {
  for (std::size_t i = 0; i < joints_.size(); ++i) rest_[i] = q[at(model_->joint_q(joints_[i]))];
}

Pose InverseKinematics::pose(std::span<const double> q) {
  forward_kinematics(*model_, q, data_);
  return data_.link_pose[at(frame_.link)] * frame_.local;
}

void InverseKinematics::evaluate(const Pose& target, std::span<const double> q) {
  const Pose now = pose(q);
  point_ = now.position;
  position_error_ = target.position - now.position;
  rotation_error_ = log_rotation(to_quaternion(target.rotation * transpose(now.rotation)));
}

void InverseKinematics::fill_jacobian() {
  const Vec3 arm = point_ - link_reference(*model_, data_, frame_.link);
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    const Motion& s = data_.tree.subspace[at(model_->joint_v(joints_[i]))];
    velocity_at(s, arm).store(&jacobian_[6 * i]);
    (s.angular * settings_.rotation_length).store(&jacobian_[6 * i + 3]);
  }
}

double InverseKinematics::weighted_error() const {
  const double length = settings_.rotation_length;
  return dot(position_error_, position_error_) + length * length * dot(rotation_error_, rotation_error_);
}

bool InverseKinematics::reached() const {
  return norm(position_error_) <= settings_.tolerance && norm(rotation_error_) <= settings_.tolerance;
}

/// One iteration. A joint that would pass a limit goes to it and no further; the others are asked again.
void InverseKinematics::move(double damping, double rest_gain, std::span<double> q) {
  const auto n = static_cast<Eigen::Index>(joints_.size());
  const Eigen::Map<const Eigen::Matrix<double, 6, Eigen::Dynamic>> jacobian(jacobian_.data(), 6, n);
  Eigen::Matrix<double, 6, 1> error;
  position_error_.store(error.data());
  (rotation_error_ * settings_.rotation_length).store(error.data() + 3);
  std::vector<char> stopped(joints_.size(), 0);
  Eigen::VectorXd step = Eigen::VectorXd::Zero(n);
  for (bool again = true; again;) {
    Eigen::MatrixXd free = jacobian;
    Eigen::VectorXd rest(n);
    Eigen::Matrix<double, 6, 1> left = error;
    for (Eigen::Index i = 0; i < n; ++i) {
      const auto k = static_cast<std::size_t>(i);
      rest[i] = stopped[k] != 0 ? 0 : rest_gain * (rest_[k] - q[at(model_->joint_q(joints_[k]))]);
      if (stopped[k] == 0) continue;
      left -= jacobian.col(i) * step[i];
      free.col(i).setZero();
    }
    // In the form with J J^T, which is regular where the arm has joints to spare.
    Eigen::Matrix<double, 6, 6> h = free * free.transpose();
    h.diagonal().array() += damping;
    const Eigen::VectorXd found = free.transpose() * h.ldlt().solve(left - free * rest) + rest;
    const double most = found.cwiseAbs().maxCoeff();
    again = false;
    for (Eigen::Index i = 0; i < n; ++i) {
      const auto k = static_cast<std::size_t>(i);
      if (stopped[k] != 0) continue;
      const double position = q[at(model_->joint_q(joints_[k]))];
      const double wanted = position + found[i] * std::min(1.0, kMostMove / std::max(most, 1e-300));
      const double allowed = std::clamp(wanted, ranges_[k].lower, ranges_[k].upper);
      step[i] = allowed - position;
      if (allowed == wanted) continue;
      stopped[k] = 1;
      again = true;
    }
  }
  for (std::size_t k = 0; k < joints_.size(); ++k) {
    double& position = q[at(model_->joint_q(joints_[k]))];
    position = std::clamp(position + step[static_cast<Eigen::Index>(k)], ranges_[k].lower, ranges_[k].upper);
  }
}

/// From q until the target is reached or the iterations are used up; returns the weighted error.
double InverseKinematics::descend(const Pose& target, std::span<double> q, Result& result) {
  for (int i = 0;; ++i) {
    evaluate(target, q);
    const double error = weighted_error();
    if (reached() || i == settings_.iterations) return error;
    fill_jacobian();
    // Near singular postures the damped projection lets the pull to rest through, against the target: later without.
    const double rest_gain = 2 * i < settings_.iterations ? settings_.rest_gain : 0;
    move(0.5 * error + kLeastDamping, rest_gain, q);
    ++result.iterations;
  }
}

InverseKinematics::Result InverseKinematics::solve(const Pose& target, std::span<double> q) {
  assert(static_cast<int>(q.size()) == model_->nq());
  Result result;
  std::vector<double> trial(q.begin(), q.end());
  double best = HUGE_VAL;
  for (int start = 0;; ++start) {
    for (std::size_t i = 0; i < joints_.size(); ++i) {
      double& position = trial[at(model_->joint_q(joints_[i]))];
      if (start > 0) {
        const Range range = std::isfinite(ranges_[i].lower) ? ranges_[i] : Range{-M_PI, M_PI};
        position = range.lower + (range.upper - range.lower) * scattered(at(start) * joints_.size() + i);
      }
      position = std::clamp(position, ranges_[i].lower, ranges_[i].upper);
    }
    const double error = descend(target, trial, result);
    if (error < best) {
      best = error;
      std::copy(trial.begin(), trial.end(), q.begin());
      result.reached = reached();
      result.position_error = norm(position_error_);
      result.rotation_error = norm(rotation_error_);
    }
    if (result.reached || start == settings_.restarts) return result;
    ++result.restarts;
  }
}

}  // namespace uzawa
