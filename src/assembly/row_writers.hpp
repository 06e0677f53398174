#pragma once

#include <span>

#include "uzawa/assembly/constraint_writer.hpp"
#include "uzawa/assembly/settings.hpp"
#include "uzawa/assembly/ties.hpp"
#include "uzawa/collision/contacts/contact.hpp"
#include "uzawa/dynamics/integrators.hpp"
#include "uzawa/dynamics/newton_euler.hpp"

/// The constraints of a step, a function a kind. Each appends to the writer in the order of the Model's elements.
namespace uzawa {

/// Input of all kinds: the state in the middle of the step (ThetaRule) with its poses, and an estimate of v_{k+1} with
/// the poses that it leads to. Constraints that are not linear in q are linearised along the estimate u,
///
///     g(q_m + h v_{k+1}) = g(q_m + h u) + h J (v_{k+1} - u)
///
/// (relinearisation, which [AL] section III-B names): the tangent at q_m alone would leave an error of order h^2 a
/// step, and would remove a share (h w)^2 of the energy of a body that rotates at w about a fixed point.
struct StepView {
  const Model& model;
  const State& state;
  const DynamicsData& data;
  // valid where the model has constraints that are not linear in q
  std::span<const double> ahead_v, ahead_q;
  const DynamicsData& ahead;
  const ThetaRule& rule;
  const AssemblySettings& settings;
  std::span<const PathBend> bends;  ///< per link (path_bends); empty: all links are free bodies
  bool impact = false;              ///< no time passes: velocities change, positions do not

  /// Change of a quantity over the estimated step beyond its linear part h J ahead_v.
  double curvature(double now, double then, double ahead_rate) const { return then - now - rule.h * ahead_rate; }
};

/// Friction of a contact: that of PairMaterial; else the model's explicit pair's own; else that of the geom of higher
/// priority; else the larger of each.
FrictionCone contact_friction(const Model& model, const AssemblySettings& settings, const Contact& contact);
/// Restitution of a contact: that of PairMaterial, else AssemblySettings::restitution.
double contact_restitution(const AssemblySettings& settings, const Contact& contact);

/// Signorini-Coulomb contacts, [AL] eq. 5.
void write_contacts(const StepView& view, std::span<const Contact> contacts, ConstraintWriter& writer);

/// Contacts that were found at the end of the step (SecondLook): their gaps include the curvature of the paths.
void write_later_contacts(const StepView& view, std::span<const Contact> contacts, ConstraintWriter& writer);

/// The contacts with an impact in this step, with Newton's law for the velocities after the impact: J_n v = -rho J_n
/// v_k. Returns their number.
int write_impacts(const StepView& view, std::span<const Contact> contacts, ConstraintWriter& writer);

/// Joint limits that are close, as ranges of v_{k+1} ([JOINT] eq. 8). `active`, per joint: on input, 1 asks for the
/// limit even if it is not close; on output, 1 marks the limits written.
void write_joint_limits(const StepView& view, std::span<char> active, ConstraintWriter& writer);
void write_tendon_limits(const StepView& view, ConstraintWriter& writer);
/// Limits that are reached, in an impact: their violation may not grow.
void write_limits_in_impact(const StepView& view, ConstraintWriter& writer);

/// Dry friction of joints and tendons as impulse ranges ([JOINT] eq. 6).
void write_dry_friction(const StepView& view, ConstraintWriter& writer);

/// Connect, weld, joint and tendon couplings. `rest_length`: of the tendons at the reference configuration. In an
/// impact they keep their rates.
void write_equalities(const StepView& view, std::span<const double> rest_length, ConstraintWriter& writer);

void write_point_ties(const StepView& view, std::span<const PointTie> ties, ConstraintWriter& writer);
/// Needs the velocities of the expected step in `ahead`, too.
void write_no_slip(const StepView& view, std::span<const NoSlip> ties, ConstraintWriter& writer);

}  // namespace uzawa
