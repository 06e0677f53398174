#pragma once

#include "uzawa/collision/contacts/contact.hpp"
#include "uzawa/collision/shape_set.hpp"
#include "uzawa/dynamics/data.hpp"

namespace uzawa {

/// Whether some dof moves the two sides of a contact along its normal, by a lever worth the name: where links overlap
/// at the joint that connects them, the normal passes through the joint, and no force along it moves anything. Such a
/// contact has rows of rounding errors, its impulses and corrections are errors over errors. Nor is a lever worth it
/// that would have to turn by radians to undo the overlap.
///
/// The measure is the kinematic part of the normal's mobility J M^-1 J^T against that of free links, 1/m and more: for
/// a lever d about a joint and a link of size l the share is about (d/l)^2. Masses and armatures do not enter: a geared
/// finger is slow, but it moves.
bool has_lever(const Model& model, const ShapeSet& shapes, const DynamicsData& data, const Contact& contact);

}  // namespace uzawa
