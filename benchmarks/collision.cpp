/// Collision against MuJoCo's, interleaved in one run on the same poses: pairs a second by type of shape, with the
/// shapes about to touch or just touching, as a simulation meets them; then the growth of the time with the number of
/// spheres that tumble in a box.
///
/// MuJoCo's time is that of mj_collision with its default settings, ours that of Collider::run, which also places the
/// geoms; both are CPU time. Usage: benchmark_collision [pairs|spheres|SHAPE SHAPE]. Exit code 1 where the contacts
/// timed do not agree.

#include <fmt/format.h>
#include <mujoco/mujoco.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "model_pair.hpp"
#include "uzawa/base/timing.hpp"
#include "uzawa/collision/collider.hpp"
#include "uzawa/dynamics/kinematics.hpp"

namespace {

using namespace uzawa;
using bench::median;
using bench::seconds;
constexpr int kPairs = 200;                          // a model
constexpr int kStates = 8;                           // poses of a model
constexpr int kRounds = 41;                          // batches of each side, alternating; the median is reported
constexpr double kGapLow = -0.01, kGapHigh = 0.002;  // m, of the poses drawn
/// m: of the least gaps of both sides, where MuJoCo is told to go on until it is exact (with its default settings it is
/// off by up to 1e-2 where shapes are curved). Where they differ by more, the support functions tell who is wrong.
constexpr double kAgreement = 1e-5;
constexpr double kRounding = 1e-9;  // m

/// The same model on both sides.
class Both {
 public:
  explicit Both(const std::string& xml)
      : pair_(bench::load_pair_from_text(xml)), collider_(pair_.ours.model), data_(pair_.ours.model) {}

  const Model& model() const { return pair_.ours.model; }
  Collider& collider() { return collider_; }
  DynamicsData& data() { return data_; }
  const mjData* their_data() const { return pair_.their_data.get(); }

  void place_ours(const std::vector<double>& q) { forward_kinematics(pair_.ours.model, q, data_); }
  void place_theirs(const std::vector<double>& q) const {
    std::copy(q.begin(), q.end(), pair_.their_data->qpos);
    mj_kinematics(pair_.theirs.get(), pair_.their_data.get());
    mj_comPos(pair_.theirs.get(), pair_.their_data.get());
  }
  void collide_ours() { collider_.run(data_.link_pose); }
  void collide_theirs() const { mj_collision(pair_.theirs.get(), pair_.their_data.get()); }
  /// With as many iterations as it takes, and one contact a pair: several are not all on the surfaces.
  void collide_theirs_exactly() {
    const mjOption usual = pair_.theirs->opt;
    pair_.theirs->opt.ccd_iterations = 1000;
    pair_.theirs->opt.ccd_tolerance = 1e-10;
#if mjVERSION_HEADER >= 3000000
    pair_.theirs->opt.disableflags |= mjDSBL_MULTICCD;
#endif
    collide_theirs();
    pair_.theirs->opt = usual;
  }

 private:
  bench::ModelPair pair_;
  Collider collider_;
  DynamicsData data_;
};

const char* const kShapes[] = {"plane", "sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh"};

std::string geom_xml(const std::string& shape, std::mt19937_64& random) {
  std::uniform_real_distribution<double> size(0.05, 0.2);
  const auto draw = [&] { return fmt::format("{:.6f} ", size(random)); };
  if (shape == "mesh") return R"(type="mesh" mesh="rock")";
  std::string sizes = draw();
  if (shape != "sphere") sizes += draw();
  if (shape == "ellipsoid" || shape == "box") sizes += draw();
  return fmt::format(R"(type="{}" size="{}")", shape, sizes);
}

/// Pairs far apart from each other; margin so that gaps up to kGapHigh are reported.
std::string pairs_xml(const std::string& first, const std::string& second) {
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal;
  std::string vertices;
  for (int i = 0; i < 40; ++i) {
    const Vec3 d{normal(random), normal(random), normal(random)};
    const Vec3 v = d * (0.15 / norm(d));
    vertices += fmt::format("{:.6f} {:.6f} {:.6f}  ", v.x(), 0.7 * v.y(), 0.5 * v.z());
  }
  std::string xml = fmt::format(R"(<mujoco><size memory="64M"/><asset><mesh name="rock" vertex="{}"/></asset>
      <default><geom margin="{}"/></default><worldbody>)",
                                vertices, 0.5 * kGapHigh);
  if (first == "plane") xml += R"(<geom type="plane" size="100 100 1"/>)";
  for (int i = 0; i < kPairs; ++i) {
    for (const std::string& shape : {first, second}) {
      if (shape != "plane") xml += fmt::format("<body><freejoint/><geom {}/></body>", geom_xml(shape, random));
    }
  }
  return xml + "</worldbody></mujoco>";
}

