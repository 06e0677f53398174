/// COND beside PGS and APGD: a Panda folds a soft mat.
#include "uzawa/papers/catalog.hpp"
#include "uzawa/papers/soft_study.hpp"

namespace uzawa::papers {

namespace {

Report run(const Options& options) {
  return soft_report({.scene = mat_scene(),
                      .what = "soft mat",
                      .cond = {0.0033, 1.868, 8.65, 39.72},
                      .pgs = {0.0328, 0.917, 1412, 50.59},
                      .apgd = {0.0576, 1.492, 1645, 81.57},
                      .assembly = 890},
                     options);
}

}  // namespace

Bench cond_table2() { return {"cond-table2", "soft mat: COND beside PGS and APGD", "[COND] Table II", run}; }

}  // namespace uzawa::papers
