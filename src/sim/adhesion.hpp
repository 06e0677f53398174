#pragma once

#include <span>

#include "uzawa/collision/contacts/contact.hpp"
#include "uzawa/dynamics/data.hpp"

namespace uzawa {

/// Whether any actuator is one on a body (Transmission::Body).
bool has_adhesion(const Model& model);

/// impulse += h J^T f of such actuators: the force of each is shared out evenly among the
/// contacts of its body and draws them together. Needs actuator_force. As in MuJoCo, contacts within their margin
/// count.
void add_adhesion(const Model& model, std::span<const Contact> contacts, const DynamicsData& data, double h,
                  std::span<double> impulse);

}  // namespace uzawa
