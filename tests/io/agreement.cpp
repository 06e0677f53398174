#include "agreement.hpp"

#include "temp_folder.hpp"

namespace uzawa::test {

namespace {

/// The text with every {{with||without}} resolved one way.
std::string resolve(const std::string& text, bool with) {
  std::string out;
  std::size_t at = 0;
  for (std::size_t open = text.find("{{"); open != std::string::npos; open = text.find("{{", at)) {
    const std::size_t middle = text.find("||", open), close = text.find("}}", open);
    out += text.substr(at, open - at);
    out += with ? text.substr(open + 2, middle - open - 2) : text.substr(middle + 2, close - middle - 2);
    at = close + 2;
  }
  return out + text.substr(at);
}

}  // namespace

bool is_legacy_mujoco() { return mujoco_version().rfind("2.", 0) == 0; }

void expect_agreement(const std::filesystem::path& path, const LoadOptions& options) {
  const LoadedModel loaded = load_model(path, options);
  MujocoOracle oracle(path, options);
  const cli::Differences found = cli::compare(loaded.model, oracle, kStates, 1);
  EXPECT_LE(found.pose, kAgreement) << path;
  EXPECT_LE(found.mass, kAgreement) << path;
  EXPECT_LE(found.bias, kAgreement) << path;
  EXPECT_LE(found.passive, kAgreement) << path;
  EXPECT_LE(found.actuator, kAgreement) << path;
  EXPECT_LE(found.activation, kAgreement) << path;
  EXPECT_LE(found.tendon, kAgreement) << path;
  EXPECT_LE(found.sensors, kAgreement) << path;
}

void PrintTo(const FeatureCase& feature, std::ostream* out) { *out << feature.name; }
std::string case_name(const testing::TestParamInfo<FeatureCase>& info) { return info.param.name; }

void expect_feature(const FeatureCase& feature) {
  if (feature.modern_only && is_legacy_mujoco()) GTEST_SKIP() << "not in MuJoCo " << mujoco_version();
  if (feature.legacy_formula != nullptr && is_legacy_mujoco()) {
    GTEST_SKIP() << "MuJoCo " << mujoco_version() << " has another formula: " << feature.legacy_formula;
  }
  const TempFolder folder;
  const std::filesystem::path with = folder.write("with.xml", resolve(feature.xml, true));
  const std::filesystem::path without = folder.write("without.xml", resolve(feature.xml, false));
  ASSERT_NO_THROW(expect_agreement(with));
  MujocoOracle other(without);
  EXPECT_GT(cli::compare(load_model(with).model, other, kStates, 1).worst(), kDisagreement) << "the case has no effect";
}

std::string mjcf(const std::string& worldbody, const std::string& before, const std::string& after) {
  return "<mujoco model=\"case\"><compiler angle=\"radian\"/>" + before + "<worldbody>" + worldbody + "</worldbody>" +
         after + "</mujoco>";
}

}  // namespace uzawa::test
