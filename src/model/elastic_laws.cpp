#include "uzawa/model/elastic_laws.hpp"

#include <algorithm>
#include <string>

#include "uzawa/base/at.hpp"
#include "uzawa/base/error.hpp"
#include "uzawa/model/model.hpp"

namespace uzawa {

namespace {

/// World positions of a soft body's nodes at the reference configuration, m.
std::vector<Vec3> rest_positions(const ModelSpec& spec, const SoftBodySpec& soft) {
  std::vector<Vec3> rest;
  for (std::size_t k = 0; k < soft.bodies.size(); ++k) {
    Vec3 point = soft.offsets.empty() ? Vec3{} : soft.offsets[k];
    for (int body = soft.bodies[k]; body > 0; body = spec.bodies[at(body)].parent) {
      const BodySpec& own = spec.bodies[at(body)];
      point = Pose::from(own.position, normalized(own.orientation)) * point;
    }
    rest.push_back(point);
  }
  return rest;
}

/// Elements that can deform. One whose nodes all move with one rigid body, or stand still, never does; one that several
/// rigid bodies hold between them has no dof of its own.
template <std::size_t kNodes>
std::vector<std::array<int, kNodes>> deformable(const Model& model, int soft_body, const char* kind,
                                                const std::vector<std::array<int, kNodes>>& elements) {
  const std::span<const SoftNode> nodes = model.soft_nodes(soft_body);
  std::vector<std::array<int, kNodes>> out;
  for (std::size_t e = 0; e < elements.size(); ++e) {
    bool free = false, one_link = true;
    const int link = nodes[at(elements[e][0])].link;
    for (const int n : elements[e]) {
      free = free || (nodes[at(n)].link >= 0 && model.is_point(nodes[at(n)].link));
      one_link = one_link && nodes[at(n)].link == link;
    }
    if (!free && !one_link) {
      throw InputError(model.spec().source, "soft body '" + model.spec().soft_bodies[at(soft_body)].name + "'",
                       std::string(kind) + ' ' + std::to_string(e) + " is held by rigid bodies alone");
    }
    if (free) out.push_back(elements[e]);
  }
  return out;
}

std::vector<int> node_map(std::span<const SoftNode> nodes) {
  std::vector<int> node_of;
  for (const SoftNode& node : nodes) node_of.push_back(node.node);
  return node_of;
}

/// Two nodes of the system for each link of a rod.
std::vector<int> node_map(const Model& model, const ElasticSystem& system, const RodSpec& rod) {
  std::vector<int> first(model.links().size(), -1), node_of;  // per link: its first node
  for (std::size_t n = 0; n < system.nodes.size(); ++n) {
    if (system.nodes[n].kind == ElasticNode::Kind::Linear) first[at(system.nodes[n].link)] = static_cast<int>(n);
  }
  for (const int body : rod.bodies) {
    const int node = first[at(model.body_link(body))];
    node_of.insert(node_of.end(), {node, node + 1});
  }
  return node_of;
}

RodElasticity rod_law(const Model& model, const RodSpec& rod) {
  const auto com = [&](int k) { return model.links()[at(model.body_link(rod.bodies[at(k)]))].com; };
  std::vector<RodJoint> joints;
  for (const RodJointSpec& joint : rod.joints) {
    joints.push_back({joint.first, joint.second, joint.first_anchor - com(joint.first),
                      joint.second_anchor - com(joint.second), normalized(joint.relative_orientation), joint.stiffness,
                      joint.angular_stiffness});
  }
  return RodElasticity(static_cast<int>(rod.bodies.size()), std::move(joints));
}

/// Errors of a law name nodes and elements; this adds the file and the body.
template <typename Make>
auto named(const Model& model, const std::string& element, Make&& make) {
  try {
    return make();
  } catch (const InputError& error) {
    throw InputError(model.spec().source, element, error.what());
  }
}

}  // namespace

ElasticLaws::ElasticLaws(const Model& model, const ElasticSystem& system) {
  make_parts(model, system);
  place_parts(model, system.nodes.size());
}

void ElasticLaws::make_parts(const Model& model, const ElasticSystem& system) {
  std::vector<double> dampings;
  for (const int s : system.soft_bodies) {
    const SoftBodySpec& soft = model.spec().soft_bodies[at(s)];
    const std::string name = "soft body '" + soft.name + "'";
    const std::vector<Vec3> rest = rest_positions(model.spec(), soft);
    SoftPart& part = soft_.emplace_back();
    part.soft_body = s;
    part.damping = soft.material.damping;
    const auto tets = deformable(model, s, "tetrahedron", soft.tets);
    if (!tets.empty()) {
      part.tets = named(model, name, [&] { return TetElasticity(rest, tets, soft.material); });
    }
    const auto triangles = deformable(model, s, "triangle", soft.triangles);
    if (!triangles.empty() && (soft.material.stretching || soft.material.bending)) {
      part.shell = named(model, name, [&] { return ShellElasticity(rest, triangles, soft.material); });
    }
    const auto edges = deformable(model, s, "edge", soft.edges);
    if (!edges.empty() && (soft.material.edge_stiffness > 0 || soft.material.edge_damping > 0)) {
      part.edges = named(model, name, [&] { return EdgeElasticity(rest, edges, soft.material); });
    }
    if (part.tets || part.shell) dampings.push_back(part.damping);
    // Springs of edges have dampers of their own.
    if (part.edges) dampings.push_back(part.edges->damped() ? -1 : 0);
  }
  for (const int r : system.rods) {
    const RodSpec& rod = model.spec().rods[at(r)];
    rods_.push_back({r, rod.damping, named(model, "rod '" + rod.name + "'", [&] { return rod_law(model, rod); }),
                     node_map(model, system, rod)});
    dampings.push_back(rod.damping);
  }
  damping_ = dampings.empty() ? 0 : dampings.front();
  one_damping_ = damping_ >= 0 && std::ranges::all_of(dampings, [&](double d) { return d == damping_; });
}

void ElasticLaws::place_parts(const Model& model, std::size_t nodes) {
  std::vector<std::pair<int, int>> couples;
  const auto add = [&](const auto& law, std::span<const int> node_of) {
    for (const auto& [a, b] : law.couples()) {
      if (node_of[at(a)] >= 0 && node_of[at(b)] >= 0) couples.emplace_back(node_of[at(a)], node_of[at(b)]);
    }
  };
  const auto for_each_law = [&](auto&& visit) {
    for (SoftPart& part : soft_) {
      const std::vector<int> node_of = node_map(model.soft_nodes(part.soft_body));
      if (part.tets) visit(*part.tets, node_of);
      if (part.shell) visit(*part.shell, node_of);
      if (part.edges) visit(*part.edges, node_of);
    }
    for (RodPart& part : rods_) visit(part.law, part.node_of);
  };
  for_each_law(add);
  pattern_ = std::make_shared<const NodalPattern>(make_nodal_pattern(static_cast<int>(nodes), std::move(couples)));
  for_each_law([&](auto& law, std::span<const int> node_of) { law.place(node_of, *pattern_); });
}

namespace {

void gather(std::span<const SoftNode> nodes, std::span<const Pose> link_pose, std::vector<Vec3>& out) {
  out.clear();
  for (const SoftNode& node : nodes) out.push_back(node.link < 0 ? node.point : link_pose[at(node.link)] * node.point);
}

void gather(const Model& model, const RodSpec& rod, std::span<const Pose> link_pose, std::span<const Vec3> link_com,
            std::vector<Pose>& out) {
  out.clear();
  for (const int body : rod.bodies) {
    const std::size_t link = at(model.body_link(body));
    out.push_back({link_pose[link].rotation, link_com[link]});
  }
}

void scatter(std::span<const Vec3> force, std::span<const SoftNode> nodes, std::span<double> out) {
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    if (nodes[k].node < 0) continue;
    double* to = &out[3 * at(nodes[k].node)];
    (Vec3::from(to) + force[k]).store(to);
  }
}

void add_scaled(const NodalMatrix& from, double scale, NodalMatrix& to) {
  for (std::size_t i = 0; i < to.value.size(); ++i) to.value[i] += scale * from.value[i];
}

void reset(const std::shared_ptr<const NodalPattern>& pattern, NodalMatrix& matrix) {
  matrix.pattern = pattern;
  matrix.clear();
}

}  // namespace

