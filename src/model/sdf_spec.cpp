#include "uzawa/model/sdf_spec.hpp"

#include <cmath>
#include <initializer_list>

namespace uzawa {

namespace {

/// Everyday dishes are rounded inside by about the thickness of their wall.
RevolvedSpec shell(std::vector<ProfilePoint> skeleton, double thickness) {
  return {std::move(skeleton), thickness, thickness};
}

bool positive(double value) { return std::isfinite(value) && value > 0; }
bool not_negative(double value) { return std::isfinite(value) && value >= 0; }

std::string defect_of(const RevolvedSpec& shape) {
  if (shape.skeleton.size() < 2) return "a profile needs at least two points";
  for (std::size_t i = 0; i < shape.skeleton.size(); ++i) {
    const ProfilePoint& p = shape.skeleton[i];
    if (!not_negative(p.radius)) return "radii of a profile must not be negative";
    if (!std::isfinite(p.height) || !std::isfinite(p.bulge)) return "a profile point is not finite";
    if (std::abs(p.bulge) > 1) return "an arc of a profile must not exceed half a circle (bulge 1)";
    if (i == 0) continue;
    const ProfilePoint& before = shape.skeleton[i - 1];
    if (length(p.radius - before.radius, p.height - before.height) < 1e-9) return "two profile points coincide";
  }
  if (!positive(shape.thickness)) return "thickness must be positive";
  if (!not_negative(shape.rounding)) return "rounding must not be negative";
  return {};
}

std::string defect_of(const ThreadSpec& shape) {
  for (const double size : {shape.diameter, shape.pitch, shape.length}) {
    if (!positive(size)) return "diameter, pitch and length must be positive";
  }
  // The depth of the thread on both sides, and a core that is left: a steeper one is no screw.
  if (shape.pitch > shape.diameter / 3) return "pitch must not exceed a third of the diameter";
  if (shape.pitch < shape.length * 1e-4) return "more than 10000 turns";
  if (!not_negative(shape.clearance) || shape.clearance > shape.pitch / 2) {
    return "clearance must be between 0 and half the pitch";
  }
  if (!std::isfinite(shape.chamfer)) return "chamfer is not finite";
  if (shape.chamfer > shape.length / 2 || shape.chamfer > shape.diameter / 4) return "chamfer is too large";
  if (!not_negative(shape.width) || !not_negative(shape.head_height)) return "width and head height are not sizes";
  if (shape.internal && shape.width <= shape.diameter + shape.clearance) return "a nut must be wider than its thread";
  if (!shape.internal && (shape.width > 0) != (shape.head_height > 0)) return "a head needs a width and a height";
  return {};
}

std::string defect_of(const RoundedBoxSpec& shape) {
  if (!not_negative(shape.rounding)) return "rounding must not be negative";
  for (int k = 0; k < 3; ++k) {
    if (!positive(shape.half_size[k])) return "sizes of a box must be positive";
    if (shape.rounding > shape.half_size[k]) return "rounding exceeds half the size of the box";
  }
  return {};
}

std::string defect_of(const BakedMeshSpec& shape) {
  return not_negative(shape.cell) ? "" : "the cell size must be positive, or 0 for the default";
}

bool is_pose(const Vec3& position, const Quat& orientation) {
  const double size = orientation.w * orientation.w + dot(orientation.v, orientation.v);
  return all_finite(position) && std::isfinite(size) && size > 1e-12;
}

}  // namespace

RevolvedSpec dish(double radius, double height, double foot, double thickness) {
  return shell({{0, 0}, {foot, 0}, {radius, height}}, thickness);
}

RevolvedSpec plate(double radius, double height, double thickness) {
  return shell({{0, 0}, {0.6 * radius, 0}, {0.7 * radius, 0.7 * height}, {radius, height}}, thickness);
}

RevolvedSpec bowl(double radius, double height, double thickness) {
  return shell({{0, 0}, {0.4 * radius, 0, 0.25}, {radius, height}}, thickness);
}

RevolvedSpec pot(double radius, double height, double thickness) {
  return shell({{0, 0}, {radius, 0}, {radius, height}}, thickness);
}

RevolvedSpec bottle(double radius, double height, double neck_radius, double neck_height, double thickness) {
  const double shoulder = radius - neck_radius;  // of 45 degrees
  return shell({{0, 0},
                {radius, 0},
                {radius, height - neck_height - shoulder},
                {neck_radius, height - neck_height},
                {neck_radius, height}},
               thickness);
}

std::string defect(const SdfSpec& spec) {
  if (spec.parts.empty()) return "has no part";
  if (!positive(spec.chord_error) || !positive(spec.longest_edge)) return "chord error and edge must be positive";
  if (!is_pose(spec.position, spec.orientation)) return "its pose is not finite";
  for (const SdfPart& part : spec.parts) {
    if (!is_pose(part.position, part.orientation)) return "the pose of a part is not finite";
    std::string reason = std::visit([](const auto& shape) { return defect_of(shape); }, part.shape);
    if (!reason.empty()) return reason;
    if (spec.parts.size() > 1 && std::holds_alternative<BakedMeshSpec>(part.shape)) return "a mesh cannot be joined";
  }
  return {};
}

}  // namespace uzawa
