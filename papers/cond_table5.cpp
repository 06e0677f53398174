/// COND beside PGS and APGD: a Panda winds a cable; printed force errors are from an experiment.
#include "uzawa/papers/catalog.hpp"
#include "uzawa/papers/soft_study.hpp"

namespace uzawa::papers {

namespace {

Report run(const Options& options) {
  return soft_report({.scene = cable_scene(),
                      .what = "cable winding",
                      .cond = {0.0021, 399.6, 1.229, 18.28},
                      .pgs = {0.0521, 399.7, 74.27, 65.61},
                      .apgd = {0.0556, 397.6, 56.72, 46.05},
                      .assembly = 27.9},
                     options);
}

}  // namespace

Bench cond_table5() { return {"cond-table5", "cable winding: COND beside PGS and APGD", "[COND] Table V", run}; }

}  // namespace uzawa::papers
