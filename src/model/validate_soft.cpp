/// Checks of soft bodies and rods.
#include <algorithm>

#include "uzawa/base/at.hpp"
#include "uzawa/model/element_check.hpp"
#include "uzawa/model/piece_choice.hpp"
#include "uzawa/model/soft_skin.hpp"

namespace uzawa {

namespace {

void check_material(const SoftMaterial& material, const ElementCheck& e) {
  e.finite("Young's modulus", material.young);
  e.require(material.young > 0, "Young's modulus is not positive");
  e.finite("Poisson's ratio", material.poisson);
  e.require(material.poisson > -1 && material.poisson < 0.5, "Poisson's ratio must be above -1 and below 0.5");
  e.not_negative("damping", material.damping);
  e.not_negative("mass damping", material.mass_damping);
  e.not_negative("thickness", material.thickness);
  e.not_negative("edge stiffness", material.edge_stiffness);
  e.not_negative("edge damping", material.edge_damping);
}

void check_pieces(const PieceSpec& pieces, std::size_t size, const char* of, const ElementCheck& e) {
  e.require(pieces.count >= 0, "a negative number of pieces");
  e.require(pieces.of.empty() || pieces.of.size() == size, std::string("its pieces are not one for each ") + of);
  for (const int piece : pieces.of) e.index("piece", piece, size);
}

template <std::size_t kNodes>
void check_elements(const char* kind, const std::vector<std::array<int, kNodes>>& elements, std::size_t nodes,
                    std::vector<char>& used, const ElementCheck& e) {
  for (std::size_t i = 0; i < elements.size(); ++i) {
    const std::string name = std::string(kind) + ' ' + std::to_string(i);
    std::array<int, kNodes> sorted = elements[i];
    std::sort(sorted.begin(), sorted.end());
    for (std::size_t k = 0; k < kNodes; ++k) {
      e.index((name + ": node").c_str(), sorted[k], nodes);
      e.require(k == 0 || sorted[k] != sorted[k - 1], name + " has node " + std::to_string(sorted[k]) + " twice");
      used[at(sorted[k])] = 1;
    }
  }
}

}  // namespace

void check_soft_bodies(const ModelSpec& spec) {
  for (std::size_t i = 0; i < spec.soft_bodies.size(); ++i) {
    const SoftBodySpec& soft = spec.soft_bodies[i];
    const ElementCheck e(spec, "soft body", i, soft.name);
    const std::size_t nodes = soft.bodies.size();
    e.require(nodes > 0, "has no nodes");
    e.require(soft.offsets.empty() || soft.offsets.size() == nodes, "offsets and bodies differ in number");
    for (const int body : soft.bodies) e.index("body", body, spec.bodies.size());
    for (const Vec3& offset : soft.offsets) e.finite("offset", offset);
    e.require(!soft.tets.empty() || !soft.triangles.empty() || !soft.edges.empty(), "has no elements");
    std::vector<char> used(nodes, 0);
    check_elements("tetrahedron", soft.tets, nodes, used, e);
    check_elements("triangle", soft.triangles, nodes, used, e);
    check_elements("edge", soft.edges, nodes, used, e);
    const auto unused = std::find(used.begin(), used.end(), 0);
    e.require(unused == used.end(),
              "node " + std::to_string(unused - used.begin()) + " belongs to no element, so nothing holds it");
    check_material(soft.material, e);
    check_pieces(soft.pieces, nodes, "node", e);
    e.require(can_be_cut(soft) || (soft.pieces.count <= 1 && soft.pieces.of.empty()),
              "only solids of tetrahedra without averaged dilatation can be cut into pieces");
    e.require(soft.texture_places.empty() || soft.texture_places.size() == 3 * make_skin(soft).faces.size(),
              "texture places are not three a face of the skin");
    const bool shell = !soft.triangles.empty() && (soft.material.stretching || soft.material.bending);
    e.require(!shell || soft.material.thickness > 0, "is a shell without thickness");
  }
}

void check_rods(const ModelSpec& spec) {
  std::vector<char> is_free(spec.bodies.size(), 0);
  for (const JointSpec& joint : spec.joints) is_free[at(joint.body)] = joint.type == JointType::Free ? 1 : 0;
  for (std::size_t i = 0; i < spec.rods.size(); ++i) {
    const RodSpec& rod = spec.rods[i];
    const ElementCheck e(spec, "rod", i, rod.name);
    for (const int body : rod.bodies) {
      e.index("body", body, spec.bodies.size(), 1);
      e.require(is_free[at(body)] != 0,
                "body " + std::to_string(body) + " is no link of a rod: it is not on a free joint");
    }
    for (std::size_t k = 0; k < rod.joints.size(); ++k) {
      const RodJointSpec& joint = rod.joints[k];
      const std::string name = "joint " + std::to_string(k);
      e.index((name + ": link").c_str(), joint.first, rod.bodies.size());
      e.index((name + ": link").c_str(), joint.second, rod.bodies.size());
      e.require(joint.first != joint.second, name + " joins a link to itself");
      e.finite("anchor", joint.first_anchor);
      e.finite("anchor", joint.second_anchor);
      e.finite("relative orientation", joint.relative_orientation);
      for (int d = 0; d < 3; ++d) {
        e.not_negative("stiffness", joint.stiffness[d]);
        e.not_negative("angular stiffness", joint.angular_stiffness[d]);
      }
    }
    e.not_negative("damping", rod.damping);
    check_pieces(rod.pieces, rod.bodies.size(), "link", e);
  }
}

}  // namespace uzawa
