#include "uzawa/sim/second_look.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "uzawa/base/at.hpp"
#include "uzawa/base/mixed_bits.hpp"
#include "uzawa/dynamics/elastic.hpp"
#include "uzawa/dynamics/kinematics.hpp"

namespace uzawa {

namespace {

/// Upper bound of the allowance as a share of a shape's radius: a millimetre is small for a robot's foot, but not for a
/// grain.
constexpr double kMostShare = 0.05;

/// The same of a skin's edges: they are sharp, and roll over others with every step.
constexpr double kSkinShare = 0.001;

std::pair<int, int> geoms_of(const Contact& contact) { return {contact.geom1, contact.geom2}; }

/// The most negative gap of the same pair of geoms, 0 without penetration; of a skin, which may touch a geom in many
/// places, that of the same features. `contacts` are ascending by their geoms.
double overlap_of_pair(std::span<const Contact> contacts, const Contact& like) {
  auto same = std::lower_bound(contacts.begin(), contacts.end(), like,
                               [](const Contact& a, const Contact& b) { return geoms_of(a) < geoms_of(b); });
  double deepest = 0;
  for (; same != contacts.end() && geoms_of(*same) == geoms_of(like); ++same) {
    if (!like.on_skin() || same->key == like.key) deepest = std::min(deepest, same->gap);
  }
  return deepest;
}

/// Key of a contact found at the end of the step: its plane differs from that of a first-look contact between the same
/// features, so warm starts must not mix them.
std::uint64_t later_key(std::uint64_t key) { return mixed_bits(key ^ 0xD1B54A32D192ED03ULL); }

}  // namespace

SecondLook::SecondLook(const Model& model, std::shared_ptr<const ShapeSet> shapes, const CollisionSettings& settings,
                       double look_ahead, double allowance)
    : model_(model),
      collider_(std::move(shapes), settings),
      look_ahead_(look_ahead),
      allowance_(allowance),
      least_allowance_(allowance),
      reach_(model.links().size(), 0.0),
      size_(collider_.shapes().geoms().size(), 0.0),
      allowances_(collider_.shapes().geoms().size(), allowance),
      velocity_(model.links().size()),
      angle2_(model.links().size()),
      flung_(model.links().size()) {
  measure_shapes();
}

void SecondLook::measure_shapes() {
  for (const SkinShape& skin : collider_.shapes().skins().skins()) {
    if (std::isfinite(allowance_)) allowances_[at(skin.geom)] = std::min(allowance_, kSkinShare * skin.depth);
  }
  for (std::size_t i = 0; i < size_.size(); ++i) {
    const ShapeSet::Geom& geom = collider_.shapes().geoms()[i];
    if (!geom.active || geom.link < 0) continue;
    const bool round = geom.shape.type == ShapeType::Sphere && !geom.shape.collides_as_sdf;
    size_[i] = round ? 0 : geom.shape.radius;
    if (std::isfinite(allowance_)) allowances_[i] = std::min(allowance_, kMostShare * geom.shape.radius);
    least_allowance_ = std::min(least_allowance_, allowances_[i]);
    const Vec3 arm = geom.pose * geom.shape.bounds.center() - model_.links()[at(geom.link)].com;
    reach_[at(geom.link)] = std::max(reach_[at(geom.link)], norm(arm) + geom.shape.radius);
  }
}

bool SecondLook::is_called_for(const DynamicsData& now, double h, std::span<const double> v,
                               std::span<const Contact> found) {
  if (!collider_.shapes().enabled()) return false;
  link_velocities(model_, v, now, velocity_);
  list_flung(now, h);
  list_turned(now, h, found);
  return any_flung_ || !turned_.empty();
}

void SecondLook::look(StepEnd& end, const DynamicsData& now, double h, std::span<const Contact> found,
                      ThreadPool* pool) {
  contacts_.clear();
  end_ = end.poses();
  if (!turned_.empty()) {
    collider_.run_pairs(end_, turned_, pool);
    keep_overlaps(now, h, found);
  }
  if (any_flung_) {
    collider_.run(end_, {.among = flung_}, pool);
    keep_overlaps(now, h, found);
  }
}

/// Finds links whose velocity changes so much that they may touch geoms outside the first look-ahead distance. For a
/// new pair to touch, at least one of its two links must cover half of that distance by its change of velocity.
void SecondLook::list_flung(const DynamicsData& now, double h) {
  const double most = (look_ahead_ + least_allowance_) / 2;
  any_flung_ = false;
  for (std::size_t i = 0; i < flung_.size(); ++i) {
    const Motion change = velocity_[i] + now.velocity[i] * -1;
    const Vec3 arm = now.link_com[i] - link_reference(model_, now, static_cast<int>(i));
    const Vec3 shift = velocity_at(change, arm);
    // (a + b)^2 <= 2 (a^2 + b^2): avoids square roots, as there are many links.
    const double fling2 = 2 * h * h * (dot(shift, shift) + dot(change.angular, change.angular) * reach_[i] * reach_[i]);
    flung_[i] = reach_[i] > 0 && fling2 > most * most ? 1 : 0;  // links without a shape touch nothing
    any_flung_ = any_flung_ || flung_[i] != 0;
    angle2_[i] = h * h * dot(velocity_[i].angular, velocity_[i].angular);
  }
}

/// Two convex shapes in pure translation stay on their sides of a separating plane. So pairs with contacts penetrate
/// further only by rotation (with features that were not near) or by the curvature of their paths; with non-convex
/// shapes also by translation: a body that slides down the wall of a vessel reaches the floor, which is not among the
/// contacts with the wall. Contacts with a plane shape already include all features that come near. The faces of skins
/// each have contacts of their own, and count where they slide or turn far.
void SecondLook::list_turned(const DynamicsData& now, double h, std::span<const Contact> found) {
  turned_.clear();
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto [geom1, geom2] = geoms_of(found[i]);
    if (!turned_.empty() && turned_.back().geom1 == geom1 && turned_.back().geom2 == geom2) continue;
    if (found[i].on_skin()) {
      if (slide(found[i], now, h) > allowance(geom1, geom2)) turned_.push_back({geom1, geom2, found[i].pair});
      continue;
    }
    if (i > 0 && geoms_of(found[i - 1]) == geoms_of(found[i])) continue;
    if (is_flung(geom1) || is_flung(geom2)) continue;  // covered by the search among flung_ links
    double most = bend(geom1) + bend(geom2);
    if (!shape(geom1).is_plane() && !shape(geom2).is_plane()) {
      most += turn(geom1) + turn(geom2);
      const bool hollow = !shape(geom1).is_convex() || !shape(geom2).is_convex();
      if (hollow) most += norm(way(geom1, now, h) - way(geom2, now, h));
    }
    if (most > allowance(geom1, geom2)) turned_.push_back({geom1, geom2, found[i].pair});
  }
}

