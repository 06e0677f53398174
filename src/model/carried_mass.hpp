#pragma once

#include <span>
#include <vector>

#include "uzawa/model/elastic_system.hpp"

namespace uzawa {

struct Link;

/// Sets ElasticNode::mass of the carried nodes: a part of the mass of their links, so that each block of A is positive
/// definite by itself. A node has none of its own, and what is elastic around it may leave it free: edges at a right
/// angle to its motion, a flat membrane, nothing at all where only equalities hold the lengths. As nodes are tied to
/// their links, the motion is the same whichever of the two has the mass. At most half the inertia of a link in any
/// direction goes to its nodes; none, where the link is a part of a soft body or rod itself.
/// `is_elastic`: per link.
void share_masses(std::span<const Link> links, std::span<const char> is_elastic, std::vector<ElasticSystem>& systems);

}  // namespace uzawa
