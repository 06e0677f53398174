#include "uzawa/model/carried_mass.hpp"

#include <algorithm>

#include "uzawa/base/at.hpp"
#include "uzawa/model/model.hpp"

namespace uzawa {

namespace {

/// What the nodes of a link have in common.
struct Load {
  int nodes = 0;
  double reach = 0;  ///< m^2, square of the largest distance from the centre of mass
};

/// kg, of each node of a link. With sum m_i |v + w x r_i|^2 <= 2 sum m_i (|v|^2 + |r_i|^2 |w|^2), half the link's
/// inertia is enough for a quarter of its mass at the centre, and for a quarter of its least moment at the largest
/// distance.
double share(const Link& link, const Load& load) {
  const Vec3& inertia = link.principal_inertia;
  const double least = std::min({inertia.x(), inertia.y(), inertia.z()});
  const double all = load.reach > 0 ? std::min(link.mass, least / load.reach) : link.mass;
  return all / (4 * load.nodes);
}

/// kg, of a free node; 0: there are none.
double mean_mass(std::span<const Link> links, const ElasticSystem& system) {
  double sum = 0;
  int count = 0;
  for (const ElasticNode& node : system.nodes) {
    if (node.kind != ElasticNode::Kind::Point) continue;
    sum += links[at(node.link)].mass;
    ++count;
  }
  return count > 0 ? sum / count : 0;
}

}  // namespace

void share_masses(std::span<const Link> links, std::span<const char> is_elastic, std::vector<ElasticSystem>& systems) {
  std::vector<Load> loads(links.size());
  const auto is_carried = [&](const ElasticNode& node) {
    return node.kind == ElasticNode::Kind::Carried && is_elastic[at(node.link)] == 0;
  };
  for (const ElasticSystem& system : systems) {
    for (const ElasticNode& node : system.nodes) {
      if (!is_carried(node)) continue;
      const Vec3 arm = node.point - links[at(node.link)].com;
      Load& load = loads[at(node.link)];
      ++load.nodes;
      load.reach = std::max(load.reach, dot(arm, arm));
    }
  }
  for (ElasticSystem& system : systems) {
    const double mean = mean_mass(links, system);
    for (ElasticNode& node : system.nodes) {
      if (!is_carried(node)) continue;
      const double most = share(links[at(node.link)], loads[at(node.link)]);
      node.mass = mean > 0 ? std::min(mean, most) : most;
    }
  }
}

}  // namespace uzawa
