#include "uzawa/papers/scene_study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace uzawa::papers {

namespace {

constexpr int kQuickSteps = 20, kQuickSweeps = 5;
constexpr int kSampled = 100;  // problems of CANAL's run, on which both are timed
constexpr int kRungs[] = {1, 2, 5, 10, 20, 50, 100, 200, 500};

constexpr const char* kThreads =
    "Nearly all triangles of the nut's thread are within a millimetre of the bolt's all the time; the corners of each "
    "are measured in every step, and the most promising ones searched, while the solver has a nut and at most an arm. "
    "Keeping the near triangles from step to step, or larger triangles on the flanks, would cut it.";
constexpr const char* kDishes =
    "A dish that lies on another or on the floor has about half of its triangles within reach, at rest as in motion, "
    "while the solver has little to do at rest: it starts from the last impulses. Fewer triangles on flat feet, and "
    "keeping the near ones from step to step, would cut it.";
constexpr const char* kPlain = "Its shapes are boxes, spheres and planes: closed forms.";

constexpr std::array kScenes = {
    PaperScene{"bolt-nut", "", 200, Symptom::None, "", kThreads},
    PaperScene{"bolt-nut-assembly", "", 100, Symptom::Penetration, "fails: significant penetrations", kThreads},
    PaperScene{"dish-piling", "", 200, Symptom::None, "", kDishes},
    PaperScene{"dish-piling-robot", "", 50, Symptom::Jitter, "fails: jittery movements", kDishes},
    PaperScene{"pouring", "", 200, Symptom::None, "", kDishes},
    PaperScene{"pouring", "grip=10", 500, Symptom::Jitter, "a strong grasp can be significantly unstable", kDishes},
    PaperScene{"laikago-drop", "", 200, Symptom::None, "", kPlain},
    PaperScene{"laikago-drop", "side=3", 200, Symptom::None, "", kPlain},
    PaperScene{"dish-sliding", "", 20, Symptom::None, "", kDishes},
    PaperScene{"door-handle", "", 20, Symptom::None, "", "Nothing collides."},
    PaperScene{"franka-box", "", 100, Symptom::None, "", kPlain}};

Contender pgs(int sweeps) { return {"PGS", "pgs", {.max_iterations = sweeps}}; }

std::vector<Rung> climb(const PaperScene& scene, const Options& options) {
  std::vector<Rung> out;
  for (const int sweeps : kRungs) {
    if (sweeps > options.cases(scene.most_sweeps, kQuickSweeps)) break;
    out.push_back({sweeps, run_scene(scene.name, scene.change, pgs(sweeps), options)});
    if (out.back().figures.unsolved == 0) break;
  }
  return out;
}

std::size_t nearest_rung(const std::vector<Rung>& ladder, double sweeps) {
  const auto distance = [&](const Rung& rung) { return std::abs(std::log(rung.sweeps / sweeps)); };
  const auto found = std::min_element(ladder.begin(), ladder.end(),
                                      [&](const Rung& a, const Rung& b) { return distance(a) < distance(b); });
  return static_cast<std::size_t>(found - ladder.begin());
}

}  // namespace

std::span<const PaperScene> paper_scenes() { return kScenes; }

std::string extent(const Options& options) {
  return options.quick ? fmt::format("the first {} steps", kQuickSteps) : "whole";
}

SceneFigures run_scene(const char* name, const char* change, const Contender& contender, const Options& options,
                       bool warm_start, std::vector<Case>* cases) {
  const std::vector<std::string> changes(*change != '\0' ? 1 : 0, change);
  scenarios::SceneRun world = start_scene(name, changes, contender, warm_start);
  const auto whole = static_cast<int>(std::lround(world.times().duration / world.world().dt()));
  return follow(world, options.cases(whole, std::min(whole, kQuickSteps)), options, cases, options.cases(kSampled, 2));
}

bool SceneStudy::shows_symptom() const {
  const SceneFigures& pgs = rung().figures;
  return scene->symptom == Symptom::Penetration ? pgs.penetration > kMarked * canal.penetration
                                                : pgs.jitter > kMarked * canal.jitter;
}

SceneStudy study(const PaperScene& scene, const Options& options) {
  SceneStudy out{.scene = &scene};
  std::vector<Case> cases;
  out.canal = run_scene(scene.name, scene.change, {"CANAL", "canal"}, options, true, &cases);
  out.costs = solve_costs(cases, options);
  out.subadmm = run_scene(scene.name, scene.change, {"SubADMM", "subadmm"}, options);
  out.ladder = climb(scene, options);
  out.nearest = nearest_rung(out.ladder, out.costs.sweeps());
  if (scene.symptom != Symptom::None) {
    out.cold = run_scene(scene.name, scene.change, pgs(out.rung().sweeps), options, false);
  }
  return out;
}

}  // namespace uzawa::papers