void ElasticLaws::copy_laws(Scratch& scratch) const {
  if (scratch.tets.size() == soft_.size()) return;
  for (const SoftPart& part : soft_) {
    scratch.tets.push_back(part.tets);
    scratch.shells.push_back(part.shell);
  }
}

void ElasticLaws::evaluate(const Model& model, std::span<const Pose> link_pose, std::span<const Vec3> link_com,
                           Scratch& scratch, std::span<double> force, NodalMatrix& stiffness,
                           NodalMatrix& damping) const {
  copy_laws(scratch);
  std::fill(force.begin(), force.end(), 0.0);
  reset(pattern_, stiffness);
  if (!one_damping_) reset(pattern_, damping);
  // A part that is damped in its own proportion is evaluated by itself.
  const auto with_damping = [&](double share, auto&& evaluate_part) {
    if (one_damping_) return evaluate_part(stiffness);
    reset(pattern_, scratch.part);
    evaluate_part(scratch.part);
    add_scaled(scratch.part, 1, stiffness);
    add_scaled(scratch.part, share, damping);
  };
  for (std::size_t p = 0; p < soft_.size(); ++p) {
    const SoftPart& part = soft_[p];
    const std::span<const SoftNode> nodes = model.soft_nodes(part.soft_body);
    gather(nodes, link_pose, scratch.position);
    scratch.force.assign(nodes.size(), Vec3{});
    with_damping(part.damping, [&](NodalMatrix& k) {
      if (part.tets) scratch.tets[p]->evaluate(scratch.position, scratch.force, k);
      if (part.shell) scratch.shells[p]->evaluate(scratch.position, scratch.force, k);
    });
    if (part.edges) {
      part.edges->evaluate(scratch.position, scratch.force, stiffness);
      if (part.edges->damped()) part.edges->add_damping(scratch.position, damping);
    }
    scatter(scratch.force, nodes, force);
  }
  for (const RodPart& part : rods_) {
    gather(model, model.spec().rods[at(part.rod)], link_pose, link_com, scratch.links);
    scratch.force.assign(2 * scratch.links.size(), Vec3{});
    with_damping(part.damping, [&](NodalMatrix& k) { part.law.evaluate(scratch.links, scratch.force, k); });
    for (std::size_t k = 0; k < scratch.force.size(); ++k) {
      double* to = &force[3 * at(part.node_of[k])];
      (Vec3::from(to) + scratch.force[k]).store(to);
    }
  }
}

double ElasticLaws::energy(const Model& model, std::span<const Pose> link_pose, std::span<const Vec3> link_com,
                           Scratch& scratch) const {
  double energy = 0;
  copy_laws(scratch);
  for (std::size_t p = 0; p < soft_.size(); ++p) {
    const SoftPart& part = soft_[p];
    gather(model.soft_nodes(part.soft_body), link_pose, scratch.position);
    if (part.tets) energy += scratch.tets[p]->energy(scratch.position);
    if (part.shell) energy += scratch.shells[p]->energy(scratch.position);
    if (part.edges) energy += part.edges->energy(scratch.position);
  }
  for (const RodPart& part : rods_) {
    gather(model, model.spec().rods[at(part.rod)], link_pose, link_com, scratch.links);
    energy += part.law.energy(scratch.links);
  }
  return energy;
}

}  // namespace uzawa
