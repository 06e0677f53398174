#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "uzawa/model/spec.hpp"
#include "uzawa/model/tet_mesh.hpp"

/// Soft bodies from meshes. Each free node becomes a body with three slides along x, y and z on the ground, named
/// "name_17" after its number; the mesh's nodes keep their numbers as nodes of the soft body.
namespace uzawa {

enum class MassLumping {
  Volume,  ///< each node has an equal share of every element around it
  Uniform  ///< all nodes have the same mass, as MuJoCo's flexcomp
};

/// A node that moves with a body.
struct CarriedNode {
  int node = 0, body = 0;
};

struct SoftBodyOptions {
  std::string name = "soft";
  Vec3 position;     ///< m, of the mesh's frame in the world at the reference configuration
  Quat orientation;  ///< likewise
  /// kg/m^3. A shell's volume is area times material.thickness, a cord's length times pi radius^2.
  double density = 1000;
  std::optional<double> mass;  ///< kg, of all nodes together, in place of a density
  MassLumping lumping = MassLumping::Volume;
  SoftMaterial material;
  PieceSpec pieces;
  double radius = 0;  ///< m, of the skin around faces and edges
  std::array<double, 3> friction{1, 0.005, 0.0001};
  int contact_type = 1, contact_affinity = 1;
  bool self_contact = false;
  std::array<float, 4> rgba{0.85F, 0.45F, 0.35F, 1};
  /// Nodes that are fixed to the ground, and nodes that move with a body, where they are at the reference
  /// configuration. Their share of the mass is not simulated, as in MuJoCo.
  std::vector<int> pinned;
  std::vector<CarriedNode> carried;
};

/// Appends bodies, joints, a geom of ShapeType::Skin and the soft body; returns the index of the soft body. Linear
/// time. Throws InputError that names `options.name` where an element is inverted, degenerate or has a node that is not
/// there, a node belongs to no element, or a pin or carrier does not exist. check_mesh (mesh_check.hpp) repairs some.
int add_soft_body(ModelSpec& spec, const TetMesh& mesh, const SoftBodyOptions& options);
int add_shell(ModelSpec& spec, const TriangleMesh& mesh, const SoftBodyOptions& options);
int add_cord(ModelSpec& spec, const CordMesh& mesh, const SoftBodyOptions& options);

/// Nodes, ascending, for SoftBodyOptions::pinned and the like.
std::vector<int> select_nodes(const std::vector<Vec3>& nodes, const std::function<bool(const Vec3&)>& wanted);
/// Those in a box, its faces included.
std::vector<int> nodes_in_box(const std::vector<Vec3>& nodes, const Vec3& low, const Vec3& high);
std::vector<CarriedNode> carried_by(int body, const std::vector<int>& nodes);

}  // namespace uzawa
