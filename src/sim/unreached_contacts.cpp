#include "uzawa/sim/unreached_contacts.hpp"

#include <algorithm>

#include "uzawa/dynamics/elastic.hpp"
#include "uzawa/dynamics/kinematics.hpp"

namespace uzawa {

/// Along its plane, at the velocities of the links in velocity_.
double UnreachedContacts::gap_at_end(const Contact& contact, const DynamicsData& now, double h) const {
  const auto [side1, side2] = contact_sides(model_, contact);
  const Vec3 relative = side_velocity(model_, now, velocity_, side2, contact.position) -
                        side_velocity(model_, now, velocity_, side1, contact.position);
  return contact.gap + h * dot(contact.normal, relative);
}

void UnreachedContacts::defer(const DynamicsData& now, std::span<const double> v, double h, WarmStart& last,
                              std::vector<Contact>& contacts) {
  const auto may_be_far = [&](const Contact& contact) { return contact.gap > margin_ && !contact.on_skin(); };
  if (std::none_of(contacts.begin(), contacts.end(), may_be_far)) return;
  velocity_.resize(model_.links().size());
  link_velocities(model_, v, now, velocity_);
  std::erase_if(contacts, [&](const Contact& contact) {
    if (!may_be_far(contact) || gap_at_end(contact, now, h) <= margin_ || last.normal_impulse(contact.key) > 0) {
      return false;
    }
    deferred_.push_back(contact);
    return true;
  });
}

void UnreachedContacts::look_again(const DynamicsData& now, std::span<const double> v, double h, bool all,
                                   std::vector<Contact>& contacts) {
  link_velocities(model_, v, now, velocity_);
  const auto is_passed = [&](const Contact& contact) { return gap_at_end(contact, now, h) < 0; };
  if (std::none_of(deferred_.begin(), deferred_.end(), is_passed)) return;
  std::erase_if(deferred_, [&](const Contact& contact) {
    if (!all && !is_passed(contact)) return false;
    contacts.push_back(contact);
    return true;
  });
}

void UnreachedContacts::release(std::vector<Contact>& contacts) {
  contacts.insert(contacts.end(), deferred_.begin(), deferred_.end());
  deferred_.clear();
}

}  // namespace uzawa
