/// What of a Model moves by itself: trees, free bodies, and the links that soft bodies and rods couple.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "uzawa/base/at.hpp"
#include "uzawa/base/error.hpp"
#include "uzawa/model/carried_mass.hpp"
#include "uzawa/model/elastic_laws.hpp"
#include "uzawa/model/model.hpp"

namespace uzawa {

namespace {

/// Three slides along orthogonal axes.
bool is_translation(std::span<const JointSpec> joints) {
  constexpr double kSkew = 1e-12;
  if (joints.size() != 3) return false;
  for (std::size_t i = 0; i < 3; ++i) {
    if (joints[i].type != JointType::Slide) return false;
    for (std::size_t k = 0; k < i; ++k) {
      const double across = dot(joints[i].axis, joints[k].axis);
      if (std::abs(across) > kSkew * norm(joints[i].axis) * norm(joints[k].axis)) return false;
    }
  }
  return true;
}

/// Groups of trees, joined pair by pair.
class Groups {
 public:
  explicit Groups(int count) : parent_(at(count)) { std::iota(parent_.begin(), parent_.end(), 0); }
  int of(int tree) {
    while (parent_[at(tree)] != tree) tree = parent_[at(tree)] = parent_[at(parent_[at(tree)])];
    return tree;
  }
  void join(int a, int b) { parent_[at(of(b))] = of(a); }

