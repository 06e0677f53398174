/// Nothing half-written is ever found under the name of a log.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <fstream>

#include "io/temp_folder.hpp"
#include "log/run_to_log.hpp"
#include "uzawa/base/error.hpp"
#include "uzawa/log/log_reader.hpp"

namespace uzawa::test {
namespace {

namespace fs = std::filesystem;

LogInfo some_info() {
  const World world(Model(busy_scene()), SimSettings{});
  return describe(world);
}

std::size_t files_in(const fs::path& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

std::string refusal(const fs::path& path) {
  try {
    const LogWriter writer(path, some_info());
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(LogWriterTest, WithoutCloseNothingIsLeft) {
  const TempFolder folder;
  { const LogWriter writer(folder.path() / "run.h5", some_info()); }
  EXPECT_EQ(files_in(folder.path()), 0U);
}

TEST(LogWriterTest, AnOlderLogStaysUntilTheNewOneIsWhole) {
  const TempFolder folder;
  const fs::path path = folder.path() / "run.h5";
  run_to_log(path, 3);
  {
    const LogWriter writer(path, some_info());
    EXPECT_EQ(LogReader(path).frames(), 3U);
  }
  EXPECT_EQ(LogReader(path).frames(), 3U);
  run_to_log(path, 5);
  EXPECT_EQ(LogReader(path).frames(), 5U);
  EXPECT_EQ(files_in(folder.path()), 1U);
}

TEST(LogWriterTest, RefusesWhatCantBeWritten) {
  const TempFolder folder;
  fs::create_directory(folder.path() / "folder");
  EXPECT_NE(refusal(folder.path() / "folder").find("is a folder"), std::string::npos);
  EXPECT_NE(refusal(folder.path() / "absent" / "run.h5").find("its folder does not exist"), std::string::npos);
  EXPECT_NE(refusal("/dev/null").find("is no regular file"), std::string::npos);
  EXPECT_NE(refusal(folder.path() / std::string(300, 'x')).find("log"), std::string::npos);
  EXPECT_EQ(files_in(folder.path()), 1U);
}

/// Files may not grow beyond a size while it lives: to a program the same as a full disk.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) {
    getrlimit(RLIMIT_FSIZE, &before_);
    previous_ = std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FullDisk() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, previous_);
  }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;

 private:
  rlimit before_{};
  void (*previous_)(int) = nullptr;
};

TEST(LogWriterTest, AFullDiskIsAnErrorAndLeavesNothing) {
  const TempFolder folder;
  const fs::path path = folder.path() / "run.h5";
  // Full at the start, in the middle of the run, and at the last moment, when the rest is written.
  for (const rlim_t bytes : {1000U, 60000U, 200000U}) {
    const FullDisk disk(bytes);
    EXPECT_THROW(run_to_log(path, 2000), InputError) << bytes;
    EXPECT_EQ(files_in(folder.path()), 0U) << bytes;
  }
  run_to_log(path, 3);  // and there is a next time
  EXPECT_EQ(LogReader(path).frames(), 3U);
}

}  // namespace
}  // namespace uzawa::test
