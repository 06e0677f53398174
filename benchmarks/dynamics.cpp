/// Forward kinematics + mass matrix + factorisation + bias force: ours against MuJoCo's, interleaved in one run on the
/// same models and states; then the growth of ABA with the length of a chain.
///
/// MuJoCo's mj_kinematics also places geoms and sites. So there are two comparisons: "links", where MuJoCo's model has
/// its geoms and sites taken out, and "all", where we place every geom and site too.
///
/// Usage: benchmark_dynamics [MODEL.xml ...]; exit code 1 where the states timed do not agree.

#include <fmt/format.h>
#include <mujoco/mujoco.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "build_folders.hpp"
#include "uzawa/base/timing.hpp"
#include "uzawa/dynamics/inertia.hpp"
#include "uzawa/dynamics/kinematics.hpp"
#include "uzawa/dynamics/newton_euler.hpp"
#include "uzawa/io/load.hpp"

namespace {

using namespace uzawa;
using bench::median;
using bench::seconds;

constexpr int kStates = 64;   // per timed batch: enough that clock reads do not count
constexpr int kRounds = 301;  // batches of each side, alternating; the median is reported

struct Batch {
  std::vector<std::vector<double>> q, v;
};

/// States near the reference configuration, as a simulation meets them.
Batch draw_states(const Model& model) {
  std::mt19937_64 random(7);
  std::normal_distribution<double> normal;
  Batch batch;
  for (int i = 0; i < kStates; ++i) {
    State state = model.reference_state();
    for (double& x : state.q) x += 0.3 * normal(random);
    for (double& x : state.v) x = normal(random);
    batch.q.push_back(state.q);
    batch.v.push_back(state.v);
  }
  return batch;
}

class Ours {
 public:
  explicit Ours(const Model& model)
      : model_(model),
        data_(model),
        bias_(static_cast<std::size_t>(model.nv())),
        geoms_(model.spec().geoms.size()),
        sites_(model.spec().sites.size()) {}

  bool evaluate(const std::vector<double>& q, const std::vector<double>& v, bool place_all) {
    forward_kinematics(model_, q, data_);
    if (place_all) {
      for (std::size_t i = 0; i < geoms_.size(); ++i) geoms_[i] = geom_pose(model_, data_, static_cast<int>(i));
      for (std::size_t i = 0; i < sites_.size(); ++i) sites_[i] = site_pose(model_, data_, static_cast<int>(i));
    }
    mass_matrix(data_);
    const bool positive = factorize_mass(data_);
    link_velocities(model_, v, data_);
    bias_force(model_, v, data_, bias_);
    return positive;
  }
  /// What the factors make of the bias force: depends on everything that was timed.
  std::vector<double> solved_bias() const {
    std::vector<double> x = bias_;
    data_.mass_factor.solve(x);
    return x;
  }

 private:
  const Model& model_;
  DynamicsData data_;
  std::vector<double> bias_;
  std::vector<Pose> geoms_, sites_;
};

class Theirs {
 public:
  explicit Theirs(const std::string& path) {
    char error[500] = "";
    model_.reset(mj_loadXML(path.c_str(), nullptr, error, sizeof error));
    if (!model_) throw std::runtime_error(error);
    data_.reset(mj_makeData(model_.get()));
  }
  /// Takes geoms and sites out of what mj_kinematics loops over (old releases loop over all, new ones by body).
  void links_only() {
    model_->ngeom = model_->nsite = 0;
    std::fill_n(model_->body_geomnum, model_->nbody, 0);
  }

  void evaluate(const std::vector<double>& q, const std::vector<double>& v) {
    const mjModel* m = model_.get();
    mjData* d = data_.get();
    std::copy(q.begin(), q.end(), d->qpos);
    std::copy(v.begin(), v.end(), d->qvel);
    mj_kinematics(m, d);
    mj_comPos(m, d);
#if mjVERSION_HEADER >= 300
    mj_makeM(m, d);
#else
    mj_crb(m, d);
#endif
    mj_factorM(m, d);
    mj_comVel(m, d);
    mj_rne(m, d, 0, d->qfrc_bias);
  }
  std::vector<double> solved_bias() {
    std::vector<double> x(static_cast<std::size_t>(model_->nv));
    mj_solveM(model_.get(), data_.get(), x.data(), data_->qfrc_bias, 1);
    return x;
  }

