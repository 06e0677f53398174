#include "uzawa/model/elastic_laws.hpp"

#include <algorithm>

#include "uzawa/base/at.hpp"
#include "uzawa/model/model.hpp"

namespace uzawa {

namespace {

void gather(std::span<const SoftNode> nodes, std::span<const Pose> link_pose, std::vector<Vec3>& out) {
  out.clear();
  for (const SoftNode& node : nodes) out.push_back(node.link < 0 ? node.point : link_pose[at(node.link)] * node.point);
}

void gather(std::span<const int> links, std::span<const Pose> link_pose, std::span<const Vec3> link_com,
            std::vector<Pose>& out) {
  out.clear();
  for (const int link : links) out.push_back({link_pose[at(link)].rotation, link_com[at(link)]});
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

void ElasticLaws::evaluate(std::span<const Pose> link_pose, std::span<const Vec3> link_com, Scratch& scratch,
                           std::span<double> force, NodalMatrix& stiffness, NodalMatrix& damping, Parts& parts) const {
  copy_laws(scratch);
  scratch.rod_turn = 0;
  std::fill(force.begin(), force.end(), 0.0);
  reset(pattern_, stiffness);
  if (!one_damping_) reset(pattern_, damping);
  if (pieces_) parts.stiffness.clear(pieces_);
  if (pieces_ && !one_damping_) parts.damping.clear(pieces_);
  const auto stiffness_of = [&](std::size_t piece) -> auto& {
    return pieces_ ? parts.stiffness.part[piece] : stiffness;
  };
  const auto damping_of = [&](std::size_t piece) -> auto& { return pieces_ ? parts.damping.part[piece] : damping; };
  // A part that is damped in its own proportion is evaluated by itself.
  const auto with_damping = [&](const auto& part, auto&& evaluate_part) {
    NodalMatrix& own = stiffness_of(part.piece);
    if (one_damping_) return evaluate_part(own);
    reset(own.pattern, scratch.part);
    evaluate_part(scratch.part);
    add_scaled(scratch.part, 1, own);
    add_scaled(scratch.part, part.damping, damping_of(part.piece));
  };
  for (std::size_t p = 0; p < soft_.size(); ++p) {
    const SoftPart& part = soft_[p];
    gather(part.nodes, link_pose, scratch.position);
    scratch.force.assign(part.nodes.size(), Vec3{});
    with_damping(part, [&](NodalMatrix& k) {
      if (part.tets) scratch.tets[p]->evaluate(scratch.position, scratch.force, k);
      if (part.shell) scratch.shells[p]->evaluate(scratch.position, scratch.force, k);
    });
    if (part.edges) {
      part.edges->evaluate(scratch.position, scratch.force, stiffness_of(part.piece));
      if (part.edges->damped()) part.edges->add_damping(scratch.position, damping_of(part.piece));
    }
    scatter(scratch.force, part.nodes, force);
  }
  for (const RodPart& part : rods_) {
    gather(part.links, link_pose, link_com, scratch.links);
    scratch.force.assign(2 * scratch.links.size(), Vec3{});
    with_damping(part, [&](NodalMatrix& k) {
      scratch.rod_turn = std::max(scratch.rod_turn, part.law.evaluate(scratch.links, scratch.force, k));
    });
    for (std::size_t k = 0; k < scratch.force.size(); ++k) {
      double* to = &force[3 * at(part.node_of[k])];
      (Vec3::from(to) + scratch.force[k]).store(to);
    }
  }
  if (pieces_) add_pieces(parts.stiffness, stiffness);
  if (pieces_ && !one_damping_) add_pieces(parts.damping, damping);
}

double ElasticLaws::energy(std::span<const Pose> link_pose, std::span<const Vec3> link_com, Scratch& scratch) const {
  double energy = 0;
  copy_laws(scratch);
  for (std::size_t p = 0; p < soft_.size(); ++p) {
    const SoftPart& part = soft_[p];
    gather(part.nodes, link_pose, scratch.position);
    if (part.tets) energy += scratch.tets[p]->energy(scratch.position);
    if (part.shell) energy += scratch.shells[p]->energy(scratch.position);
    if (part.edges) energy += part.edges->energy(scratch.position);
  }
  for (const RodPart& part : rods_) {
    gather(part.links, link_pose, link_com, scratch.links);
    energy += part.law.energy(scratch.links);
  }
  return energy;
}

}  // namespace uzawa
