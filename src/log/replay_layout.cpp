#include "uzawa/log/replay_layout.hpp"

#include <algorithm>

#include "uzawa/base/at.hpp"

namespace uzawa {

namespace {

/// Per link: it is nothing but a node.
std::vector<char> find_mere_nodes(const Model& model) {
  const ModelSpec& spec = model.spec();
  std::vector<char> mere(model.links().size(), 0);
  for (const SoftBodySpec& soft : spec.soft_bodies) {
    for (const int body : soft.bodies) {
      const int link = model.body_link(body);
      if (link >= 0) mere[at(link)] = 1;
    }
  }
  const auto exclude = [&](int link) {
    if (link >= 0) mere[at(link)] = 0;
  };
  for (std::size_t i = 0; i < mere.size(); ++i) {
    const Link& link = model.links()[i];
    const bool slides = std::all_of(spec.joints.begin() + link.joint_begin, spec.joints.begin() + link.joint_end,
                                    [](const JointSpec& joint) { return joint.type == JointType::Slide; });
    if (!slides || link.parent >= 0) exclude(static_cast<int>(i));
    exclude(link.parent);
  }
  for (int g = 0; g < static_cast<int>(spec.geoms.size()); ++g) exclude(model.geom_link(g));
  for (int s = 0; s < static_cast<int>(spec.sites.size()); ++s) exclude(model.site_link(s));
  return mere;
}

std::vector<ReplayLayout::SkinPoint> skin_points(const Model& model, int soft_body) {
  const SoftBodySpec& soft = model.spec().soft_bodies[at(soft_body)];
  std::vector<ReplayLayout::SkinPoint> out;
  for (const int node : model.skin(soft_body).vertices) {
    const int body = soft.bodies[at(node)];
    const Vec3 offset = soft.offsets.empty() ? Vec3() : soft.offsets[at(node)];
    out.push_back({model.body_link(body), model.body_pose(body) * offset});
  }
  return out;
}

}  // namespace

ReplayLayout::ReplayLayout(const Model& model) : place(model.links().size(), -1) {
  const std::vector<char> mere_nodes = find_mere_nodes(model);
  for (std::size_t i = 0; i < place.size(); ++i) {
    if (mere_nodes[i] != 0) continue;
    place[i] = static_cast<int>(links.size());
    links.push_back(static_cast<int>(i));
    const Link& link = model.links()[i];
    for (int j = link.joint_begin; j < link.joint_end; ++j) {
      const JointType type = model.spec().joints[at(j)].type;
      if (type == JointType::Hinge || type == JointType::Slide) joints.push_back(j);
    }
  }
  for (int s = 0; s < static_cast<int>(model.spec().soft_bodies.size()); ++s) skins.push_back(skin_points(model, s));
}

}  // namespace uzawa
