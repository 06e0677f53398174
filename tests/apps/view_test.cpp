#include <gtest/gtest.h>

#include "io/temp_folder.hpp"
#include "run_program.hpp"
#include "viewer_page.hpp"

/// `uzawa view` as a user sees it before there is a browser; tests/viewer has the rest.
namespace uzawa::test {
namespace {

TEST(ViewProgram, SaysWhatIsWrong) {
  const TempFolder folder;
  const auto expect = [&](const std::vector<std::string>& arguments, const std::string& says) {
    const ProgramResult result = run_program(folder.path(), arguments);
    EXPECT_EQ(result.exit_code, 2) << says;
    EXPECT_NE(result.err.find(says), std::string::npos) << "no '" << says << "' in " << result.err;
  };
  if (viewer_page().empty()) {
    expect({"view", "box-stack"}, "built without the viewer");
    return;
  }
  expect({"view", "box-stak"}, "did you mean box-stack?");
  expect({"view", "absent.xml"}, "absent.xml");
  expect({"view", "box-stack", "--host", "nowhere"}, "server: nowhere: is no address");
  expect({"view", "box-stack", "--host", "8.8.8.8", "--port", "0"}, "server: 8.8.8.8 port 0: ");
  expect({"view", "box-stack", "--port", "70000"}, "--port");
  expect({"view", "box-stack", "--pace", "-1"}, "--pace");
  expect({"view", "box-stack", "--solver", "magic"}, "magic");
}

}  // namespace
}  // namespace uzawa::test