/// Gap of one pair at a pose, however large.
double gap_of(const PlacedShape& a, const PlacedShape& b, NarrowWorkspace& workspace, Manifold& manifold) {
  manifold.points.clear();
  collide(a, b, 10, workspace, manifold);
  double least = 10;
  for (const ManifoldPoint& p : manifold.points) least = std::min(least, p.gap);
  return least;
}

/// A pose of every pair in which its gap is within the range: random orientations, moved together along a random line.
std::vector<double> draw_state(Both& both, bool plane, std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> gap(kGapLow, kGapHigh);
  std::vector<double> q(static_cast<std::size_t>(both.model().nq()));
  NarrowWorkspace workspace;
  Manifold manifold;
  const auto& geoms = both.collider().shapes().geoms();
  for (std::size_t i = 0; i < kPairs; ++i) {
    const std::size_t row = i / 15, column = i % 15;
    const Vec3 cell{2.0 * static_cast<double>(column), 2.0 * static_cast<double>(row), plane ? 0. : 1.};
    PlacedShape shapes[2];
    Pose bodies[2], mounts[2];  // a mesh is not where its body is
    for (std::size_t k = 0; k < 2; ++k) {
      const std::size_t g = plane ? (k == 0 ? 0 : 1 + i) : 2 * i + k;
      shapes[k].shape = &geoms[g].shape;
      if (plane && k == 0) continue;
      const Quat turn = normalized({normal(random), {normal(random), normal(random), normal(random)}});
      bodies[k] = Pose::from(cell, turn);
      mounts[k] = geoms[g].pose;
      shapes[k].pose = bodies[k] * mounts[k];
      turn.store(q.data() + 7 * (plane ? i : g) + 3);
    }
    const Vec3 d = plane ? Vec3{0, 0, 1} : Vec3{normal(random), normal(random), normal(random)};
    const Vec3 line = d * (1 / norm(d));
    const double wanted = gap(random);
    double low = 0, high = 1;
    for (int step = 0; step < 40; ++step) {
      const double middle = 0.5 * (low + high);
      bodies[1].position = cell + line * middle;
      shapes[1].pose = bodies[1] * mounts[1];
      (gap_of(shapes[0], shapes[1], workspace, manifold) < wanted ? low : high) = middle;
    }
    for (std::size_t k = plane ? 1 : 0; k < 2; ++k) {
      bodies[k].position.store(q.data() + 7 * (plane ? i : 2 * i + k));
    }
  }
  return q;
}

struct Deepest {
  double gap = 0;
  Vec3 normal;  ///< from the lower geom to the other
};
/// Deepest contact of each pair of geoms, first the lower one.
using Pairs = std::map<std::pair<int, int>, Deepest>;

void note(Pairs& pairs, int a, int b, double gap, const Vec3& normal) {
  const Deepest contact{gap, a < b ? normal : -normal};
  const auto [entry, fresh] = pairs.try_emplace({std::min(a, b), std::max(a, b)}, contact);
  if (!fresh && gap < entry->second.gap) entry->second = contact;
}

struct Comparison {
  double worst = 0;      ///< m, largest difference of the gaps where both are right
  int ours_wrong = 0;    ///< pairs where MuJoCo has a better direction, or a contact that we have not
  int theirs_wrong = 0;  ///< the other way round
};

