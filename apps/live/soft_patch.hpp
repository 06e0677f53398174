#pragma once

#include <vector>

#include "uzawa/model/model.hpp"

namespace uzawa {

/// The part of a soft body that goes along where it is taken hold of: a single node would be torn out like a needle.
class SoftPatches {
 public:
  struct Share {
    int link = 0;
    double weight = 0;  ///< of the force; they add up to 1
  };

  explicit SoftPatches(const Model& model);

  /// Soft body of a link that is nothing but a node of it; -1: it is no such link.
  int soft_body(int link) const { return soft_of_link_[static_cast<std::size_t>(link)]; }
  double mass(int soft_body) const { return bodies_[static_cast<std::size_t>(soft_body)].mass; }
  /// The node that is held, and those around it by their distance at rest; the node first.
  const std::vector<Share>& around(int link);

 private:
  struct Body {
    std::vector<int> links;
    std::vector<Vec3> rest;  ///< m, world
    double mass = 0;         ///< kg
    double reach = 0;        ///< m
  };

  std::vector<Body> bodies_;
  std::vector<int> soft_of_link_;
  std::vector<Share> shares_;  ///< of the last link that was asked for
};

}  // namespace uzawa
