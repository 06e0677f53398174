#pragma once

#include <span>
#include <vector>

#include "uzawa/collision/contacts/contact.hpp"
#include "uzawa/collision/shape_set.hpp"
#include "uzawa/dynamics/data.hpp"
#include "uzawa/sim/step_end.hpp"

namespace uzawa {

/// Contacts of rims. Where a cylinder or an ellipsoid rolls, the point that touches moves over its surface, and the
/// surface comes nearer than the point that touches now: by the curvature of its support function, which is measured
/// at the poses that the velocities of `now` lead to. Writes Contact::bend of contacts that touch, one a pair (a flat
/// face rests on several, and does not roll).
void measure_rolling(const Model& model, const ShapeSet& shapes, const DynamicsData& now, double h, StepEnd& end,
                     std::span<Contact> contacts);

}  // namespace uzawa
