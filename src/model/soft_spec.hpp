#pragma once

#include <array>
#include <string>
#include <vector>

#include "uzawa/elastic/soft_material.hpp"
#include "uzawa/math/quaternion.hpp"

/// Bodies that deform. Their mass and motion are those of ordinary bodies, so that states, gravity, ties, sites, logs
/// and MuJoCo's layout of q and v are the same for them; what is new is the elastic energy between these bodies.
namespace uzawa {

/// How a soft body or rod is cut into pieces that are subsystems of their own, tied where they were cut ([SUB] section
/// III-A). Motion does not depend on it: a Problem knows the body as a whole, too, and a method solves either form.
struct PieceSpec {
  int count = 1;        ///< of balanced sizes; 1: whole, 0: as many as suit SubADMM
  std::vector<int> of;  ///< in place of `count`, per node of a soft body or link of a rod: its piece, from 0
};

/// Nodes and the elements between them. A node is a point of a body:
///   - of a body with three slide joints along orthogonal axes on the ground: a free node, whose mass the body has;
///   - of a body that is fixed to the ground: a pinned node;
///   - of any other body (a robot's link): a node that moves with it.
/// The shape at the reference configuration is free of stress.
struct SoftBodySpec {
  std::string name;
  std::vector<int> bodies;    ///< per node: the body that carries it
  std::vector<Vec3> offsets;  ///< per node: m, in the body's frame; empty: all nodes are at their bodies' origins
  std::vector<std::array<int, 4>> tets;       ///< positively oriented
  std::vector<std::array<int, 3>> triangles;  ///< of a shell
  std::vector<std::array<int, 2>> edges;      ///< springs (SoftMaterial::edge_stiffness), or the axis of a cord
  SoftMaterial material;
  PieceSpec pieces;  ///< of solids of tetrahedra without averaged dilatation
  /// The skin is touched through a geom of ShapeType::Skin whose `asset` is this soft body: faces of the tetrahedra
  /// that no other shares, triangles (both sides), edges of soft bodies without either; with the radius size.x of that
  /// geom around them.
  /// Where in a flat texture the corners of the skin's faces are (make_skin()), three a face; empty: nobody says.
  std::vector<std::array<float, 2>> texture_places;
  bool self_contact = false;  ///< parts of the skin touch each other; their distance is twice the radius
};

/// Elastic joint between two links of a rod, with rest shape and stiffness in the frame of the joint on the first link.
/// z of the links' frames is the axis of the rod.
struct RodJointSpec {
  int first = 0, second = 1;         ///< of RodSpec::bodies
  Vec3 first_anchor, second_anchor;  ///< m, in the body frames: coincide at rest
  Quat relative_orientation;         ///< of the second body in the frame of the first, at rest
  Vec3 stiffness;                    ///< N/m: shear along x and y, stretch along z
  Vec3 angular_stiffness;            ///< N m/rad: bending about x and y, twist about z
};

/// A rod: bodies on free joints, one after the other, with elastic joints between them; the last may be joined to the
/// first. Their geoms (capsules) touch other things and each other.
struct RodSpec {
  std::string name;
  std::vector<int> bodies;  ///< in the order along the rod
  std::vector<RodJointSpec> joints;
  double damping = 0;  ///< s, >= 0: D = damping * K (Rayleigh)
  PieceSpec pieces;    ///< consecutive links
};

}  // namespace uzawa