 private:
  std::unique_ptr<mjModel, void (*)(mjModel*)> model_{nullptr, mj_deleteModel};
  std::unique_ptr<mjData, void (*)(mjData*)> data_{nullptr, mj_deleteData};
};

double difference(const std::vector<double>& a, const std::vector<double>& b) {
  double worst = 0, scale = 1e-12;
  for (std::size_t i = 0; i < a.size(); ++i) {
    worst = std::max(worst, std::abs(a[i] - b[i]));
    scale = std::max(scale, std::abs(b[i]));
  }
  return worst / scale;
}

struct Timing {
  double ours = 0, theirs = 0, ratio = 0;  // us, us, ours/theirs
};

Timing interleave(const Batch& batch, Ours& ours, Theirs& theirs, bool place_all) {
  std::vector<double> our_times, their_times, ratios;
  for (int round = 0; round < kRounds; ++round) {
    const double mine = seconds([&] {
      for (int i = 0; i < kStates; ++i) {
        (void)ours.evaluate(batch.q[static_cast<std::size_t>(i)], batch.v[static_cast<std::size_t>(i)], place_all);
      }
    });
    const double other = seconds([&] {
      for (int i = 0; i < kStates; ++i) {
        theirs.evaluate(batch.q[static_cast<std::size_t>(i)], batch.v[static_cast<std::size_t>(i)]);
      }
    });
    our_times.push_back(mine / kStates * 1e6);
    their_times.push_back(other / kStates * 1e6);
    ratios.push_back(mine / other);
  }
  return {median(our_times), median(their_times), median(ratios)};
}

bool run_model(const std::string& path) {
  const LoadedModel loaded = load_model(path);
  const Batch batch = draw_states(loaded.model);
  Ours ours(loaded.model);
  Theirs all(path), links(path);
  links.links_only();
  const Timing with_links = interleave(batch, ours, links, false);
  const Timing with_all = interleave(batch, ours, all, true);
  const double error = difference(ours.solved_bias(), all.solved_bias());
  const std::filesystem::path file(path);
  fmt::print("{:<38} {:>4} {:>5} | {:>7.3f} {:>7.3f} {:>6.2f} | {:>7.3f} {:>7.3f} {:>6.2f} | {:.1e}\n",
             (file.parent_path().filename() / file.filename()).string(), loaded.model.nv(), loaded.model.links().size(),
             with_links.ours, with_links.theirs, with_links.ratio, with_all.ours, with_all.theirs, with_all.ratio,
             error);
  return error < 1e-8;
}

/// A chain of hinges about alternating axes.
Model chain(int links) {
  ModelSpec spec;
  for (int i = 0; i < links; ++i) {
    BodySpec body;
    body.parent = i;
    body.position = {0.1, 0, 0};
    body.mass = 0.1;
    body.com = {0.05, 0, 0};
    body.principal_inertia = {1e-4, 2e-4, 2e-4};
    spec.bodies.push_back(body);
    JointSpec joint;
    joint.body = i + 1;
    joint.axis = Vec3::unit(1 + i % 2);
    joint.armature = 1e-3;
    spec.joints.push_back(joint);
  }
  return Model(std::move(spec));
}

/// Time of ABA (kinematics and bias included) over the length of the chain, and the exponent of its growth.
bool run_chains() {
  fmt::print("\nABA (kinematics, bias and forward dynamics) on chains\n{:>6} {:>10} {:>12} {:>14}\n", "links", "us",
             "us/link", "RNEA(ABA) error");
  std::vector<double> links, link_times;
  bool agrees = true;
  for (const int n : {10, 20, 50, 100, 200, 500, 1000}) {
    const Model model = chain(n);
    DynamicsData data(model);
    std::mt19937_64 random(3);
    std::normal_distribution<double> normal;
    State state = model.reference_state();
    for (double& x : state.q) x = 0.1 * normal(random);
    for (double& x : state.v) x = 0.01 * normal(random);
    std::vector<double> tau(state.v.size()), a(state.v.size()), back(state.v.size());
    for (double& x : tau) x = 0.01 * normal(random);
    std::vector<double> times;
    const int repeats = std::max(1, 2000 / n);
    for (int round = 0; round < 101; ++round) {
      times.push_back(seconds([&] {
                        for (int k = 0; k < repeats; ++k) {
                          forward_kinematics(model, state.q, data);
                          link_velocities(model, state.v, data);
                          agrees = forward_dynamics(model, state.v, tau, data, a) && agrees;
                        }
                      }) /
                      repeats * 1e6);
    }
    inverse_dynamics(model, state.v, a, data, back);
    const double error = difference(back, tau);
    agrees = agrees && error < 1e-6;
    const double time = median(times);
    fmt::print("{:>6} {:>10.2f} {:>12.4f} {:>14.1e}\n", n, time, time / n, error);
    links.push_back(n), link_times.push_back(time);
  }
  fmt::print("growth exponent, {:.0f} to {:.0f} links: {:.2f}\n", links.front(), links.back(),
             bench::fitted_exponent(links, link_times));
  return agrees;
}

std::vector<std::string> default_models() {
  const std::string own = UZAWA_MODELS, shared = std::string(UZAWA_SHARED_DATA) + "/menagerie";
  std::vector<std::string> models;
  for (const char* name : {"panda", "quadruped", "humanoid", "allegro_like_hand", "dual_arm"}) {
    models.push_back(own + '/' + name + ".xml");
  }
  for (const char* name : {"shadow_hand/right_hand", "franka_emika_panda/panda", "agility_cassie/cassie"}) {
    const std::string path = shared + '/' + name + ".xml";
    if (std::filesystem::exists(path)) {
      models.push_back(path);
    } else {
      fmt::print("skipped (not there): {}\n", name);
    }
  }
  return models;
}

/// False where the results timed do not agree.
bool run(std::vector<std::string> models) {
  if (models.empty()) models = default_models();
  fmt::print("kinematics + mass matrix + factorisation + bias force, us a state; MuJoCo {}\n", mujoco_version());
  fmt::print("{:<38} {:>4} {:>5} | {:^22} | {:^22} |\n", "", "", "", "links", "links, geoms, sites");
  fmt::print("{:<38} {:>4} {:>5} | {:>7} {:>7} {:>6} | {:>7} {:>7} {:>6} | difference\n", "model", "nv", "links",
             "ours", "MuJoCo", "ratio", "ours", "MuJoCo", "ratio");
  bool agrees = true;
  for (const std::string& model : models) agrees = run_model(model) && agrees;
  agrees = run_chains() && agrees;
  if (!agrees) fmt::print(stderr, "the results timed do not agree\n");
  return agrees;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run({argv + 1, argv + argc}) ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
