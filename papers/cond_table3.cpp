/// COND beside PGS and APGD: a gripper lifts a soft ball.
#include "uzawa/papers/catalog.hpp"
#include "uzawa/papers/soft_study.hpp"

namespace uzawa::papers {

namespace {

Report run(const Options& options) {
  return soft_report({.scene = ball_scene(),
                      .what = "soft ball",
                      .cond = {0.0058, 156, 8.464, 37.51},
                      .pgs = {1.9933, 318.9, 805.1, 233.9},
                      .apgd = {0.2325, 123.5, 676.7, 100.4},
                      .assembly = 624},
                     options);
}

}  // namespace

Bench cond_table3() { return {"cond-table3", "soft ball: COND beside PGS and APGD", "[COND] Table III", run}; }

}  // namespace uzawa::papers