 private:
  std::vector<int> parent_;
};

}  // namespace

void Model::mark_lone_links() {
  std::vector<int> links_of_tree(at(topology_->trees()), 0);
  for (int i = 0; i < topology_->links(); ++i) ++links_of_tree[at(topology_->link_tree(i))];
  flies_alone_.resize(links_.size());
  is_point_.resize(links_.size());
  for (int i = 0; i < topology_->links(); ++i) {
    if (links_of_tree[at(topology_->link_tree(i))] != 1) continue;
    const Link& link = links_[at(i)];
    const std::span<const JointSpec> joints(spec_.joints.data() + link.joint_begin,
                                            spec_.joints.data() + link.joint_end);
    flies_alone_[at(i)] = joints.size() == 1 && joints[0].type == JointType::Free ? 1 : 0;
    is_point_[at(i)] = is_translation(joints) ? 1 : 0;
  }
}

void Model::place_soft_nodes() {
  for (const SoftBodySpec& soft : spec_.soft_bodies) {
    std::vector<SoftNode>& nodes = soft_nodes_.emplace_back();
    for (std::size_t k = 0; k < soft.bodies.size(); ++k) {
      const Vec3 offset = soft.offsets.empty() ? Vec3{} : soft.offsets[k];
      nodes.push_back({body_link(soft.bodies[k]), body_pose(soft.bodies[k]) * offset, -1});
    }
  }
  soft_subsystem_.assign(spec_.soft_bodies.size(), -1);
}

/// Subsystem of each tree: trees that share a soft body or a rod are one. soft_subsystem_ and the kinds are set.
std::vector<int> Model::couple_trees() {
  Groups groups(topology_->trees());
  std::vector<char> is_elastic(at(topology_->trees()), 0);
  const auto couple = [&](int& first, int link) {
    const int tree = topology_->link_tree(link);
    is_elastic[at(tree)] = 1;
    if (first >= 0) groups.join(first, tree);
    first = tree;
  };
  std::vector<int> tree_of_soft(spec_.soft_bodies.size(), -1);
  for (std::size_t s = 0; s < soft_nodes_.size(); ++s) {
    for (const SoftNode& node : soft_nodes_[s]) {
      if (node.link >= 0 && is_point(node.link)) couple(tree_of_soft[s], node.link);
    }
  }
  for (const RodSpec& rod : spec_.rods) {
    int first = -1;
    for (const int body : rod.bodies) {
      if (!flies_alone(body_link(body))) {
        throw InputError(spec_.source, "rod '" + rod.name + "'",
                         "body '" + spec_.bodies[at(body)].name + "' is no link of a rod: something hangs on it");
      }
      couple(first, body_link(body));
    }
  }
  std::vector<int> subsystem_of_group(at(topology_->trees()), -1), out(at(topology_->trees()));
  for (int tree = 0; tree < topology_->trees(); ++tree) {
    if (is_mocap(topology_->tree_root(tree))) {
      out[at(tree)] = -1;
      continue;
    }
    int& subsystem = subsystem_of_group[at(groups.of(tree))];
    if (subsystem < 0) {
      subsystem = static_cast<int>(subsystems_.size());
      subsystems_.emplace_back().kind = is_elastic[at(tree)] != 0 ? SubsystemKind::Elastic : SubsystemKind::Tree;
    }
    out[at(tree)] = subsystem;
  }
  for (std::size_t s = 0; s < tree_of_soft.size(); ++s) {
    if (tree_of_soft[s] >= 0) soft_subsystem_[s] = out[at(tree_of_soft[s])];
  }
  return out;
}

void Model::build_subsystems() {
  mark_lone_links();
  place_soft_nodes();
  const std::vector<int> subsystem_of_tree = couple_trees();
  link_subsystem_.resize(links_.size());
  local_link_.resize(links_.size());
  dof_subsystem_.resize(at(nv_));
  local_dof_.resize(at(nv_));
  for (int i = 0; i < static_cast<int>(links_.size()); ++i) {
    const int index = subsystem_of_tree[at(topology_->link_tree(i))];
    link_subsystem_[at(i)] = index;
    if (index < 0) continue;
    Subsystem& subsystem = subsystems_[at(index)];
    local_link_[at(i)] = static_cast<int>(subsystem.links.size());
    subsystem.links.push_back(i);
    for (int j = links_[at(i)].joint_begin; j < links_[at(i)].joint_end; ++j) subsystem.joints.push_back(j);
    for (int d = topology_->dof_begin(i); d < topology_->dof_begin(i + 1); ++d) {
      dof_subsystem_[at(d)] = index;
      local_dof_[at(d)] = static_cast<int>(subsystem.dofs.size());
      subsystem.dofs.push_back(d);
    }
  }
  for (int s = 0; s < static_cast<int>(subsystems_.size()); ++s) {
    Subsystem& subsystem = subsystems_[at(s)];
    if (subsystem.kind == SubsystemKind::Elastic) {
      build_elastic(s);
    } else if (flies_freely(subsystem)) {
      subsystem.kind = SubsystemKind::FreeBody;
    }
  }
  if (elastic_.empty()) return;
  std::vector<char> is_elastic(links_.size());
  for (std::size_t i = 0; i < links_.size(); ++i) {
    const int index = link_subsystem_[i];
    is_elastic[i] = index >= 0 && subsystems_[at(index)].kind == SubsystemKind::Elastic ? 1 : 0;
  }
  share_masses(links_, is_elastic, elastic_);
}

bool Model::flies_freely(const Subsystem& subsystem) const {
  if (!flies_alone(subsystem.links[0])) return false;
  const int index = subsystem.joints[0];
  const JointSpec& joint = spec_.joints[at(index)];
  const bool driven = std::any_of(spec_.actuators.begin(), spec_.actuators.end(), [&](const ActuatorSpec& a) {
    return a.transmission != Transmission::Tendon && a.target == index;
  });
  return joint.armature == 0 && joint.damping == 0 && joint.stiffness == 0 && joint.friction_loss == 0 && !driven;
}

namespace {

/// Marks the nodes of elements with a free node: those of the others are never pulled.
template <std::size_t kNodes>
void mark_pulled(const std::vector<std::array<int, kNodes>>& elements, const std::vector<char>& free,
                 std::vector<char>& pulled) {
  for (const std::array<int, kNodes>& element : elements) {
    if (std::none_of(element.begin(), element.end(), [&](int n) { return free[at(n)] != 0; })) continue;
    for (const int n : element) pulled[at(n)] = 1;
  }
}

/// Per node of a soft body: an element can pull at it. The others are inside what a link carries.
std::vector<char> pulled_nodes(const Model& model, const SoftBodySpec& soft, std::span<const SoftNode> nodes) {
  std::vector<char> free, pulled(nodes.size(), 0);
  for (const SoftNode& node : nodes) free.push_back(node.link >= 0 && model.is_point(node.link) ? 1 : 0);
  mark_pulled(soft.tets, free, pulled);
  mark_pulled(soft.triangles, free, pulled);
  mark_pulled(soft.edges, free, pulled);
  return pulled;
}

}  // namespace

void Model::build_elastic(int index) {
  Subsystem& subsystem = subsystems_[at(index)];
  subsystem.elastic = static_cast<int>(elastic_.size());
  ElasticSystem& system = elastic_.emplace_back();
  std::vector<int> first_node(subsystem.links.size());
  for (const int link : subsystem.links) {
    first_node[at(local_link(link))] = static_cast<int>(system.nodes.size());
    if (is_point(link)) {
      system.nodes.push_back({ElasticNode::Kind::Point, link, {}, 0, 0});
      continue;
    }
    if (spec_.joints[at(links_[at(link)].joint_begin)].armature != 0) {
      throw InputError(spec_.source, "body '" + spec_.bodies[at(links_[at(link)].body)].name + "'",
                       "the joint of a rod's link can't have armature");
    }
    system.nodes.push_back({ElasticNode::Kind::Linear, link, {}, 0, 0});
    system.nodes.push_back({ElasticNode::Kind::Angular, link, {}, 0, 0});
  }
  for (std::size_t s = 0; s < soft_nodes_.size(); ++s) {
    if (soft_subsystem_[s] != index) continue;
    system.soft_bodies.push_back(static_cast<int>(s));
    const std::vector<char> pulled = pulled_nodes(*this, spec_.soft_bodies[s], soft_nodes_[s]);
    for (std::size_t k = 0; k < pulled.size(); ++k) {
      SoftNode& node = soft_nodes_[s][k];
      if (node.link < 0) continue;
      if (is_point(node.link) && link_subsystem(node.link) == index) {
        node.node = first_node[at(local_link(node.link))];
        ElasticNode& own = system.nodes[at(node.node)];
        own.drag = std::max(own.drag, spec_.soft_bodies[s].material.mass_damping * links_[at(node.link)].mass);
      } else if (pulled[k] != 0) {
        node.node = static_cast<int>(system.nodes.size());
        system.nodes.push_back({ElasticNode::Kind::Carried, node.link, node.point, 0, 0});
      }
    }
  }
  for (std::size_t r = 0; r < spec_.rods.size(); ++r) {
    const std::vector<int>& bodies = spec_.rods[r].bodies;
    if (!bodies.empty() && link_subsystem(body_link(bodies[0])) == index) system.rods.push_back(static_cast<int>(r));
  }
  std::shared_ptr<ElasticLaws> laws = std::make_shared<ElasticLaws>(*this, system);
  system.pattern = laws->pattern();
  system.laws = std::move(laws);
}

Side Model::soft_side(int soft_body, std::span<const int> nodes, std::span<const double> weights) const {
  Side side{soft_subsystem(soft_body)};
  const std::span<const SoftNode> own = soft_nodes(soft_body);
  std::array<std::pair<int, double>, 4> found;
  std::size_t count = 0;
  int link = -1;
  bool one_link = true, first = true;
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    if (nodes[k] < 0 || weights[k] == 0) continue;
    const SoftNode& node = own[at(nodes[k])];
    one_link = one_link && (first || node.link == link);
    link = node.link;
    first = false;
    if (node.node >= 0) found[count++] = {node.node, weights[k]};
  }
  // A face that is part of a rigid link, or stands still.
  if (one_link && (link < 0 || !is_point(link) || side.subsystem < 0)) return link_side(link);
  std::sort(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(count));
  for (std::size_t k = 0; k < count; ++k) {
    side.nodes[k] = found[k].first;
    side.weights[k] = found[k].second;
  }
  return count == 0 ? Side{} : side;
}

}  // namespace uzawa
