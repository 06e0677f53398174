#include "uzawa/base/error.hpp"

#include <gtest/gtest.h>

namespace uzawa {
namespace {

TEST(InputErrorTest, NamesSourceElementAndReasonInOneLine) {
  const InputError error("a.xml", "joint 'x'", "range is\n  empty");
  EXPECT_STREQ(error.what(), "a.xml: joint 'x': range is empty");
  EXPECT_EQ(error.source(), "a.xml");
  EXPECT_EQ(error.element(), "joint 'x'");
}

TEST(InputErrorTest, LeavesOutWhatIsEmpty) {
  EXPECT_STREQ(InputError("a.xml", "", "no such file").what(), "a.xml: no such file");
  EXPECT_STREQ(InputError("", "", "nothing").what(), "nothing");
}

TEST(OneLineTest, FoldsWhiteSpaceAndMasksControlBytes) {
  EXPECT_EQ(one_line("  a \t\n b\r\n"), "a b");
  EXPECT_EQ(one_line("esc\x1b[31m"), "esc?[31m");
  EXPECT_EQ(one_line(""), "");
}

}  // namespace
}  // namespace uzawa
