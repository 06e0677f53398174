#pragma once

#include "uzawa/collision/convex/proximity.hpp"
#include "uzawa/collision/pairs/narrow_phase.hpp"

/// One function a pair of shape types, the first type not after the second in the order of ShapeType. Each appends the
/// contacts whose gap is below the margin, with normals from a to b.
namespace uzawa::contacts {

void plane_sphere(const PlacedShape& a, const PlacedShape& b, double margin, NarrowWorkspace& w, Manifold& out);
void plane_capsule(const PlacedShape& a, const PlacedShape& b, double margin, NarrowWorkspace& w, Manifold& out);
void plane_ellipsoid(const PlacedShape& a, const PlacedShape& b, double margin, NarrowWorkspace& w, Manifold& out);
void plane_cylinder(const PlacedShape& a, const PlacedShape& b, double margin, NarrowWorkspace& w, Manifold& out);
void plane_box(const PlacedShape& a, const PlacedShape& b, double margin, NarrowWorkspace& w, Manifold& out);
void plane_mesh(const PlacedShape& a, const PlacedShape& b, double margin, NarrowWorkspace& w, Manifold& out);

void sphere_sphere(const PlacedShape& a, const PlacedShape& b, double margin, NarrowWorkspace& w, Manifold& out);
void sphere_capsule(const PlacedShape& a, const PlacedShape& b, double margin, NarrowWorkspace& w, Manifold& out);
void sphere_ellipsoid(const PlacedShape& a, const PlacedShape& b, double margin, NarrowWorkspace& w, Manifold& out);
void sphere_cylinder(const PlacedShape& a, const PlacedShape& b, double margin, NarrowWorkspace& w, Manifold& out);
void sphere_box(const PlacedShape& a, const PlacedShape& b, double margin, NarrowWorkspace& w, Manifold& out);

void capsule_capsule(const PlacedShape& a, const PlacedShape& b, double margin, NarrowWorkspace& w, Manifold& out);
void box_box(const PlacedShape& a, const PlacedShape& b, double margin, NarrowWorkspace& w, Manifold& out);

/// Any two convex shapes, by proximity() and the patches that face each other.
void convex_convex(const PlacedShape& a, const PlacedShape& b, double margin, NarrowWorkspace& w, Manifold& out);
/// A height field and any convex shape.
void field_convex(const PlacedShape& a, const PlacedShape& b, double margin, NarrowWorkspace& w, Manifold& out);

/// The rest of convex_convex where normal and gap are known: the multi-point manifold. `pose_a` places A's frame.
void add_patch_contacts(const ConvexPair& pair, const Proximity& found, const Pose& pose_a, double margin,
                        NarrowWorkspace& w, Manifold& out);

/// cos of the largest angle (2 degrees) between a reference face's normal and the contact normal. Points of a face that
/// leans away from the other are no closer than the closest points; they are reported within the margin.
inline constexpr double kStandsOn = 0.9994;

/// The shape with the reference face for the normal (from A to B, in the patches' frame).
enum class Reference { None, A, B };
Reference reference_face(const Patch& a, const Patch& b, const Vec3& normal);

/// Contacts of an incident patch with a reference face, cut to the face, in A's frame. `reference_first`: the face is
/// A's. Returns the least gap, or a huge number where the clipped patch is empty.
double add_face_contacts(const ConvexPair& pair, const Vec3& normal, bool reference_first, const Pose& pose_a,
                         double margin, NarrowWorkspace& w, Manifold& out);

}  // namespace uzawa::contacts