/// Gap of two convex geoms along a direction; the gap of the shapes is the largest over all directions.
double gap_along(Both& both, std::pair<int, int> geoms, const Vec3& normal) {
  double reach[2] = {};
  for (int k = 0; k < 2; ++k) {
    const auto& geom = both.collider().shapes().geoms()[static_cast<std::size_t>(k == 0 ? geoms.first : geoms.second)];
    const Pose pose = both.data().link_pose[static_cast<std::size_t>(geom.link)] * geom.pose;
    const ConvexCore core = core_of(geom.shape);
    const Vec3 direction = k == 0 ? normal : -normal;
    const Vec3 point = pose * support(core, transpose_times(pose.rotation, direction));
    reach[k] = dot(point, direction) + core.radius;
  }
  return -(reach[0] + reach[1]);
}

/// Where the gaps differ, the direction of the larger gap is right, if the gap is what it says.
void compare(Both& both, bool plane, Comparison& comparison) {
  Pairs ours, theirs;
  for (const Contact& c : both.collider().contacts()) note(ours, c.geom1, c.geom2, c.gap, c.normal);
  const mjData* d = both.their_data();
  for (int i = 0; i < d->ncon; ++i) {
    const mjContact& c = d->contact[i];
    note(theirs, c.geom[0], c.geom[1], c.dist, Vec3::from(c.frame));
  }
  for (const auto& [geoms, contact] : theirs) {
    comparison.ours_wrong += contact.gap < kGapHigh - kAgreement && !ours.contains(geoms) ? 1 : 0;
  }
  for (const auto& [geoms, contact] : ours) {
    const auto found = theirs.find(geoms);
    if (found == theirs.end()) {
      comparison.theirs_wrong += contact.gap < kGapHigh - kAgreement ? 1 : 0;
      continue;
    }
    const double difference = std::abs(contact.gap - found->second.gap);
    if (difference < kAgreement || plane) {
      comparison.worst = std::max(comparison.worst, difference);
      comparison.ours_wrong += difference < kAgreement ? 0 : 1;
      continue;
    }
    const double along_ours = gap_along(both, geoms, contact.normal);
    const double along_theirs = gap_along(both, geoms, found->second.normal);
    const bool ours_is_right = std::abs(along_ours - contact.gap) < kAgreement && along_ours > along_theirs - kRounding;
    ++(ours_is_right ? comparison.theirs_wrong : comparison.ours_wrong);
  }
}

/// False where the contacts do not agree.
bool run_pair_type(const std::string& first, const std::string& second) {
  Both both(pairs_xml(first, second));
  std::mt19937_64 random(9);
  std::vector<std::vector<double>> states;
  for (int i = 0; i < kStates; ++i) states.push_back(draw_state(both, first == "plane", random));
  std::vector<double> ours, theirs, ratios;
  double contacts = 0, their_contacts = 0;
  Comparison found;
  for (int round = 0; round < kRounds; ++round) {
    double mine = 0, other = 0;
    for (const std::vector<double>& q : states) {
      both.place_ours(q);
      both.place_theirs(q);
      mine += seconds([&] { both.collide_ours(); });
      other += seconds([&] { both.collide_theirs(); });
      if (round > 0) continue;
      contacts += static_cast<double>(both.collider().contacts().size());
      their_contacts += both.their_data()->ncon;
      both.collide_theirs_exactly();
      compare(both, first == "plane", found);
    }
    ours.push_back(mine), theirs.push_back(other), ratios.push_back(other / mine);
  }
  const double pairs = static_cast<double>(kPairs) * kStates;
  fmt::print("{:<22} {:>8.2f} {:>8.2f} {:>7.2f} x | {:>5.2f} {:>5.2f} | {:>7.0e} {:>6} {:>6}\n", first + " - " + second,
             pairs / median(ours) * 1e-6, pairs / median(theirs) * 1e-6, median(ratios), contacts / pairs,
             their_contacts / pairs, found.worst, found.ours_wrong, found.theirs_wrong);
  std::fflush(stdout);
  return found.ours_wrong == 0;
}

