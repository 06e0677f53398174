#include "uzawa/live/soft_patch.hpp"

#include <algorithm>

#include "uzawa/base/at.hpp"
#include "uzawa/dynamics/kinematics.hpp"
#include "uzawa/log/replay_layout.hpp"

namespace uzawa {

namespace {

constexpr double kReach = 0.2;  // of the diagonal of the body at rest

double diagonal(const std::vector<Vec3>& points) {
  Vec3 extent;
  for (int k = 0; k < 3; ++k) {
    const auto [low, high] =
        std::minmax_element(points.begin(), points.end(), [k](const Vec3& a, const Vec3& b) { return a[k] < b[k]; });
    if (low != points.end()) extent.set(k, (*high)[k] - (*low)[k]);
  }
  return norm(extent);
}

}  // namespace

SoftPatches::SoftPatches(const Model& model)
    : bodies_(model.spec().soft_bodies.size()), soft_of_link_(model.links().size(), -1) {
  if (bodies_.empty()) return;
  const ReplayLayout layout(model);
  DynamicsData data(model);
  forward_kinematics(model, model.reference_state().q, data);
  for (std::size_t s = 0; s < bodies_.size(); ++s) {
    Body& body = bodies_[s];
    for (const int node_body : model.spec().soft_bodies[s].bodies) {
      const int link = model.body_link(node_body);
      if (link < 0 || layout.place[at(link)] >= 0 || soft_of_link_[at(link)] >= 0) continue;
      soft_of_link_[at(link)] = static_cast<int>(s);
      body.links.push_back(link);
      body.rest.push_back(data.link_pose[at(link)].position);
      body.mass += model.links()[at(link)].mass;
    }
    body.reach = kReach * diagonal(body.rest);
  }
}

const std::vector<SoftPatches::Share>& SoftPatches::around(int link) {
  if (!shares_.empty() && shares_.front().link == link) return shares_;
  const Body& body = bodies_[at(soft_body(link))];
  const auto own = std::find(body.links.begin(), body.links.end(), link) - body.links.begin();
  const Vec3& centre = body.rest[static_cast<std::size_t>(own)];
  shares_.assign(1, {link, 1});
  double sum = 1;
  for (std::size_t i = 0; i < body.links.size(); ++i) {
    const double distance = norm(body.rest[i] - centre);
    if (body.links[i] == link || distance >= body.reach) continue;
    shares_.push_back({body.links[i], 1 - distance / body.reach});
    sum += shares_.back().weight;
  }
  for (Share& share : shares_) share.weight /= sum;
  return shares_;
}

}  // namespace uzawa
