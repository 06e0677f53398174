#pragma once

#include "uzawa/model/model.hpp"

/// Models small enough for closed forms.
namespace uzawa::test {

/// A point-like mass on a massless rod of length 1 m, hinged about y at the origin; q = 0 hangs down.
ModelSpec pendulum(double mass = 1);

/// One rigid body with a free joint.
ModelSpec free_body(const Vec3& principal_inertia = {0.1, 0.2, 0.25}, double mass = 2);

/// A symmetric top on a ball joint at the origin, its centre of mass at `height` on its z axis.
ModelSpec top(double height = 0.1);

/// A block of `mass` on a slide along x.
ModelSpec slider(double mass = 2);

}  // namespace uzawa::test
