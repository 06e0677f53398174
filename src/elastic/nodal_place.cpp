#include "uzawa/elastic/nodal_place.hpp"

#include <string>

#include "uzawa/base/at.hpp"
#include "uzawa/base/error.hpp"

namespace uzawa {

void check_places(std::span<const int> node_of, const NodalPattern& pattern) {
  std::vector<bool> taken(at(pattern.nodes()));
  for (std::size_t i = 0; i < node_of.size(); ++i) {
    const int node = node_of[i];
    if (node < 0) continue;
    const std::string element = "node " + std::to_string(i);
    if (node >= pattern.nodes()) throw InputError("elastic body", element, "is beyond the nodes of the system");
    if (taken[at(node)]) throw InputError("elastic body", element, "shares a node of the system with another one");
    taken[at(node)] = true;
  }
}

}  // namespace uzawa
