#pragma once

#include "sim/scenes.hpp"
#include "uzawa/dynamics/newton_euler.hpp"
#include "uzawa/meshing/grids.hpp"
#include "uzawa/model/rod_builder.hpp"
#include "uzawa/model/soft_builder.hpp"

/// Soft bodies and rods that are small enough for closed forms and for many steps.
namespace uzawa::test {

/// Friction of a skin or rod that leaves the choice to the other geom: of a pair the larger counts.
inline constexpr std::array<double, 3> kSmooth{0, 0, 0};

/// No ground, no gravity.
ModelSpec empty_space(double timestep);
/// A cube of tetrahedra, 0.1 MPa, 0.3, 1000 kg/m^3, without friction of its own.
SoftBodyOptions jelly(const std::string& name, const Vec3& position, double damping = 0);
/// A cube of 1,331 nodes just above a ground with friction: systems with its matrix are solved by iterations
/// (NodalSolver, NodalNewton).
ModelSpec large_jelly();
/// Whether that is so in the last step.
bool iterates(const World& world);
/// A straight polyline of `links` segments.
std::vector<Vec3> line(const Vec3& from, const Vec3& to, int links);
/// A box on a slide along `axis` with a position servo of `stiffness` (N/m) and `damping` (N s/m); returns its body.
struct PlateOptions {
  Vec3 half, position, axis{0, 0, 1};
  double mass = 1, stiffness = 1e6, damping = 1e4, mu = 0;
};
int add_plate(ModelSpec& spec, const std::string& name, const PlateOptions& options);

/// Where node `node` of a soft body is, and its velocity.
Vec3 node_position(const World& world, int node, int soft_body = 0);
Vec3 node_velocity(const World& world, int node, int soft_body = 0);
/// Of the centre of a rod's link.
Vec3 link_position(const World& world, int link, int rod = 0);
/// Of the link's centre, m/s, world axes.
Vec3 link_velocity(const World& world, int link, int rod = 0);
/// Address in q and v of a body's first joint.
std::size_t first_q(const World& world, int body);
std::size_t first_v(const World& world, int body);

/// Kinematics at the state of the world.
DynamicsData data_of(const World& world);
Momentum momentum_of(const World& world);
/// J: kinetic, of gravity and elastic.
double total_energy(const World& world);
/// Largest speed of any dof, m/s or rad/s.
double largest_speed(const World& world);
/// N, of all contacts on a geom, in the last step.
Vec3 force_on(const World& world, int geom);

}  // namespace uzawa::test
