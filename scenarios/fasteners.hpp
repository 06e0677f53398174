#pragma once

#include "uzawa/scenarios/builders.hpp"

namespace uzawa::scenarios {

/// A bolt and its nut: M48 x 5 of ISO 4014 and 4032, of steel, with a thread that is loose by a tenth of a millimetre.
struct Fastener {
  double diameter = 0.048, pitch = 0.005;  ///< m
  double clearance = 1e-4;                 ///< m, of the diameters of bolt and nut each (ISO 965: 0.07 to 0.4 mm)
  double width = 0.075;                    ///< m across the flats of nut and head
  double nut_height = 0.038, bolt_length = 0.1, head_height = 0.03;  ///< m
  double nut_mass = 0.96;                                            ///< kg
  double mu = 0.15;                                                  ///< oiled steel on steel

  double lead() const;  ///< m along the thread per radian
};

/// The bolt is part of the ground: its thread begins at `position`, where its head ends, and goes up.
void add_bolt(ModelSpec& spec, const Fastener& fastener, const Vec3& position);
/// The nut, with its middle at `position`, turned about z; returns its body. Its thread meets the bolt as a signed
/// distance; everything else meets its hexagon, which is three boxes: faces on faces, with the manifolds of boxes.
int add_nut(ModelSpec& spec, const Fastener& fastener, const Vec3& position, double angle);

}  // namespace uzawa::scenarios
