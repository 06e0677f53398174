#include "uzawa/model/soft_builder.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "uzawa/base/at.hpp"
#include "uzawa/base/error.hpp"
#include "uzawa/model/mesh_check.hpp"
#include "uzawa/model/spec_append.hpp"

namespace uzawa {

namespace {

class SoftBuilder {
 public:
  SoftBuilder(ModelSpec& spec, const std::vector<Vec3>& nodes, const SoftBodyOptions& options)
      : spec_(spec), nodes_(nodes), options_(options), carrier_(nodes.size(), kFree), share_(nodes.size(), 0.0) {
    require(!nodes.empty(), "has no nodes");
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      require(all_finite(nodes[i]), "node " + std::to_string(i) + " is not finite");
    }
    for (const int node : options.pinned) fix("pinned", node, 0);
    for (const CarriedNode& carried : options.carried) {
      require(carried.body >= 0 && at(carried.body) < spec.bodies.size(),
              "node " + std::to_string(carried.node) + " is carried by body " + std::to_string(carried.body) +
                  ", which does not exist");
      fix("carried", carried.node, carried.body);
    }
  }

  void require(bool condition, const std::string& reason) const {
    if (!condition) throw InputError(spec_.source, "soft body '" + options_.name + "'", reason);
  }

  /// Hands the volume of each element to its nodes in equal shares.
  template <std::size_t kNodes, typename Volume>
  void distribute(const char* kind, const std::vector<std::array<int, kNodes>>& elements, Volume&& volume_of) {
    for (std::size_t i = 0; i < elements.size(); ++i) {
      const auto complain = [&](const std::string& reason) {
        require(false, std::string(kind) + ' ' + std::to_string(i) + ' ' + reason);
      };
      for (const int node : elements[i]) {
        if (node < 0 || at(node) >= nodes_.size()) {
          complain("has node " + std::to_string(node) + ", which does not exist");
        }
      }
      const double volume = volume_of(elements[i]);
      if (!(volume > 0)) complain(volume < 0 ? "is inverted" : "is degenerate");
      volume_ += volume;
      for (const int node : elements[i]) share_[at(node)] += volume / static_cast<double>(kNodes);
    }
  }

  int finish(SoftBodySpec soft) {
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      require(share_[i] > 0, "node " + std::to_string(i) + " belongs to no element");
    }
    const double mass = options_.mass.value_or(options_.density * volume_);
    require(std::isfinite(mass) && mass > 0, "has no mass");
    const Pose pose = Pose::from(options_.position, normalized(options_.orientation));
    const bool offsets = std::any_of(carrier_.begin(), carrier_.end(), [](int body) { return body != kFree; });
    if (offsets) soft.offsets.resize(nodes_.size());
    soft.bodies.resize(nodes_.size());
    spec_.bodies.reserve(spec_.bodies.size() + nodes_.size());
    spec_.joints.reserve(spec_.joints.size() + 3 * nodes_.size());
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      const Vec3 place = pose * nodes_[i];
      if (carrier_[i] == kFree) {
        const bool uniform = options_.lumping == MassLumping::Uniform;
        soft.bodies[i] =
            add_node(i, place, mass * (uniform ? 1 / static_cast<double>(nodes_.size()) : share_[i] / volume_));
      } else {
        soft.bodies[i] = carrier_[i];
        soft.offsets[i] = seen_from(carrier_[i], place);
      }
    }
    add_skin();
    soft.name = options_.name;
    soft.material = options_.material;
    soft.pieces = options_.pieces;
    soft.self_contact = options_.self_contact;
    spec_.soft_bodies.push_back(std::move(soft));
    return static_cast<int>(spec_.soft_bodies.size()) - 1;
  }

 private:
  static constexpr int kFree = -1;

  void fix(const char* how, int node, int body) {
    const std::string name = std::string(how) + " node " + std::to_string(node);
    require(node >= 0 && at(node) < nodes_.size(), name + " does not exist");
    require(carrier_[at(node)] == kFree || carrier_[at(node)] == body, name + " is fixed to another body, too");
    carrier_[at(node)] = body;
  }

  int add_node(std::size_t index, const Vec3& place, double mass) {
    const int body = static_cast<int>(spec_.bodies.size());
    BodySpec& node = spec_.bodies.emplace_back();
    node.name = options_.name + '_' + std::to_string(index);
    node.position = place;
    node.mass = mass;
    constexpr double kReference[1] = {0};
    for (int axis = 0; axis < 3; ++axis) {
      append_joint(spec_, JointSpec{.name = {}, .type = JointType::Slide, .body = body, .axis = Vec3::unit(axis)},
                   kReference);
    }
    return body;
  }

  Vec3 seen_from(int body, const Vec3& place) {
    if (body != posed_body_) {
      posed_body_ = body;
      body_pose_ = reference_pose(spec_, body);
    }
    return transpose_times(body_pose_.rotation, place - body_pose_.position);
  }

  void add_skin() {
    GeomSpec& skin = spec_.geoms.emplace_back();
    skin.name = options_.name;
    skin.shape = ShapeType::Skin;
    skin.asset = static_cast<int>(spec_.soft_bodies.size());
    skin.size = {options_.radius, 0, 0};
    skin.friction = options_.friction;
    skin.contact_type = options_.contact_type;
    skin.contact_affinity = options_.contact_affinity;
    skin.rgba = options_.rgba;
  }

  ModelSpec& spec_;
  const std::vector<Vec3>& nodes_;
  const SoftBodyOptions& options_;
  std::vector<int> carrier_;   ///< per node: the body it is fixed to
  std::vector<double> share_;  ///< per node: of the volume
  double volume_ = 0;
  int posed_body_ = -1;  ///< whose pose is body_pose_: carried nodes come in runs of one body
  Pose body_pose_;
};

}  // namespace

