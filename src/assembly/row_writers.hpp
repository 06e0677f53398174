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

/// Input of all kinds: the state in the middle of the step (ThetaRule) with its poses, and the poses that its
/// velocities lead to.
struct StepView {
  const Model& model;
  const State& state;
  std::span<const double> v;  ///< that impulses of the step act on (MiddleWorkspace::start_v); data.velocity is theirs
  const DynamicsData& data;
  // after a step with these velocities; valid where the model has constraints that are not linear in q
  std::span<const double> ahead_q;
  const DynamicsData& ahead;
  const ThetaRule& rule;
  const AssemblySettings& settings;
  std::span<const PathBend> bends;  ///< per link (path_bends); empty: all fly alone
  Phase phase = Phase::Velocity;
  std::vector<std::uint64_t>* taut = nullptr;  ///< gets the keys of limits that are held like equalities
  std::span<const double> body_mobility{};     ///< body_mobilities, for soft methods

  /// By how much the step at present velocities changes a quantity beyond its rate, over h.
  double curvature_rate(double now, double then, double rate) const { return (then - now) / rule.h - rate; }
};

/// e of the velocity row J v_{k+1} + e = 0 of a constraint of up to three rows that is not linear in q. `rate`: J v
/// before `bend`: rate at which the constraint's curvature alone would violate it. J v_{k+1} = -bend keeps the position
/// to second order, and J v_{k+1} = -J v_k lets the constraint do no work, because the work of its impulse is half the
/// difference of the squares of the rates after and before, in the metric of the mass that it feels. On smooth motions
/// both are the same. The second alone rings where they are not, so a share of the first damps it; and never may the
/// rate grow, because that is what feeds energy to fast chains. Drift is corrected by the projection of positions.
Vec3 held_rate(const Vec3& rate, const Vec3& bend);

/// Friction of a contact: that of PairMaterial; else the model's explicit pair's own; else that of the geom of higher
/// priority; else the larger of each.
FrictionCone contact_friction(const Model& model, const AssemblySettings& settings, const Contact& contact);
/// Its rolling and torsional friction, by the same rules (condim 4 and 6); none where a skin touches, whose nodes do
/// not turn.
MomentCone contact_moments(const Model& model, const Contact& contact);
/// Restitution of a contact: that of PairMaterial, else AssemblySettings::restitution.
double contact_restitution(const AssemblySettings& settings, const Contact& contact);

/// Signorini-Coulomb contacts, [AL] eq. 5.
void write_contacts(const StepView& view, std::span<const Contact> contacts, ConstraintWriter& writer);

/// Contacts that were found at the end of the step (SecondLook): their gaps include the curvature of the paths.
void write_later_contacts(const StepView& view, std::span<const Contact> contacts, ConstraintWriter& writer);

/// The contacts with an impact in this step, with Newton's law for the velocities after it, to second order. `kick`:
/// what the forces of the step add to the velocities. Returns their number.
int write_impacts(const StepView& view, std::span<const Contact> contacts, std::span<const double> kick,
                  ConstraintWriter& writer);

/// Joint limits that are close, as ranges of v_{k+1} ([JOINT] eq. 8). `active`, per joint: on input, 1 asks for the
/// limit even if it is not close; on output, 1 marks the limits written.
void write_joint_limits(const StepView& view, std::span<char> active, ConstraintWriter& writer);
void write_tendon_limits(const StepView& view, ConstraintWriter& writer);
/// Penetrations, frictionless, as errors of position: `gaps` has the gap of each contact after the step.
void write_penetrations(const StepView& view, std::span<const Contact> contacts, std::span<const double> gaps,
                        ConstraintWriter& writer);

/// Limits that are reached, in an impact: their violation may not grow.
void write_limits_in_impact(const StepView& view, ConstraintWriter& writer);

/// Dry friction of joints and tendons as impulse ranges ([JOINT] eq. 6).
void write_dry_friction(const StepView& view, ConstraintWriter& writer);

/// Connect, weld, joint and tendon couplings. `rest_length`: of the tendons at the reference configuration. In an
/// impact they keep their rates.
void write_equalities(const StepView& view, std::span<const double> rest_length, ConstraintWriter& writer);

void write_point_ties(const StepView& view, std::span<const PointTie> ties, ConstraintWriter& writer);
/// Needs the velocities of the state in `ahead`, too.
void write_no_slip(const StepView& view, std::span<const NoSlip> ties, ConstraintWriter& writer);

}  // namespace uzawa
