#include "rehearsal.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <functional>
#include <stdexcept>
#include <string>

#include "uzawa/base/error.hpp"

namespace uzawa::test {
namespace {

TEST(Rehearsal, TellsCrashesFromComplaints) {
  const auto outcome = [](const std::function<void()>& read) -> std::string {
    try {
      cli::rehearse("file", read);
      return "safe";
    } catch (const InputError& error) {
      return error.what();
    }
  };
  EXPECT_EQ(outcome([] {}), "safe");
  EXPECT_EQ(outcome([] { throw InputError("file", "element", "reason"); }), "file: element: reason");
  EXPECT_EQ(outcome([] { throw InputError("file", "", std::string(100000, 'x')); }).substr(0, 9), "file: xxx");
  EXPECT_EQ(outcome([] { throw std::runtime_error("other"); }), "file: other");
  EXPECT_EQ(outcome([] { std::abort(); }), "file: is damaged: HDF5 crashes on it");
  EXPECT_EQ(outcome([] { _exit(3); }), "file: is damaged: HDF5 crashes on it");
}

}  // namespace
}  // namespace uzawa::test
