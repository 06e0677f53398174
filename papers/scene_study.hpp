#pragma once

#include <span>
#include <string>

#include "uzawa/papers/bench.hpp"
#include "uzawa/papers/scene_figures.hpp"

/// One scene with CANAL, with SubADMM, and with PGS in the time that CANAL takes.
namespace uzawa::papers {

/// A scene of the papers.
struct PaperScene {
  const char* name;
  const char* change;        ///< of a parameter, as in "grip=10"; empty: none
  const char* pgs_in_paper;  ///< what is reported of PGS there; empty: nothing
  const char* collision;     ///< what makes its collision dear, and what would cut that

  bool has_pgs_claim() const { return *pgs_in_paper != '\0'; }
  std::string label() const { return *change != '\0' ? std::string(name) + ", " + change : name; }
};
/// In the order of the papers.
std::span<const PaperScene> paper_scenes();

struct SceneStudy {
  const PaperScene* scene = nullptr;
  SceneFigures canal, subadmm, pgs, cold;  ///< cold: PGS with as many sweeps, every step from nothing
  SweepCost cost;
  int sweeps = 0;  ///< of PGS, in the mean time of a solve by CANAL
  /// Sweeps with which the check holds or does not hold with PGS: the nearest pair that was tried, by halving or
  /// doubling. 0: no such number was found.
  int holds = 0, fails = 0;
};

/// Time is CPU time, measured in this very run: no wall clock, on which a busy machine would make every method fail.
SceneStudy study(const PaperScene& scene, const Options& options);

}  // namespace uzawa::papers
