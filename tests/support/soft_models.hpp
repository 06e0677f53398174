#pragma once

#include <functional>

#include "uzawa/model/model.hpp"
#include "uzawa/model/tet_mesh.hpp"

/// Soft bodies and rods whose states tests set by hand.
namespace uzawa::test {

/// A box from -half to half of nx x ny x nz nodes, six tetrahedra a cell.
TetMesh box_mesh(int nx, int ny, int nz, const Vec3& half);
/// The same, pushed outwards from a cube to a ball.
TetMesh ball_mesh(int n, double radius);

/// Adds the nodes, each a body with three slides, and the geom of the skin. Elements are the caller's.
SoftBodySpec& add_soft_body(ModelSpec& spec, const std::string& name, const std::vector<Vec3>& nodes, double radius,
                            const std::array<float, 4>& rgba);

/// A rod of straight links from point to point, with capsules.
RodSpec& add_rod(ModelSpec& spec, const std::string& name, const std::vector<Vec3>& points, double radius,
                 const std::array<float, 4>& rgba);

/// Puts the nodes of a soft body, at rest at x, to move(x).
void deform(const Model& model, int soft_body, const std::function<Vec3(const Vec3&)>& move, State& state);
/// Puts the links of a rod between the points and turns each about its axis by so many rad more than the one before.
void lay_rod(const Model& model, int rod, const std::vector<Vec3>& points, double twist, State& state);

}  // namespace uzawa::test
