#include "uzawa/scenarios/fasteners.hpp"

#include <cmath>

namespace uzawa::scenarios {

namespace {

SdfSpec shape_of(const ThreadSpec& thread) {
  SdfSpec shape;
  shape.parts.push_back({thread, {}, {}});
  return shape;
}

/// What the threads of bolt and nut have in common.
ThreadSpec thread_of(const Fastener& f, double length) {
  return {.diameter = f.diameter, .pitch = f.pitch, .length = length, .clearance = f.clearance, .width = f.width};
}

/// Who meets whom: the bolt and the nut's thread each other, the hexagon all but the bolt, the bolt all but the
/// hexagon.
constexpr int kThreadMask = 2;

/// A regular hexagon is the union of the three rectangles between opposite flats.
void add_hexagon(ModelSpec& spec, const Fastener& f, int body) {
  for (int k = 0; k < 3; ++k) {
    GeomSpec box;
    box.name = "flats" + std::to_string(k);
    box.body = body;
    box.shape = ShapeType::Box;
    box.size = {f.width / 2, f.width / 2 / std::sqrt(3.0), f.nut_height / 2};
    box.orientation = exp_rotation({0, 0, k * M_PI / 3});
    box.friction = {f.mu, 0, 0};
    box.contact_type = 0;
    box.group = 3;
    spec.geoms.push_back(std::move(box));
  }
}

/// Area and polar moment (m^4, over the area: m^2) of a hexagon with a round hole.
struct Section {
  double area, square_radius;
};
Section nut_section(const Fastener& f) {
  const double side = f.width / std::sqrt(3.0), hole = f.diameter / 2 - f.pitch / 4;  // mean radius of the thread
  const double area = 1.5 * std::sqrt(3.0) * side * side - M_PI * hole * hole;
  const double moment = 5 * std::sqrt(3.0) / 8 * std::pow(side, 4) - M_PI / 2 * std::pow(hole, 4);
  return {area, moment / area};
}

}  // namespace

double Fastener::lead() const { return pitch / (2 * M_PI); }

void add_bolt(ModelSpec& spec, const Fastener& f, const Vec3& position) {
  ThreadSpec thread = thread_of(f, f.bolt_length);
  thread.head_height = f.head_height;
  add_sdf_wall(spec, {.name = "bolt",
                      .shape = shape_of(thread),
                      .radius = f.diameter / 2,
                      .half_height = f.bolt_length,
                      .position = position,
                      .mu = f.mu,
                      .rgba = {0.55F, 0.56F, 0.6F, 1}});
  spec.geoms.back().contact_type = kThreadMask;
}

int add_nut(ModelSpec& spec, const Fastener& f, const Vec3& position, double angle) {
  const double square = nut_section(f).square_radius;
  const double across = f.nut_mass * (square / 2 + f.nut_height * f.nut_height / 12);
  ThreadSpec thread = thread_of(f, f.nut_height);
  thread.internal = true;
  const int body = add_sdf_body(spec, {.name = "nut",
                                       .shape = shape_of(thread),
                                       .radius = f.width / 2,
                                       .half_height = f.nut_height / 2,
                                       .mass = f.nut_mass,
                                       .inertia = {across, across, f.nut_mass * square},
                                       .position = position,
                                       .orientation = exp_rotation({0, 0, angle}),
                                       .mu = f.mu,
                                       .rgba = {0.8F, 0.66F, 0.35F, 1}});
  spec.geoms.back().contact_type = 0;
  spec.geoms.back().contact_affinity = kThreadMask;
  add_hexagon(spec, f, body);
  return body;
}

}  // namespace uzawa::scenarios