void SecondLook::keep_overlaps(const DynamicsData& now, double h, std::span<const Contact> found) {
  for (const Contact& contact : collider_.contacts()) {
    const double allowed = allowance(contact.geom1, contact.geom2);
    if (contact.gap >= -allowed) continue;
    const double before = overlap_of_pair(found, contact);
    if (contact.gap >= before - allowed) continue;
    contacts_.push_back(at_present(contact, now, h));
    contacts_.back().gap -= before;  // the contacts of the first look see to the initial penetration
  }
}

double SecondLook::allowance(int geom1, int geom2) const {
  return std::min(allowances_[at(geom1)], allowances_[at(geom2)]);
}

double SecondLook::turn(int geom) const {
  const int link = model_.geom_link(geom);
  return link < 0 ? 0 : std::sqrt(angle2_[at(link)]) * size_[at(geom)];
}

double SecondLook::bend(int geom) const {
  const int link = model_.geom_link(geom);
  return link < 0 ? 0 : 0.5 * angle2_[at(link)] * reach_[at(link)];
}

bool SecondLook::is_flung(int geom) const {
  const int link = model_.geom_link(geom);
  return link >= 0 && flung_[at(link)] != 0;
}

/// Displacement of the centre of the geom's bounding box in the step, m.
Vec3 SecondLook::way(int geom, const DynamicsData& now, double h) const {
  const int link = model_.geom_link(geom);
  if (link < 0) return {};
  const ShapeSet::Geom& own = collider_.shapes().geoms()[at(geom)];
  const Vec3 centre = now.link_pose[at(link)] * (own.pose * own.shape.bounds.center());
  return h * velocity_at(velocity_[at(link)], centre - link_reference(model_, now, link));
}

const Shape& SecondLook::shape(int geom) const { return collider_.shapes().geoms()[at(geom)].shape; }

/// By how much the faces of a contact move along its plane and turn against each other, m: the farthest any of their
/// corners gets from where the contact's own points are.
double SecondLook::slide(const Contact& contact, const DynamicsData& now, double h) const {
  const auto [side1, side2] = contact_sides(model_, contact);
  const Vec3 mine = h * side_velocity(model_, now, velocity_, side1, contact.position);
  const Vec3 theirs = h * side_velocity(model_, now, velocity_, side2, contact.position);
  const Vec3 relative = theirs - mine;
  double most = norm(relative - contact.normal * dot(contact.normal, relative));
  for (const auto& [geom, face] : {std::pair(contact.geom1, contact.face1), std::pair(contact.geom2, contact.face2)}) {
    if (face < 0) continue;
    const SkinSet& skins = collider_.shapes().skins();
    const SkinShape& skin = skins.skins()[at(skins.skin_of(geom))];
    const Vec3& own = geom == contact.geom1 && face == contact.face1 ? mine : theirs;
    for (const int corner : skin.faces[at(face)]) {
      if (corner < 0 || skin.link[at(corner)] < 0) continue;
      const int link = skin.link[at(corner)];
      const Vec3 arm = now.link_pose[at(link)] * skin.point[at(corner)] - link_reference(model_, now, link);
      most = std::max(most, norm(h * velocity_at(velocity_[at(link)], arm) - own));
    }
  }
  return most;
}

/// Moves a contact at the end of the step back to the present poses, with its two links. Both bodies get the same point
/// (the mean of the two), so that the impulses on them are opposite and collinear. The gap is extrapolated such that
/// the linearised row gives, at v, the gap of the shapes at the end of the step.
Contact SecondLook::at_present(const Contact& contact, const DynamicsData& now, double h) const {
  const auto [side1, side2] = contact_sides(model_, contact);
  const auto place = [&](const Side& side) { return moved_point(model_, end_, now.link_pose, side, contact.position); };
  Contact present = contact;
  present.position = 0.5 * (place(side1) + place(side2));
  const Vec3 relative = side_velocity(model_, now, velocity_, side2, present.position) -
                        side_velocity(model_, now, velocity_, side1, present.position);
  present.gap -= h * dot(contact.normal, relative);
  present.key = later_key(contact.key);
  return present;
}

}  // namespace uzawa