int add_soft_body(ModelSpec& spec, const TetMesh& mesh, const SoftBodyOptions& options) {
  SoftBuilder builder(spec, mesh.nodes, options);
  builder.require(!mesh.tets.empty(), "has no tetrahedra");
  builder.distribute("tetrahedron", mesh.tets,
                     [&](const std::array<int, 4>& tet) { return is_flat(mesh, tet) ? 0 : signed_volume(mesh, tet); });
  SoftBodySpec soft;
  soft.tets = mesh.tets;
  return builder.finish(std::move(soft));
}

int add_shell(ModelSpec& spec, const TriangleMesh& mesh, const SoftBodyOptions& options) {
  SoftBuilder builder(spec, mesh.nodes, options);
  builder.require(!mesh.triangles.empty(), "has no triangles");
  builder.require(options.mass || options.material.thickness > 0, "is a shell with neither mass nor thickness");
  const double thickness = options.material.thickness > 0 ? options.material.thickness : 1;
  builder.distribute("triangle", mesh.triangles, [&](const std::array<int, 3>& triangle) {
    const Vec3& a = mesh.nodes[at(triangle[0])];
    return thickness / 2 * norm(cross(mesh.nodes[at(triangle[1])] - a, mesh.nodes[at(triangle[2])] - a));
  });
  SoftBodySpec soft;
  soft.triangles = mesh.triangles;
  return builder.finish(std::move(soft));
}

int add_cord(ModelSpec& spec, const CordMesh& mesh, const SoftBodyOptions& options) {
  SoftBuilder builder(spec, mesh.nodes, options);
  builder.require(!mesh.edges.empty(), "has no edges");
  builder.require(options.mass || options.radius > 0, "is a cord with neither mass nor radius");
  const double section = options.radius > 0 ? M_PI * options.radius * options.radius : 1;
  builder.distribute("edge", mesh.edges, [&](const std::array<int, 2>& edge) {
    return section * norm(mesh.nodes[at(edge[1])] - mesh.nodes[at(edge[0])]);
  });
  SoftBodySpec soft;
  soft.edges = mesh.edges;
  return builder.finish(std::move(soft));
}

std::vector<int> select_nodes(const std::vector<Vec3>& nodes, const std::function<bool(const Vec3&)>& wanted) {
  std::vector<int> selected;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (wanted(nodes[i])) selected.push_back(static_cast<int>(i));
  }
  return selected;
}

std::vector<int> nodes_in_box(const std::vector<Vec3>& nodes, const Vec3& low, const Vec3& high) {
  return select_nodes(nodes, [&](const Vec3& node) {
    bool inside = true;
    for (int d = 0; d < 3; ++d) inside = inside && node[d] >= low[d] && node[d] <= high[d];
    return inside;
  });
}

std::vector<CarriedNode> carried_by(int body, const std::vector<int>& nodes) {
  std::vector<CarriedNode> carried;
  for (const int node : nodes) carried.push_back({node, body});
  return carried;
}

}  // namespace uzawa
