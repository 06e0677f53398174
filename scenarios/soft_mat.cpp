#include <algorithm>
#include <cmath>

#include "uzawa/base/at.hpp"
#include "uzawa/control/trajectory.hpp"
#include "uzawa/meshing/grids.hpp"
#include "uzawa/model/soft_builder.hpp"
#include "uzawa/scenarios/builders.hpp"
#include "uzawa/scenarios/catalog.hpp"
#include "uzawa/scenarios/findings.hpp"
#include "uzawa/scenarios/stick_arm.hpp"
#include "uzawa/scenarios/trials.hpp"

namespace uzawa::scenarios {

namespace {

constexpr Parameter kParameters[] = {
    {"cells", 26, 4, 200, "along each side of the mat, even: 1,458 nodes, 4,056 tetrahedra; [COND] 1,477 and 4,100",
     true},
    {"young", 7.5e4, 1e3, 1e8, "Pa; [COND] 50 to 100 kPa"},
    {"poisson", 0.35, 0, 0.49, "[COND] 0.3 to 0.4"},
    {"mu", 0.3, 0, 10, "friction of mat and table, and of the mat with itself; [COND] 0.1 to 0.5"},
    {"density", 1000, 1, 1e4, "kg/m^3"},
    {"fold", 1, 0, 1, "share of the way over the mat that the hand goes"},
    {"depth", 3e-4, 0, 1, "m, allowed penetration"},
    kRandomMaterial,
};
constexpr MaterialRanges kRanges{{5e4, 1e5}, {0.3, 0.4}, {0.1, 0.5}};

// [COND] gives no sizes. The mat is one layer of cells thick, as its numbers of nodes and tetrahedra tell.
constexpr double kSide = 0.25, kThick = 6e-3;  // m, of the mat
constexpr double kDamping = 5e-3;              // s
constexpr double kSkin = 2.5e-4;               // m, radius of the skin, which keeps layers apart
constexpr double kNear = 0.38, kTable = 0.2;   // m, edge of the mat next to the robot; height of the table
constexpr double kTool = 0.12;                 // m, of the stick of the tool
constexpr double kMove = 3, kRest = 0.6;       // s, of the way over the mat; after it

/// [COND] section V-C.3: a Panda folds a soft mat in two and holds it so. As its numbers of dofs tell, the robot there
/// is an arm of seven joints without fingers: our tool is a bar with three clips, in which the edge of the mat can
/// turn. The opposite edge is fixed to the table, for friction of the papers' range does not keep the mat from sliding
/// while it is bent.
class SoftMat : public Scene {
 public:
  SoftMat(const Parameters& parameters, std::uint64_t seed)
      : p_(drawn(parameters, kRanges, seed)), arm_({.length = kTool, .radius = kThick / 2}) {}

  ModelSpec model() const override {
    ModelSpec spec = ground(p_["mu"]);
    add_wall(spec, {.name = "table",
                    .half = {0.2, 0.2, kTable / 2},
                    .position = {kNear + kSide / 2, 0, kTable / 2},
                    .mu = p_["mu"]});
    SoftBodyOptions mat;
    mat.name = "mat";
    mat.position = {kNear + kSide / 2, 0, kTable + kSkin + kThick / 2};
    mat.density = p_["density"];
    mat.material.young = p_["young"];
    mat.material.poisson = p_["poisson"];
    mat.material.damping = kDamping;
    mat.friction = {p_["mu"], 0, 0};
    mat.radius = kSkin;
    mat.self_contact = true;
    const int cells = p_.count("cells");
    const TetMesh mesh = box_mesh({kSide, kSide, kThick}, {cells, cells, 1});
    mat.pinned = select_nodes(mesh.nodes, [](const Vec3& node) { return node.x() > kSide / 2 - kTiny; });
    add_soft_body(spec, mesh, mat);
    add_tool(spec, mesh, arm_.add(spec));
    return spec;
  }
  Times times(const Times& /*usual*/) const override {
    return {.duration = kMove + kRest, .check_time = kMove + kRest};
  }
  void start(const Model& model, State& state) override { arm_.start(model, state, edge(0)); }
  void drive(const World& world, Drive& drive) override {
    std::array<double, 1> share{};
    path_.at(world.state().time + world.dt(), share);
    arm_.lead(world, edge(p_["fold"] * share[0]), drive);
  }
  void watch(const World& world) override { steps_.watch(world); }
  Outcome check(const World& world) const override {
    const Folded folded = look(world);
    return Findings()
        .at_least("edge folded over by", folded.over, 0.75 * kSide / 2, kMillimetres)
        .below("edge above the table", folded.height, 4 * kThick, kMillimetres)
        .require(folded.touches, "layer lies on layer", "the layers do not touch")
        .below("speed of the mat", folded.speed, 0.01, kSpeed)
        .require(arm_.reached(), "all in reach", "out of reach")
        .below("penetration", steps_.penetration(), p_["depth"], kMicrometres)
        .well_solved(steps_)
        .outcome();
  }

