/// Files that are no logs, or no longer: one line with file and reason, never a crash.
#include <gtest/gtest.h>

#include <random>

#include "io/temp_folder.hpp"
#include "log/run_to_log.hpp"
#include "rehearsal.hpp"
#include "uzawa/base/error.hpp"
#include "uzawa/log/log_reader.hpp"

namespace uzawa::test {
namespace {

namespace fs = std::filesystem;

/// Reads all of it as `uzawa replay` does; what it complains about, empty: nothing.
std::string complaint(const fs::path& path) {
  try {
    cli::rehearse(path, [&] { const LogReader attempt(path); });
    LogReader reader(path);
    LogFrame frame;
    for (std::size_t i = 0; i < reader.frames(); ++i) reader.read(i, frame);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(DamagedLogTest, OtherFilesAreRefused) {
  const TempFolder folder;
  EXPECT_NE(complaint(folder.path() / "absent.h5").find("no such file"), std::string::npos);
  EXPECT_NE(complaint(folder.path()).find("is not a file"), std::string::npos);
  EXPECT_NE(complaint(folder.write("text.h5", "hello")).find("no readable HDF5 file"), std::string::npos);
  EXPECT_NE(complaint(folder.write("empty.h5", "")).find("no readable HDF5 file"), std::string::npos);
}

TEST(DamagedLogTest, ATruncatedLogIsRefused) {
  const TempFolder folder;
  run_to_log(folder.path() / "run.h5", 100);
  const std::string whole = read_text(folder.path() / "run.h5");
  for (int percent = 5; percent < 100; percent += 19) {
    const fs::path cut =
        folder.write("cut.h5", whole.substr(0, whole.size() * static_cast<std::size_t>(percent) / 100));
    EXPECT_NE(complaint(cut), "") << percent;
  }
}

TEST(DamagedLogTest, FlippedBytesNeverCrash) {
  const TempFolder folder;
  run_to_log(folder.path() / "run.h5", 60);
  const std::string whole = read_text(folder.path() / "run.h5");
  std::mt19937 random(7);
  int noticed = 0;
  for (int trial = 0; trial < 100; ++trial) {
    std::string damaged = whole;
    for (int i = 0; i < 20; ++i) damaged[random() % damaged.size()] = static_cast<char>(random());
    if (!complaint(folder.write("damaged.h5", damaged)).empty()) ++noticed;
  }
  EXPECT_GT(noticed, 80);  // the rest hit what nobody reads: padding, unused space
}

}  // namespace
}  // namespace uzawa::test
