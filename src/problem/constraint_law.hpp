#pragma once

#include <vector>

#include "uzawa/problem/problem.hpp"

namespace uzawa {

/// The law of one constraint of any kind, as in files, which list the constraints one by one; Problem stores them by
/// kind.
struct ConstraintLaw {
  ConstraintKind kind = ConstraintKind::Contact;
  FrictionCone cone;            ///< Contact
  Vec3 e;                       ///< Contact; Hard, Equality and Soft use z
  double k = 0, b = 0;          ///< Soft
  double lower = 0, upper = 0;  ///< Limit
  double bound = 0;             ///< Friction
  MomentCone moment;            ///< Moment
};

/// "contact", "hard", ...: the names in files and messages.
const char* kind_name(ConstraintKind kind);

ConstraintLaw law_of(const Problem& problem, int constraint);
void add_constraint(Problem& problem, const ConstraintLaw& law, const std::vector<Attachment>& at);

}  // namespace uzawa
