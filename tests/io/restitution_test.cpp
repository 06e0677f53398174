#include <gtest/gtest.h>

#include "agreement.hpp"
#include "temp_folder.hpp"
#include "uzawa/base/error.hpp"

/// Restitution as a number in the file.
namespace uzawa::test {
namespace {

const std::string kBalls = R"(<geom name="floor" type="plane" size="0 0 1"/>
    <body pos="0 0 1"><freejoint/><geom name="ball" size=".1"/></body>)";

std::string with_numeric(const std::string& numerics) {
  return mjcf(kBalls, "<custom>" + numerics + "</custom>",
              R"(<contact><pair name="drop" geom1="floor" geom2="ball"/></contact>)");
}

TEST(Restitution, IsReadForAllContactsAndForAPair) {
  const TempFolder folder;
  const Model model =
      load_model(
          folder.write(
              "a.xml",
              with_numeric(
                  R"(<numeric name="uzawa.restitution" data=".5"/><numeric name="uzawa.restitution:drop" data=".75"/>)")))
          .model;
  EXPECT_EQ(model.options().restitution, .5);
  ASSERT_EQ(model.spec().contact_pairs.size(), 1U);
  EXPECT_EQ(model.spec().contact_pairs[0].restitution, .75);
}

TEST(Restitution, WrongNumbersAreNamed) {
  const TempFolder folder;
  for (const char* numeric :
       {R"(<numeric name="uzawa.restitution" data="1.5"/>)", R"(<numeric name="uzawa.restitution" data=".5 .5"/>)",
        R"(<numeric name="uzawa.restitution:nobody" data=".5"/>)",
        R"(<numeric name="uzawa.restitutions" data=".5"/>)"}) {
    try {
      load_model(folder.write("a.xml", with_numeric(numeric)));
      FAIL() << numeric;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find("numeric 'uzawa.restitution"), std::string::npos) << error.what();
    }
  }
}

TEST(Restitution, CoefficientsOfAPairActAlongMujocosTangents) {
  const TempFolder folder;
  const Model model =
      load_model(folder.write("a.xml",
                              mjcf(kBalls, "",
                                   R"(<contact><pair geom1="floor" geom2="ball" friction=".2 .7 0 0 0"/></contact>)")))
          .model;
  // On the ground MuJoCo's first tangent is y, ours x.
  EXPECT_EQ(model.spec().contact_pairs.at(0).friction[0], .7);
  EXPECT_EQ(model.spec().contact_pairs.at(0).friction[1], .2);
}

}  // namespace
}  // namespace uzawa::test
