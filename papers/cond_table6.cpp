/// COND beside PGS and APGD: soft fingers carry an object; printed force errors are from an experiment.
#include "uzawa/papers/catalog.hpp"
#include "uzawa/papers/soft_study.hpp"

namespace uzawa::papers {

namespace {

Report run(const Options& options) {
  return soft_report({.scene = gripper_scene(),
                      .what = "soft gripper",
                      .cond = {0.0005, 116.9, 18.24, 30.88},
                      .pgs = {0.0397, 117.5, 547, 59.06},
                      .apgd = {0.0409, 117.2, 547.3, 57.81},
                      .assembly = 533},
                     options);
}

}  // namespace

Bench cond_table6() { return {"cond-table6", "soft gripper: COND beside PGS and APGD", "[COND] Table VI", run}; }

}  // namespace uzawa::papers
