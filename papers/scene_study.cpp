#include "uzawa/papers/scene_study.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace uzawa::papers {

namespace {

constexpr int kMostDoublings = 3;  // of the sweeps, where PGS fails in CANAL's time
constexpr int kSampled = 60;       // problems of a run, on which PGS is timed
constexpr int kQuickSteps = 20;

constexpr const char* kThreads =
    "Nearly all triangles of the nut's thread are within a millimetre of the bolt's all the time; the corners of each "
    "are "
    "measured in every step, and the most promising ones searched, while the solver has a nut and at most an arm. "
    "Keeping the near triangles from step to step, or larger triangles on the flanks, would cut it.";
constexpr const char* kDishes =
    "A dish that lies on another or on the floor has about half of its triangles within reach, at rest as in motion, "
    "while the solver has little to do at rest: it starts from the last impulses. Fewer triangles on flat feet, and "
    "keeping the near ones from step to step, would cut it.";
constexpr const char* kPlain = "Its shapes are boxes, spheres and planes: closed forms.";

constexpr std::array kScenes = {
    PaperScene{"bolt-nut", "", "", kThreads},
    PaperScene{"bolt-nut-assembly", "", "fails: significant penetrations", kThreads},
    PaperScene{"dish-piling", "", "", kDishes},
    PaperScene{"dish-piling-robot", "", "fails: jittery movements", kDishes},
    PaperScene{"pouring", "", "", kDishes},
    PaperScene{"pouring", "grip=10", "a strong grasp can be significantly unstable", kDishes},
    PaperScene{"laikago-drop", "", "", kPlain},
    PaperScene{"laikago-drop", "side=3", "", kPlain},
    PaperScene{"dish-sliding", "", "", kDishes},
    PaperScene{"door-handle", "", "", "Nothing collides."},
    PaperScene{"franka-box", "", "", kPlain}};

Contender pgs(int sweeps) { return {"PGS", "pgs", {.max_iterations = sweeps}}; }

SceneFigures run(const PaperScene& scene, const Options& options, const Contender& contender, bool warm_start = true,
                 std::vector<Case>* cases = nullptr) {
  const std::vector<std::string> changes(*scene.change != '\0' ? 1 : 0, scene.change);
  scenarios::SceneRun world = start_scene(scene.name, changes, contender, warm_start);
  const auto whole = static_cast<int>(std::lround(scenarios::find_scene(scene.name)->duration / world.world().dt()));
  return follow(world, options.cases(whole, std::min(whole, kQuickSteps)), cases, options.cases(kSampled, 2));
}

/// Halves the sweeps for as long as the check holds, or doubles them until it does.
void find_threshold(const Options& options, SceneStudy& study) {
  const bool held = study.pgs.outcome.holds;
  (held ? study.holds : study.fails) = study.sweeps;
  int sweeps = study.sweeps;
  for (int i = 0; held ? sweeps > 1 : i < options.cases(kMostDoublings, 0); ++i) {
    sweeps = held ? sweeps / 2 : 2 * sweeps;
    const bool holds = run(*study.scene, options, pgs(sweeps)).outcome.holds;
    (holds ? study.holds : study.fails) = sweeps;
    if (holds != held) return;
  }
}

}  // namespace

std::span<const PaperScene> paper_scenes() { return kScenes; }

SceneStudy study(const PaperScene& scene, const Options& options) {
  SceneStudy out{.scene = &scene};
  std::vector<Case> cases;
  out.canal = run(scene, options, {"CANAL", "canal"}, true, &cases);
  out.subadmm = run(scene, options, {"SubADMM", "subadmm"});
  out.cost = sweep_cost(cases);
  out.sweeps = out.cost.sweeps_in(out.canal.solve);
  out.pgs = run(scene, options, pgs(out.sweeps));
  out.cold = run(scene, options, pgs(out.sweeps), false);
  find_threshold(options, out);
  return out;
}

}  // namespace uzawa::papers