 private:
  static constexpr double kTiny = 1e-6;  // m

  /// Way of the edge's lower side, which is the upper one in the end: half a circle about the middle of the mat. The
  /// fold is as thick as the mat's stiffness makes it, so the edge stays short of the other one.
  static Vec3 edge(double share) {
    const double angle = M_PI * share, radius = 0.46 * kSide;
    const double x = kNear + kSide / 2 - (kSide / 2 - share * (kSide / 2 - radius)) * std::cos(angle);
    return {x, 0, kTable + kSkin + 0.9 * radius * std::sin(angle) + 0.8 * kThick * share};
  }
  /// A bar at the end of the stick, which touches nothing, and three nodes of the edge on it.
  void add_tool(ModelSpec& spec, const TetMesh& mesh, int link) const {
    for (std::size_t i = 0; i < mesh.nodes.size(); ++i) {
      const Vec3& node = mesh.nodes[i];
      const double aside = std::abs(node.y());
      const bool held = node.x() < kTiny - kSide / 2 && node.z() < 0 && (aside < kTiny || aside > kSide / 2 - kTiny);
      if (!held) continue;
      EqualitySpec clip;
      clip.name = "clip" + std::to_string(i);
      clip.first = spec.soft_bodies[0].bodies[i];
      clip.second = link;
      clip.second_anchor = arm_.tip() + transpose_times(arm_.home(), Vec3{0, node.y(), 0});
      spec.equalities.push_back(std::move(clip));
    }
    const Vec3 along = transpose_times(arm_.home(), Vec3{0, 1, 0});
    GeomSpec bar;
    bar.name = "bar";
    bar.body = link;
    bar.shape = ShapeType::Capsule;
    bar.size = {kThick / 2, kSide / 2, 0};
    bar.position = arm_.tip();
    bar.orientation = exp_rotation(cross({0, 0, 1}, along) * (M_PI / 2));
    bar.contact_type = bar.contact_affinity = 0;
    spec.geoms.push_back(std::move(bar));
  }

  struct Folded {
    double over = kSide,
           height = 0;     // m, of the edge: the least beyond the middle of the mat, the most above the table
    double speed = 0;      // m/s
    bool touches = false;  // the mat itself
  };
  static Folded look(const World& world) {
    const Model& model = world.model();
    const std::vector<Vec3> now = node_places(model, 0, world.state());
    const std::vector<Vec3> flat = node_places(model, 0, model.reference_state());
    Folded folded;
    for (std::size_t i = 0; i < now.size(); ++i) {
      if (flat[i].x() > kNear + kSide - kTiny) continue;  // pinned
      const int body = model.spec().soft_bodies[0].bodies[i];
      folded.speed = std::max(folded.speed, norm(Vec3::from(&world.state().v[v_of(model, body)])));
      if (flat[i].x() > kNear + kTiny) continue;
      folded.over = std::min(folded.over, now[i].x() - (kNear + kSide / 2));
      folded.height = std::max(folded.height, now[i].z() - kTable);
    }
    folded.touches = std::any_of(world.contacts().begin(), world.contacts().end(), [](const Contact& contact) {
      return contact.face1 >= 0 && contact.face2 >= 0 && contact.gap < kSkin;
    });
    return folded;
  }

  Parameters p_;
  StickArm arm_;
  Trajectory path_{{{0, {0}}, {kMove, {1}}}};  // share of the way
  StepWatch steps_;
};

}  // namespace

Description soft_mat() {
  return {.name = "soft-mat",
          .summary = "a Panda folds a soft mat in two and holds it",
          .dt = 0.01,
          .duration = kMove + kRest,
          .check_time = kMove + kRest,
          .parameters = kParameters,
          .make = make_scene<SoftMat>};
}

}  // namespace uzawa::scenarios
