/// Ours against MuJoCo on the same models: MuJoCo with its default solver and tolerance, ours to kTolerance, one thread
/// each. Both start from the same state and go their own way, a step of ours, then one of MuJoCo's. CPU time of a whole
/// step.
///
/// Judged, of both: `overlap`, the deepest of the positions on the way, as our collider finds it. `residual`, the
/// judge's word on the impulses of a step, the worst of those looked at: that of [AL] section VII with the strict law.
/// MuJoCo's contact forces are put in at the contacts that we find at the same state, each at the nearest one of the
/// same pair of geoms; its joint limits, dry friction and equalities are not (they have no counterpart row by row), so
/// the residual is printed for scenes where only contacts push.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "mujoco_referee.hpp"
#include "step.hpp"
#include "uzawa/base/timing.hpp"

namespace uzawa::bench {

namespace {

constexpr int kJudgeEvery = 10;  // steps; MuJoCo's side costs a step of ours

struct Side {
  std::vector<double> us, contacts;
  double overlap = 0, residual = 0;  // worst
};

struct Comparison {
  Side ours, theirs;
  StageTimes stages;
  int capped = 0, timed = 0;
  double iterations = 0, inner = 0;
};

Comparison run_scene(SceneRun& run) {
  const Scene& scene = run.scene();
  ModelPair& pair = run.pair();
  mjData* d = pair.their_data.get();
  World world(run.model(), {.solve = {.tolerance = kTolerance}});
  Referee referee(run.model(), run.control());
  world.set_state(run.start());
  std::copy(run.start().q.begin(), run.start().q.end(), d->qpos);
  std::copy(run.start().v.begin(), run.start().v.end(), d->qvel);
  std::copy(run.control().begin(), run.control().end(), d->ctrl);
  Comparison c;
  for (int i = 0; i < scene.steps; ++i) {
    const bool timed = i >= scene.first, judged = timed && i % kJudgeEvery == 0;
    if (judged) referee.look_at_state(d);
    const double ours = seconds([&] { world.step(run.control()); });
    const double theirs = seconds([&] { mj_step(pair.theirs.get(), d); });
    run.check("ours", world.state().q);
    run.check("MuJoCo's", {d->qpos, d->qpos + world.model().nq()});
    if (judged) {
      c.theirs.overlap = std::max(c.theirs.overlap, referee.penetration());
      const double residual = referee.residual(pair);
      if (!(c.theirs.residual >= residual)) c.theirs.residual = std::isnan(c.theirs.residual) ? NAN : residual;
    }
    if (!timed) continue;
    const StepReport& report = world.report();
    ++c.timed;
    c.ours.us.push_back(ours * 1e6);
    c.theirs.us.push_back(theirs * 1e6);
    c.ours.contacts.push_back(report.contacts);
    c.theirs.contacts.push_back(d->ncon);
    c.ours.residual = std::max(c.ours.residual, report.residual);
    c.ours.overlap = std::max(c.ours.overlap, report.penetration);
    c.capped += report.status == StepStatus::Solved ? 0 : 1;
    c.stages += report.times;
    c.iterations += report.iterations;
    c.inner += report.inner_iterations;
  }
  return c;
}

const char* target_text(const Comparison& c) {
  if (median(c.ours.us) > median(c.theirs.us)) return "missed";
  return mean(c.ours.us) <= mean(c.theirs.us) ? "holds" : "holds in the median only";
}

void print_row(const Scene& scene, const Comparison& c) {
  const double ours = median(c.ours.us), theirs = median(c.theirs.us);
  fmt::print(
      "{:<26} {:>8.1f} {:>8.1f} {:>6.2f} | {:>8.1f} {:>8.1f} {:>6.2f} | {:>4.0f} {:>4.0f} | {:>7.1e} {:>7} | "
      "{:>7.4f} {:>7.4f} | {}\n",
      scene.name, ours, theirs, ours / theirs, mean(c.ours.us), mean(c.theirs.us), mean(c.ours.us) / mean(c.theirs.us),
      mean(c.ours.contacts), mean(c.theirs.contacts), c.ours.residual,
      std::isnan(c.theirs.residual) ? "-" : fmt::format("{:.1e}", c.theirs.residual), c.ours.overlap * 1e3,
      c.theirs.overlap * 1e3, target_text(c));
  const double total = c.stages.total() / 100, count = c.timed;
  fmt::print(
      "{:<26} dynamics {:.0f} %, collision {:.0f} %, assembly {:.0f} %, solve {:.0f} %; {:.1f} loops, {:.1f} "
      "inner a step; {} of {} steps not solved\n",
      "", c.stages.dynamics / total, c.stages.collision / total, c.stages.assembly / total, c.stages.solve / total,
      c.iterations / count, c.inner / count, c.capped, c.timed);
  std::fflush(stdout);
}

}  // namespace

bool compare_with_mujoco(const std::string& only) {
  fmt::print("us a step: median and mean; ours to {:g}, MuJoCo {} with its defaults; target: no slower\n", kTolerance,
             mujoco_version());
  fmt::print("{:<26} {:^24} | {:^24} | {:^9} | {:^15} | {:^15} |\n", "", "median", "mean", "contacts", "worst residual",
             "overlap, mm");
  fmt::print("{:<26} {:>8} {:>8} {:>6} | {:>8} {:>8} {:>6} | {:>4} {:>4} | {:>7} {:>7} | {:>7} {:>7} | target\n",
             "scene", "ours", "MuJoCo", "ratio", "ours", "MuJoCo", "ratio", "ours", "MJ", "ours", "MuJoCo", "ours",
             "MuJoCo");
  bool holds = true;
  for (const Scene& scene : step_scenes()) {
    if (scene.name.find(only) == std::string::npos) continue;
    SceneRun run(scene);
    const Comparison c = run_scene(run);
    print_row(scene, c);
    holds = holds && median(c.ours.us) <= median(c.theirs.us);
  }
  fmt::print("target {} (by the median)\n", holds ? "holds on all" : "missed on some");
  return holds;
}

}  // namespace uzawa::bench
