#include <algorithm>
#include <atomic>
#include <thread>

#include "agreement.hpp"
#include "build_folders.hpp"
#include "temp_folder.hpp"
#include "uzawa/base/error.hpp"

/// Whole robots: our own and other people's.
namespace uzawa::test {
namespace {

namespace fs = std::filesystem;

/// Every MJCF file in a folder and below; parts that others include have no <worldbody> of their own or no <mujoco>.
std::vector<fs::path> model_files(const fs::path& folder) {
  std::vector<fs::path> found;
  if (!fs::is_directory(folder)) return found;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".xml") continue;
    const std::string text = read_text(entry.path());
    const bool whole = text.find("<worldbody") != std::string::npos || text.find("<include") != std::string::npos;
    const bool part = entry.path().parent_path().string().find("/parts") != std::string::npos;
    if (whole && !part) found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::string file_name(const testing::TestParamInfo<fs::path>& info) {
  std::string name = info.param.parent_path().filename().string() + '_' + info.param.stem().string();
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

class OwnModel : public testing::TestWithParam<fs::path> {};
TEST_P(OwnModel, AgreesWithMujoco) {
  const bool soft = GetParam().parent_path().filename() == "soft";
  if (soft && is_legacy_mujoco()) GTEST_SKIP() << "models/soft needs MuJoCo 3";
  EXPECT_TRUE(!soft || load_model(GetParam()).warnings.empty());
  expect_agreement(GetParam());
}
INSTANTIATE_TEST_SUITE_P(Models, OwnModel, testing::ValuesIn(model_files(UZAWA_MODELS)), file_name);

TEST(OwnModels, AreAllFound) { EXPECT_GE(model_files(UZAWA_MODELS).size(), 10U); }

/// The compiler's handlers are global; loads of several threads take turns, and a bad file of one spoils no other.
TEST(Loading, FromSeveralThreads) {
  const TempFolder folder;
  const fs::path good = fs::path(UZAWA_MODELS) / "panda.xml",
                 bad = folder.write("bad.xml", "<mujoco><nonsense/></mujoco>");
  std::atomic<int> loaded = 0, refused = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 5; ++i) {
        if (load_model(good).model.nv() == 9) ++loaded;
        try {
          load_model(bad);
        } catch (const InputError& error) {
          if (error.source() == bad.string()) ++refused;
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(loaded, 20);
  EXPECT_EQ(refused, 20);
}

class MenagerieRobot : public testing::TestWithParam<fs::path> {};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(MenagerieRobot);
TEST_P(MenagerieRobot, AgreesWithMujoco) {
  if (is_legacy_mujoco()) {
    try {
      MujocoOracle oracle(GetParam());
    } catch (const InputError& refused) {
      GTEST_SKIP() << "MuJoCo " << mujoco_version() << " does not load it: " << refused.what();
    }
  }
  expect_agreement(GetParam());
}
INSTANTIATE_TEST_SUITE_P(Shared, MenagerieRobot,
                         testing::ValuesIn(model_files(fs::path(UZAWA_SHARED_DATA) / "menagerie")), file_name);

TEST(Menagerie, IsThere) {
  const fs::path folder = fs::path(UZAWA_SHARED_DATA) / "menagerie";
  if (!fs::is_directory(folder)) GTEST_SKIP() << folder << " is not here: other projects' robots are not checked";
  EXPECT_GE(model_files(folder).size(), 20U);
}

}  // namespace
}  // namespace uzawa::test
