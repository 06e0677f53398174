/// Other people's robots run under their own controllers from their keyframes.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "build_folders.hpp"
#include "uzawa/io/load.hpp"
#include "uzawa/sim/world.hpp"

namespace uzawa {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> scenes() {
  std::vector<fs::path> found;
  for (const char* folder : {UZAWA_MODELS, UZAWA_SHARED_DATA "/menagerie"}) {
    if (!fs::is_directory(folder)) continue;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
      const std::string stem = entry.path().stem().string();
      if (entry.path().extension() == ".xml" && stem.find("scene") != std::string::npos) found.push_back(entry.path());
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

/// By how far the joints are beyond their limits, rad or m.
double limit_violation(const World& world) {
  const Model& model = world.model();
  double worst = 0;
  for (std::size_t j = 0; j < model.spec().joints.size(); ++j) {
    const JointSpec& joint = model.spec().joints[j];
    if (!joint.range || (joint.type != JointType::Hinge && joint.type != JointType::Slide)) continue;
    const double q = world.state().q[static_cast<std::size_t>(model.joint_q(static_cast<int>(j)))];
    worst = std::max({worst, joint.range->lower - q, q - joint.range->upper});
  }
  return worst;
}

std::string scene_name(const testing::TestParamInfo<fs::path>& info) {
  std::string name = info.param.parent_path().filename().string() + '_' + info.param.stem().string();
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

class Menagerie : public testing::TestWithParam<fs::path> {};

TEST_P(Menagerie, RunsASecond) {
  World world(load_model(GetParam()).model);
  std::vector<double> control(static_cast<std::size_t>(world.model().nu()), 0.0);
  if (!world.model().spec().keyframes.empty()) {
    world.set_state(world.model().keyframe_state(0));
    const std::span<const double> given = world.model().keyframe_control(0);
    std::copy(given.begin(), given.end(), control.begin());
  }
  const int steps = static_cast<int>(1 / world.dt());
  int solved = 0;
  double beyond = limit_violation(world);  // some keyframes are outside; then it must not get worse
  for (int i = 0; i < steps; ++i) {
    const StepReport& report = world.step(control);
    ASSERT_NE(report.status, StepStatus::Failed) << "step " << i;
    EXPECT_LT(report.residual, 1e-6) << "step " << i;
    solved += report.status == StepStatus::Solved ? 1 : 0;
    const double now = limit_violation(world);
    EXPECT_LT(now, std::max(beyond, 0.0) + 1e-6) << "step " << i;
    beyond = now;
  }
  EXPECT_GT(solved, 0.99 * steps);
  EXPECT_LT(beyond, 1e-6);
}

INSTANTIATE_TEST_SUITE_P(Scenes, Menagerie, testing::ValuesIn(scenes()), scene_name);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Menagerie);

}  // namespace
}  // namespace uzawa