bool run_pair_types() {
  fmt::print("million pairs a second by type, {} pairs a model; MuJoCo {}\n", kPairs, mujoco_version());
  fmt::print("{:<22} {:>8} {:>8} {:>9} | {:>11} | {:>7} {:>6} {:>6}\n", "pair", "ours", "MuJoCo", "faster", "contacts",
             "gaps", "wrong", "MuJoCo");
  bool agrees = true;
  for (std::size_t i = 0; i < std::size(kShapes); ++i) {
    for (std::size_t k = std::max<std::size_t>(i, 1); k < std::size(kShapes); ++k) {
      agrees = run_pair_type(kShapes[i], kShapes[k]) && agrees;
    }
  }
  return agrees;
}

/// Spheres that fill a fixed part of a box, and drift a little from step to step.
bool run_spheres() {
  fmt::print("\nspheres that drift in a box, us a step\n{:>7} {:>10} {:>10} {:>9} {:>9}\n", "spheres", "ours", "MuJoCo",
             "contacts", "MuJoCo's");
  std::vector<double> sizes, times;
  bool agrees = true;
  for (const int n : {100, 300, 1000, 3000, 10000}) {
    const double side = std::cbrt(n * 0.1 * 0.1 * 0.1 * 1.2);  // spheres of radius 0.05: dense enough to touch
    std::string xml = "<mujoco><size memory=\"1G\"/><worldbody><geom type=\"plane\" size=\"10 10 1\"/>";
    for (int i = 0; i < n; ++i) xml += "<body><freejoint/><geom size=\"0.05\"/></body>";
    Both both(xml + "</worldbody></mujoco>");
    std::mt19937_64 random(3);
    std::uniform_real_distribution<double> place(0, side), drift(-1, 1);
    std::vector<double> q(static_cast<std::size_t>(7 * n)), v(q.size());
    for (std::size_t i = 0; i < q.size(); ++i) {
      q[i] = i % 7 < 3 ? place(random) : (i % 7 == 3 ? 1 : 0);
      v[i] = i % 7 < 3 ? drift(random) * 0.002 : 0;  // m a step, 1 m/s at 500 Hz
    }
    std::vector<double> ours, theirs;
    const int steps = 10 * std::max(2, 2000 / n) + 1;  // MuJoCo runs every tenth, the last among them
    for (int step = 0; step < steps; ++step) {
      for (std::size_t i = 0; i < q.size(); ++i) {
        q[i] += v[i];
        if (i % 7 < 3 && (q[i] < 0 || q[i] > side)) v[i] = -v[i];
      }
      both.place_ours(q);
      ours.push_back(seconds([&] { both.collide_ours(); }));
      if (step % 10 != 0) continue;
      both.place_theirs(q);
      theirs.push_back(seconds([&] { both.collide_theirs(); }));
      agrees = agrees && both.collider().contacts().size() == static_cast<std::size_t>(both.their_data()->ncon);
    }
    ours.erase(ours.begin());  // the first builds the tree
    fmt::print("{:>7} {:>10.1f} {:>10.1f} {:>9} {:>9}\n", n, median(ours) * 1e6, median(theirs) * 1e6,
               both.collider().contacts().size(), both.their_data()->ncon);
    std::fflush(stdout);
    sizes.push_back(n), times.push_back(median(ours));
  }
  fmt::print("fitted exponent {:.3f}\n", bench::fitted_exponent(sizes, times));
  return agrees;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc == 3) return run_pair_type(argv[1], argv[2]) ? 0 : 1;
    const std::string only = argc > 1 ? argv[1] : "";
    const bool pairs = only == "spheres" || run_pair_types();
    const bool spheres = only == "pairs" || run_spheres();
    if (!pairs || !spheres) std::fprintf(stderr, "the contacts timed do not agree\n");
    return pairs && spheres ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
