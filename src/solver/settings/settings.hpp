#pragma once

#include <array>
#include <atomic>

#include "uzawa/solver/settings/apgd_settings.hpp"
#include "uzawa/solver/settings/canal_settings.hpp"
#include "uzawa/solver/settings/ccs_settings.hpp"
#include "uzawa/solver/settings/cond_settings.hpp"
#include "uzawa/solver/settings/penalty_settings.hpp"
#include "uzawa/solver/settings/pgs_settings.hpp"
#include "uzawa/solver/settings/setting.hpp"
#include "uzawa/solver/settings/soft_convex_settings.hpp"
#include "uzawa/solver/settings/subadmm_settings.hpp"

namespace uzawa {

/// Settings of a solve: common to all methods, and a section for each method.
struct Settings {
  double tolerance = 1e-8;
  bool require_siconos = true;
  int max_iterations = 0;
  double work = 0;
  double budget_us = 0;
  const std::atomic<bool>* stop = nullptr;  ///< raised by another thread or a signal handler: the solve ends at once
  bool history = false;
  int threads = 1;
  CanalSettings canal;
  SubAdmmSettings subadmm;
  CondSettings cond;
  PgsSettings pgs;
  ApgdSettings apgd;
  CcsSettings ccs;
  SoftConvexSettings soft_convex;
  PenaltySettings penalty;
};

/// Settings that every method reads.
inline constexpr std::array kCommonSettings = {
    describe<CommonField<&Settings::tolerance>>("tolerance", "m/s and N s", {1e-300, 1e3},
                                                "on the judge's residual, [AL] section VII"),
    describe<CommonField<&Settings::require_siconos>>(
        "require_siconos", "tolerance also on the Siconos error, which is relative to all impulses and velocities"),
    describe<CommonField<&Settings::max_iterations>>("max_iterations", "iterations", {0, 1e9},
                                                     "of each island; 0: the method's default"),
    describe<CommonField<&Settings::work>>("work", "Newton steps", {0, 1e9},
                                           "work on each island, by canal and auto, in units of one Newton step on it: "
                                           "the same on every machine; 0: until "
                                           "no stage helps. Simulations have a limit of their own"),
    describe<CommonField<&Settings::budget_us>>("budget_us", "us of wall time", {0, 1e15},
                                                "for all islands together; 0: none"),
    describe<CommonField<&Settings::history>>("history", "record every iteration in Stats"),
    describe<CommonField<&Settings::threads>>("threads", "", {1, 256}, "the answer has the same bits for any number"),
};

}  // namespace uzawa
