#pragma once

#include <span>

#include "uzawa/problem/problem.hpp"

/// The invertible contact model ([COND] eq. 37, after Todorov 2014): a compliance omega is added to each contact's own
/// part of the Delassus operator, lambda = SOL(J A^-1 b, J A^-1 J^T + omega 1). Then impulses are a function of
/// velocities alone, contact by contact: what contact-implicit optimisation wants.
///
/// For every method and the judge at once: a contact pushes a particle of mass 1 / omega as well, and the particle's
/// velocity omega lambda is that compliance. COND has the particle as a node of the contact's own, with step size
/// omega: the surrogate operator becomes Gamma + omega, which is what the paper asks for.
namespace uzawa {

/// The problem with a particle at each contact: blocks of three dofs after all others, in the order of the contacts.
/// `omega` > 0, in 1/kg.
Problem with_invertible_contacts(const Problem& problem, double omega);

/// The inverse: impulses of the contacts from velocities (of the problem without particles, or the first of those
/// with), lambda = SOL(J v, omega 1) by the strict law. Rows of other constraints, whose impulses velocities do not
/// tell, are left alone.
void contact_impulses_from_velocities(const Problem& problem, double omega, std::span<const double> v,
                                      std::span<double> lambda);

}  // namespace uzawa
