/// What --set takes.
#include <gtest/gtest.h>

#include <cmath>

#include "uzawa/base/error.hpp"
#include "uzawa/scenarios/scene.hpp"

namespace uzawa::scenarios {
namespace {

constexpr Parameter kKnown[] = {{"count", 10, 1, 200, "boxes", true}, {"mu", 0.5, 0, 10, "friction"}};

std::string refusal(const std::string& assignment) {
  Parameters parameters(kKnown);
  try {
    parameters.set(assignment);
  } catch (const InputError& error) {
    EXPECT_EQ(parameters.text(), "count=10 mu=0.5") << "changed all the same";
    return error.what();
  }
  return "";
}

TEST(ParametersTest, DefaultsAndChanges) {
  Parameters parameters(kKnown);
  EXPECT_EQ(parameters.count("count"), 10);
  parameters.set("count=12");
  parameters.set("mu=2.5e-1");
  EXPECT_EQ(parameters.count("count"), 12);
  EXPECT_EQ(parameters["mu"], 0.25);
  EXPECT_EQ(parameters.text(), "count=12 mu=0.25");
}

TEST(ParametersTest, BadOnesAreNamed) {
  for (const char* bad : {"count", "=3", "mass=1", "mu=", "mu=much", "mu=0.5x", "mu=-1", "mu=11", "mu=nan", "mu=inf",
                          "count=1.5", "count=0", "count=201"}) {
    EXPECT_NE(refusal(bad), "") << bad;
  }
  EXPECT_NE(refusal("mass=1").find("'mass': there is none of that name; did you mean mu? The scene has count, mu"),
            std::string::npos)
      << refusal("mass=1");
  EXPECT_NE(refusal("count=1.5").find("whole number from 1 to 200"), std::string::npos) << refusal("count=1.5");
}

TEST(RandomTest, IsUniformAndRepeats) {
  Random a(3), b(3), c(4);
  double sum = 0;
  bool differs = false;
  for (int i = 0; i < 10000; ++i) {
    const double x = a.uniform(-2, 4);
    EXPECT_EQ(x, b.uniform(-2, 4));
    differs = differs || x != c.uniform(-2, 4);
    EXPECT_TRUE(x >= -2 && x < 4);
    sum += x;
  }
  EXPECT_TRUE(differs);
  EXPECT_NEAR(sum / 10000, 1, 4 * 6 / std::sqrt(12 * 10000.0));  // four standard deviations of the mean
}

}  // namespace
}  // namespace uzawa::scenarios
