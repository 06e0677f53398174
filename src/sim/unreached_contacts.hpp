#pragma once

#include <span>
#include <vector>

#include "uzawa/collision/contacts/contact.hpp"
#include "uzawa/dynamics/data.hpp"
#include "uzawa/sim/warm_start.hpp"

namespace uzawa {

/// Contacts that the motion does not reach within the step. Collision detection lists all that bodies of these speeds
/// might touch, whichever way they go; most of it they don't, and an open contact costs its rows in every iteration. So
/// a contact that the velocities at the start of the step leave open is deferred, without a row. After each solve the
/// velocities as solved decide: those that would be passed get their rows. A solution that leaves all others open also
/// solves the problem with their rows, at no impulse: nothing is lost but the time of another solve.
class UnreachedContacts {
 public:
  /// `margin`: m; contacts that the start's velocities leave open by no more may yet be reached by what forces and
  /// impulses add within the step.
  UnreachedContacts(const Model& model, double margin) : model_(model), margin_(margin) {}

  void clear() { deferred_.clear(); }
  bool any() const { return !deferred_.empty(); }
  /// Takes contacts out that the joint velocities v do not reach within h, but none that had an impulse in the last
  /// step.
  void defer(const DynamicsData& now, std::span<const double> v, double h, WarmStart& last,
             std::vector<Contact>& contacts);
  /// After a solve: appends those that are passed at v, and where there is one and `all`, those that are left.
  void look_again(const DynamicsData& now, std::span<const double> v, double h, bool all,
                  std::vector<Contact>& contacts);

  /// Appends those that have stayed open to the end: the projection of positions must not push bodies into them.
  void release(std::vector<Contact>& contacts);

 private:
  double gap_at_end(const Contact& contact, const DynamicsData& now, double h) const;

  const Model& model_;
  double margin_;
  std::vector<Motion> velocity_;  ///< per link
  std::vector<Contact> deferred_;
};

}  // namespace uzawa
