// The parts of an elastic system, and where their matrices are: construction of elastic_laws.hpp.
#include <algorithm>
#include <array>
#include <string>

#include "uzawa/base/at.hpp"
#include "uzawa/base/error.hpp"
#include "uzawa/model/elastic_laws.hpp"
#include "uzawa/model/model.hpp"
#include "uzawa/model/piece_choice.hpp"

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

/// Elements by piece; one across a cut belongs to the first of its nodes' pieces.
template <std::size_t kNodes>
std::vector<std::vector<std::array<int, kNodes>>> by_piece(const std::vector<std::array<int, kNodes>>& elements,
                                                           std::span<const int> piece_of, std::size_t pieces) {
  std::vector<std::vector<std::array<int, kNodes>>> out(pieces);
  for (const std::array<int, kNodes>& element : elements) {
    int least = piece_of[at(element[0])];
    for (const int n : element) least = std::min(least, piece_of[at(n)]);
    out[at(least)].push_back(element);
  }
  return out;
}

std::size_t count_of(std::span<const int> piece_of) {
  return piece_of.empty() ? 1 : at(*std::max_element(piece_of.begin(), piece_of.end())) + 1;
}

/// Nodes or links that take part in a piece, under numbers of its own.
class LocalNumbers {
 public:
  explicit LocalNumbers(std::size_t count) : local_(count, -1) {}
  /// Of all, under their own numbers.
  void take_all() {
    for (std::size_t i = 0; i < local_.size(); ++i) of(static_cast<int>(i));
  }
  int of(int whole) {
    if (local_[at(whole)] < 0) {
      local_[at(whole)] = static_cast<int>(taken_.size());
      taken_.push_back(whole);
    }
    return local_[at(whole)];
  }
  template <std::size_t kNodes>
  void renumber(std::vector<std::array<int, kNodes>>& elements) {
    for (auto& element : elements) {
      for (int& n : element) n = of(n);
    }
  }
  const std::vector<int>& taken() const { return taken_; }
  void clear() {
    for (const int i : taken_) local_[at(i)] = -1;
    taken_.clear();
  }

 private:
  std::vector<int> local_, taken_;
};

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
  bool cut = false;
  for (const int s : system.soft_bodies) {
    const std::size_t before = soft_.size();
    add_soft_body(model, s);
    cut = cut || soft_.size() > before + 1;
  }
  for (const int r : system.rods) {
    const std::size_t before = rods_.size();
    add_rod(model, system, model.spec().rods[at(r)]);
    cut = cut || rods_.size() > before + 1;
  }
  find_damping();
  place_parts(system.nodes.size(), cut);
}

void ElasticLaws::add_soft_body(const Model& model, int soft_body) {
  const SoftBodySpec& soft = model.spec().soft_bodies[at(soft_body)];
  const std::string name = "soft body '" + soft.name + "'";
  const std::vector<Vec3> rest = rest_positions(model.spec(), soft);
  const std::vector<int> piece_of = pieces_of_nodes(soft, rest);
  const std::size_t pieces = count_of(piece_of);
  auto tets = by_piece(deformable(model, soft_body, "tetrahedron", soft.tets), piece_of, pieces);
  auto triangles = by_piece(deformable(model, soft_body, "triangle", soft.triangles), piece_of, pieces);
  auto edges = by_piece(deformable(model, soft_body, "edge", soft.edges), piece_of, pieces);
  LocalNumbers numbers(rest.size());
  for (std::size_t p = 0; p < pieces; ++p) {
    if (pieces > 1 && tets[p].empty() && edges[p].empty()) continue;
    numbers.clear();
    if (pieces == 1) numbers.take_all();
    numbers.renumber(tets[p]);
    numbers.renumber(triangles[p]);
    numbers.renumber(edges[p]);
    SoftPart& part = soft_.emplace_back();
    part.damping = soft.material.damping;
    std::vector<Vec3> own_rest;
    for (const int n : numbers.taken()) {
      part.nodes.push_back(model.soft_nodes(soft_body)[at(n)]);
      own_rest.push_back(rest[at(n)]);
    }
    if (!tets[p].empty()) {
      part.tets = named(model, name, [&] { return TetElasticity(own_rest, tets[p], soft.material); });
    }
    if (!triangles[p].empty() && (soft.material.stretching || soft.material.bending)) {
      part.shell = named(model, name, [&] { return ShellElasticity(own_rest, triangles[p], soft.material); });
    }
    if (!edges[p].empty() && (soft.material.edge_stiffness > 0 || soft.material.edge_damping > 0)) {
      part.edges = named(model, name, [&] { return EdgeElasticity(own_rest, edges[p], soft.material); });
    }
  }
}

