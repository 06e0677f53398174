#include <cmath>

#include "uzawa/assembly/row_writers.hpp"
#include "uzawa/base/error.hpp"
#include "uzawa/dynamics/kinematics.hpp"

namespace uzawa {

namespace {

/// Where a no-slip row takes hold, and its rate for the velocities in `data`.
struct NoSlipPlace {
  Vec3 point, direction;  ///< world
  double rate = 0;
};
NoSlipPlace place(const Model& model, const DynamicsData& data, const NoSlip& tie) {
  NoSlipPlace p;
  const Mat3 axes = body_pose(model, data, tie.axes).rotation;
  p.point = body_pose(model, data, tie.body).position + axes * tie.offset;
  p.direction = axes * (tie.direction * (1 / norm(tie.direction)));
  const Vec3 slip = point_velocity(model, data, model.body_link(tie.body), p.point) -
                    point_velocity(model, data, model.body_link(tie.ground), p.point);
  p.rate = dot(p.direction, slip);
  return p;
}

void check_body(const Model& model, const std::string& element, int body) {
  if (body >= 0 && body < static_cast<int>(model.spec().bodies.size())) return;
  throw InputError(model.spec().source, element, "there is no body " + std::to_string(body));
}

void check_vector(const Model& model, const std::string& element, const char* what, const Vec3& v) {
  if (!all_finite(v)) throw InputError(model.spec().source, element, std::string(what) + " is not finite");
}

}  // namespace

void validate(const Ties& ties, const Model& model) {
  for (const NoSlip& tie : ties.no_slip) {
    const std::string element = "no-slip '" + tie.name + "'";
    for (const int body : {tie.body, tie.ground, tie.axes}) check_body(model, element, body);
    check_vector(model, element, "its offset", tie.offset);
    check_vector(model, element, "its direction", tie.direction);
    if (norm(tie.direction) == 0) throw InputError(model.spec().source, element, "its direction is zero");
    if (!std::isfinite(tie.speed)) throw InputError(model.spec().source, element, "its speed is not finite");
  }
  for (const PointTie& tie : ties.points) {
    const std::string element = "tie '" + tie.name + "'";
    for (const int body : {tie.first, tie.second}) check_body(model, element, body);
    check_vector(model, element, "its first anchor", tie.first_anchor);
    check_vector(model, element, "its second anchor", tie.second_anchor);
  }
}

void write_no_slip(const StepView& view, std::span<const NoSlip> ties, ConstraintWriter& writer) {
  const Model& model = view.model;
  for (std::size_t i = 0; i < ties.size(); ++i) {
    const NoSlip& tie = ties[i];
    const NoSlipPlace now = place(model, view.data, tie);
    const Mat3 frame = contact_frame(now.direction);
    writer.hold_point(model.link_side(model.body_link(tie.body)), now.point, frame, 1);
    writer.hold_point(model.link_side(model.body_link(tie.ground)), now.point, frame, -1);
    // Half of the turn of the row in the step: it holds midway between this pose and the next, so that the two halves
    // of the work of its impulse cancel. At this pose alone it would brake all that turns, by (h w)^2 of its energy a
    // step.
    const bool impact = view.phase == Phase::Impact;
    const double turn = impact ? 0 : place(model, view.ahead, tie).rate - writer.rate();
    const double target = impact ? writer.rate() : tie.speed;
    writer.equality(constraint_key(ConstraintSource::NoSlip, static_cast<int>(i)), 0.5 * turn - target);
  }
}

}  // namespace uzawa
