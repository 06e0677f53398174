#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "uzawa/dynamics/data.hpp"

namespace uzawa {

/// A frame that moves with a link.
struct LinkFrame {
  int link = 0;  ///< of the model
  Pose local;    ///< in the link's frame
};
/// The frame of a site or body. Throws InputError where there is none of that name, or it is fixed to the ground.
LinkFrame site_frame(const Model& model, std::string_view site);
LinkFrame body_frame(const Model& model, std::string_view body);

struct InverseKinematicsSettings {
  double tolerance = 1e-9;       ///< m and rad, of position and of orientation
  double rotation_length = 0.2;  ///< m; an error of 1 rad counts as much as this
  int iterations = 80;           ///< for each start
  int restarts = 40;             ///< from random postures within the limits, where the first start leads nowhere
  int carrier = -1;              ///< link that carries the arm: joints between the ground and it stay as they are
  double rest_gain = 0.3;        ///< share of the way to the rest posture that an iteration goes where the frame allows
};

/// Damped least squares on a frame's position and orientation: dq = J^T (J J^T + damping)^-1 e, with a damping that
/// falls with the error (Sugihara, "Solvability-unconcerned inverse kinematics by the Levenberg-Marquardt method", IEEE
/// T-RO 2011), so that it is safe far from the target and quadratic near it. Joints that would pass a limit stop there,
/// and the others compensate. The null space moves towards the rest posture.
class InverseKinematics {
 public:
  /// Moves all hinges and slides between the ground (or settings.carrier) and the frame.
  InverseKinematics(const Model& model, const LinkFrame& frame, InverseKinematicsSettings settings = {});

  /// Joints that it moves, from the ground outwards.
  std::span<const int> joints() const { return joints_; }
  /// Rest posture, the target of the null space: one number a joint of `joints()`. Initially the middle of the ranges,
  /// zero for joints without a range.
  void set_rest(std::span<const double> rest);
  /// The same, from a configuration of the whole model.
  void set_rest_from(std::span<const double> q);

  struct Result {
    bool reached = false;  ///< to the tolerance
    double position_error = 0, rotation_error = 0;
    int iterations = 0, restarts = 0;
  };
  /// Changes the joints() in q (a whole configuration; the rest of it is kept) so that the frame takes the pose, or the
  /// closest pose found. Starts from q, within the limits. Deterministic.
  Result solve(const Pose& target, std::span<double> q);
  /// Pose of the frame at a configuration.
  Pose pose(std::span<const double> q);

 private:
  struct Range {
    double lower, upper;
  };
  double descend(const Pose& target, std::span<double> q, Result& result);
  void evaluate(const Pose& target, std::span<const double> q);
  void fill_jacobian();
  void move(double damping, double rest_gain, std::span<double> q);
  double weighted_error() const;
  bool reached() const;

  const Model* model_;
  LinkFrame frame_;
  InverseKinematicsSettings settings_;
  DynamicsData data_;
  std::vector<int> joints_;
  std::vector<Range> ranges_;
  std::vector<double> rest_;
  // -- of the last evaluate
  Vec3 position_error_, rotation_error_;  ///< world
  Vec3 point_;                            ///< the frame's origin, world
  std::vector<double> jacobian_;          ///< 6 x joints, column-major; rotation rows times rotation_length
};

}  // namespace uzawa
