#pragma once

#include <string>
#include <variant>
#include <vector>

#include "uzawa/math/quaternion.hpp"

/// Collision shapes given by a signed distance instead of a primitive or a hull, as plain data. Syntax in model files:
/// docs/sdf-shapes.md.
namespace uzawa {

/// A point of a profile in the half plane (radius, height) that turns about the z axis.
struct ProfilePoint {
  double radius = 0, height = 0;  ///< m
  /// The stretch from here to the next point: 0 is straight; otherwise an arc, given by tan of a quarter of its angle,
  /// positive where it turns counter-clockwise with the radius to the right and the height up.
  double bulge = 0;
};

/// A shell of revolution: everything within half the thickness of the turned polyline ([AL] eq. 46, with d half of the
/// thickness, and more than two stretches).
struct RevolvedSpec {
  std::vector<ProfilePoint> skeleton;  ///< at least two points; the middle of the wall
  double thickness = 0;                ///< m, of the wall; edges are round
  double rounding = 0;  ///< m, radius of the skeleton's corners between straight stretches, where it fits
};

/// ISO metric thread with the basic profile of ISO 68-1 (60 degree flanks, flats of P/8 and P/4), right-handed, about
/// the z axis. The middle of the bolt's crest passes through angle 0 at z = 0, in bolt and nut alike: a nut with the
/// bolt's pose fits, and so does one moved by dz along z and turned by 2 pi dz / pitch.
struct ThreadSpec {
  bool internal = false;   ///< false: bolt, z in [0, length]; true: nut, z in [-length/2, length/2]
  double diameter = 0;     ///< m, nominal (major)
  double pitch = 0;        ///< m
  double length = 0;       ///< m, of the thread
  double clearance = 0;    ///< m; a bolt's diameters are smaller by this, a nut's larger
  double chamfer = -1;     ///< m, of 45 degrees at a bolt's tip and both ends of a nut; -1: the depth of the thread
  double width = 0;        ///< m across flats of the hexagon: nut, or head of the bolt (0: no head)
  double head_height = 0;  ///< m; the head is below z = 0
};

struct RoundedBoxSpec {
  Vec3 half_size;       ///< m, rounding included
  double rounding = 0;  ///< m, radius of edges and corners
};

/// The geom's own mesh, sampled on a grid.
struct BakedMeshSpec {
  double cell = 0;  ///< m, edge of a grid cell; 0: a 96th of the longest side of the mesh
};

/// One member of a union.
struct SdfPart {
  std::variant<RevolvedSpec, ThreadSpec, RoundedBoxSpec, BakedMeshSpec> shape;
  Vec3 position;     ///< m, in the frame of the SDF
  Quat orientation;  ///< in the frame of the SDF
};

struct SdfSpec {
  std::vector<SdfPart> parts;  ///< their union
  double chord_error = 5e-5;   ///< m, of the triangles that sample the surface
  double longest_edge = 0.01;  ///< m, of the same triangles
  Vec3 position;               ///< m, of the SDF's frame in the geom's frame
  Quat orientation;            ///< of the SDF's frame in the geom's frame
};

/// Parameters of shells for dishes. Heights are measured on the skeleton; its lowest point is the origin.
RevolvedSpec dish(double radius, double height, double foot, double thickness);  ///< [AL] eq. 46: O, A, B
RevolvedSpec plate(double radius, double height, double thickness);              ///< a dish with a broad flat rim
RevolvedSpec bowl(double radius, double height, double thickness);               ///< a flat foot and a round wall
RevolvedSpec pot(double radius, double height, double thickness);                ///< an upright wall
RevolvedSpec bottle(double radius, double height, double neck_radius, double neck_height, double thickness);

/// The first error in the spec, in a few words; empty: none.
std::string defect(const SdfSpec& spec);

}  // namespace uzawa
