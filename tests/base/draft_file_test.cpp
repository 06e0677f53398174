#include "uzawa/base/draft_file.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "io/temp_folder.hpp"
#include "uzawa/base/error.hpp"

namespace uzawa {
namespace {

namespace fs = std::filesystem;

std::string refusal(const fs::path& path) {
  try {
    const DraftFile file(path, "plot");
  } catch (const InputError& error) {
    return error.what();
  }
  return "none";
}

TEST(DraftFileTest, HasItsNameWhenItIsWhole) {
  const test::TempFolder folder;
  const fs::path path = folder.path() / "a.txt";
  {
    DraftFile file(path, "");
    EXPECT_FALSE(fs::exists(path));
    file.write_whole("content");
  }
  EXPECT_EQ(test::read_text(path), "content");
}

TEST(DraftFileTest, WithoutCommitEverythingStaysAsItWas) {
  const test::TempFolder folder;
  const fs::path path = folder.write("a.txt", "old");
  {
    const DraftFile file(path, "");
    test::write_file(file.draft(), "half of the n");
  }
  EXPECT_EQ(test::read_text(path), "old");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), {}), 1);
}

TEST(DraftFileTest, SaysAtOnceWhatIsInTheWay) {
  const test::TempFolder folder;
  EXPECT_EQ(refusal(folder.path() / "a.txt"), "none");
  EXPECT_EQ(refusal(folder.path()), folder.path().string() + ": plot: is a folder");
  EXPECT_EQ(refusal("/dev/null"), "/dev/null: plot: is no regular file");
  const fs::path lost = folder.path() / "lost" / "a.txt";
  EXPECT_EQ(refusal(lost), lost.string() + ": plot: its folder does not exist");
  // Nobody can make files there, whatever its permissions say.
  EXPECT_EQ(refusal("/proc/a.txt").rfind("/proc/a.txt: plot: ", 0), 0U) << refusal("/proc/a.txt");
}

}  // namespace
}  // namespace uzawa
