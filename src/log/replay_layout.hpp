#pragma once

#include <vector>

#include "uzawa/model/model.hpp"

namespace uzawa {

/// What of a model a frame of a replay or live view holds.
struct ReplayLayout {
  /// A vertex of a skin, as a point of a link (-1: the ground).
  struct SkinPoint {
    int link = -1;
    Vec3 point;  ///< m, in the link's frame
  };

  explicit ReplayLayout(const Model& model);

  /// Links that a frame has a placement of: all but those that are nothing but nodes of soft bodies (points without
  /// geoms, sites and children). Thousands of them would cost more than the skin that shows where they are.
  std::vector<int> links;
  std::vector<int> place;   ///< per link: its number among `links`, -1: it has none
  std::vector<int> joints;  ///< joints of one number (hinges, slides) of these links, whose values a frame has
  std::vector<std::vector<SkinPoint>> skins;  ///< per soft body: the vertices of its skin, in their order there
};

}  // namespace uzawa
