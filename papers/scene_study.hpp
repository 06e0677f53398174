#pragma once

#include <span>
#include <string>
#include <vector>

#include "uzawa/papers/bench.hpp"
#include "uzawa/papers/scene_figures.hpp"

/// One scene with CANAL, with SubADMM, and with PGS on a ladder of sweeps.
namespace uzawa::papers {

/// What a paper reports of PGS, as a figure of ours that it shows in.
enum class Symptom { None, Penetration, Jitter };

/// A scene of the papers.
struct PaperScene {
  const char* name;
  const char* change;  ///< of a parameter, as in "grip=10"; empty: none
  int most_sweeps;     ///< the ladder's last rung: several times what CANAL takes
  Symptom symptom;
  const char* pgs_in_paper;  ///< what is reported of PGS there; empty: nothing
  const char* collision;     ///< what makes its collision dear, and what would cut that

  std::string label() const { return *change != '\0' ? std::string(name) + ", " + change : name; }
};
/// In the order of the papers.
std::span<const PaperScene> paper_scenes();

/// "whole", or how much of a scene a quick run does.
std::string extent(const Options& options);
/// That much of the scene with one method.
SceneFigures run_scene(const char* name, const char* change, const Contender& contender, const Options& options,
                       bool warm_start = true, std::vector<Case>* cases = nullptr);

/// PGS with so many sweeps a step.
struct Rung {
  int sweeps = 0;
  SceneFigures figures;
};

struct SceneStudy {
  const PaperScene* scene = nullptr;
  SceneFigures canal, subadmm;
  /// 1, 2, 5, 10, ... sweeps up to the scene's most, or until every step is solved: more sweeps are then the same run.
  std::vector<Rung> ladder;
  SolveCosts costs;         ///< on problems of CANAL's run
  std::size_t nearest = 0;  ///< the rung whose sweeps come nearest, by ratio, to those in CANAL's time
  SceneFigures cold;        ///< with that rung's sweeps, every step from nothing; where the paper reports a symptom

  const Rung& rung() const { return ladder[nearest]; }
  /// Of that rung: more than `kMarked` times CANAL's penetration or jitter.
  bool shows_symptom() const;
};
inline constexpr double kMarked = 2;

/// Every rung is the same run whatever the machine; only which of them is the nearest is measured, in CPU time and on
/// the same problems.
SceneStudy study(const PaperScene& scene, const Options& options);

}  // namespace uzawa::papers