void ElasticLaws::add_rod(const Model& model, const ElasticSystem& system, const RodSpec& rod) {
  const auto link_of = [&](int k) { return model.body_link(rod.bodies[at(k)]); };
  const std::vector<int> piece_of = pieces_of_links(rod);
  const std::size_t pieces = count_of(piece_of);
  std::vector<std::vector<RodJointSpec>> joints(pieces);
  for (const RodJointSpec& joint : rod.joints) {
    joints[at(std::min(piece_of[at(joint.first)], piece_of[at(joint.second)]))].push_back(joint);
  }
  std::vector<int> first_node(model.links().size(), -1);
  for (std::size_t n = 0; n < system.nodes.size(); ++n) {
    if (system.nodes[n].kind == ElasticNode::Kind::Linear) first_node[at(system.nodes[n].link)] = static_cast<int>(n);
  }
  LocalNumbers numbers(rod.bodies.size());
  for (std::size_t p = 0; p < pieces; ++p) {
    if (pieces > 1 && joints[p].empty()) continue;
    numbers.clear();
    if (pieces == 1) numbers.take_all();
    std::vector<RodJoint> own;
    for (const RodJointSpec& joint : joints[p]) {
      own.push_back({numbers.of(joint.first), numbers.of(joint.second),
                     joint.first_anchor - model.links()[at(link_of(joint.first))].com,
                     joint.second_anchor - model.links()[at(link_of(joint.second))].com,
                     normalized(joint.relative_orientation), joint.stiffness, joint.angular_stiffness});
    }
    RodPart& part = rods_.emplace_back();
    part.damping = rod.damping;
    for (const int k : numbers.taken()) {
      part.links.push_back(link_of(k));
      part.node_of.insert(part.node_of.end(), {first_node[at(link_of(k))], first_node[at(link_of(k))] + 1});
    }
    part.law = named(model, "rod '" + rod.name + "'",
                     [&] { return RodElasticity(static_cast<int>(part.links.size()), std::move(own)); });
  }
}

void ElasticLaws::find_damping() {
  std::vector<double> dampings;
  for (const SoftPart& part : soft_) {
    if (part.tets || part.shell) dampings.push_back(part.damping);
    // Springs of edges have dampers of their own.
    if (part.edges) dampings.push_back(part.edges->damped() ? -1 : 0);
  }
  for (const RodPart& part : rods_) dampings.push_back(part.damping);
  damping_ = dampings.empty() ? 0 : dampings.front();
  one_damping_ = damping_ >= 0 && std::ranges::all_of(dampings, [&](double d) { return d == damping_; });
}

std::vector<int> ElasticLaws::node_map(const SoftPart& part) {
  std::vector<int> node_of;
  for (const SoftNode& node : part.nodes) node_of.push_back(node.node);
  return node_of;
}

template <typename Part, typename Visit>
void ElasticLaws::for_each_law(Part& part, Visit&& visit) {
  if constexpr (std::is_same_v<Part, RodPart>) {
    visit(part.law);
  } else {
    if (part.tets) visit(*part.tets);
    if (part.shell) visit(*part.shell);
    if (part.edges) visit(*part.edges);
  }
}

/// A part is a piece of the system, if the system is cut.
void ElasticLaws::place_parts(std::size_t nodes, bool cut) {
  std::vector<std::vector<std::pair<int, int>>> couples;
  const auto for_each_part = [&](auto&& visit) {
    for (SoftPart& part : soft_) visit(part);
    for (RodPart& part : rods_) visit(part);
  };
  for_each_part([&](auto& part) {
    const auto& node_of = node_map(part);
    std::vector<std::pair<int, int>> own;
    for (const int n : node_of) {
      if (n >= 0) own.emplace_back(n, n);
    }
    for_each_law(part, [&](const auto& law) {
      for (const auto& [a, b] : law.couples()) {
        if (node_of[at(a)] >= 0 && node_of[at(b)] >= 0) own.emplace_back(node_of[at(a)], node_of[at(b)]);
      }
    });
    if (own.empty()) return;  // all of its nodes are pinned: it has no matrix
    part.piece = couples.size();
    couples.push_back(std::move(own));
  });
  std::vector<std::pair<int, int>> all;
  for (const auto& own : couples) all.insert(all.end(), own.begin(), own.end());
  pattern_ = std::make_shared<const NodalPattern>(make_nodal_pattern(static_cast<int>(nodes), std::move(all)));
  if (cut && couples.size() > 1) {
    pieces_ = std::make_shared<const NodalPieceLayout>(make_piece_layout(*pattern_, couples));
  }
  for_each_part([&](auto& part) {
    std::vector<int> node_of = node_map(part);
    if (pieces_) {
      for (int& n : node_of) n = n < 0 ? n : pieces_->pieces[part.piece].find(n);
    }
    const NodalPattern& pattern = pieces_ ? *pieces_->pieces[part.piece].pattern : *pattern_;
    for_each_law(part, [&](auto& law) { law.place(node_of, pattern); });
  });
}

}  // namespace uzawa
