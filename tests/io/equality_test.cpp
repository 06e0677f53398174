#include <gtest/gtest.h>

#include "agreement.hpp"
#include "temp_folder.hpp"
#include "uzawa/dynamics/kinematics.hpp"

/// Equality constraints hold where MuJoCo says they hold: in the reference pose, or as the file states them.
namespace uzawa::test {
namespace {

constexpr double kHolds = 1e-9;  // m, rad

/// Two moving bodies and a site on each; `second_hinge` lets a test move the reference.
std::string linked(const std::string& equality, const std::string& sites = "") {
  return mjcf(R"(<body name="a" pos=".1 .2 1" euler=".1 .2 .3"><joint name="ja" axis="0 1 0" ref=".3" pos=".1 0 0"/>
                 <geom size=".1"/>)" +
                  sites + R"(<body name="b" pos=".5 0 .1" euler=".3 0 .2">
                 <joint name="jb" axis="1 0 0"/><joint name="sb" type="slide" axis="0 0 1" ref=".2"/><geom size=".1"/>
                 <site name="on_b" pos=".1 .2 .3" euler=".5 .1 0"/></body></body>)",
              "",
              R"(<tendon><fixed name="t1"><joint joint="ja" coef="1"/></fixed><fixed name="t2">
                     <joint joint="jb" coef="2"/></fixed></tendon><equality>)" +
                  equality + "</equality>");
}

struct Residual {
  double position = 0, rotation = 0;
};

/// How far a connect or weld is from holding in the reference configuration, by our kinematics.
Residual residual_at_reference(const Model& model, const EqualitySpec& eq) {
  DynamicsData data(model);
  forward_kinematics(model, model.reference_state().q, data);
  const Pose first = body_pose(model, data, eq.first), second = body_pose(model, data, eq.second);
  const Mat3 expected = first.rotation * to_matrix(normalized(eq.relative_orientation));
  Residual residual;
  residual.position = norm(first * eq.first_anchor - second * eq.second_anchor);
  for (int k = 0; k < 3; ++k) residual.rotation += norm(expected.col[k] - second.rotation.col[k]);
  return residual;
}

Model load_text(const TempFolder& folder, const std::string& xml) {
  return load_model(folder.write("model.xml", xml)).model;
}

TEST(Equality, ConnectBetweenBodiesHoldsAtReference) {
  const TempFolder folder;
  const Model model = load_text(folder, linked(R"(<connect name="c" body1="b" body2="a" anchor=".1 .2 .3"/>)"));
  const EqualitySpec& eq = model.spec().equalities.at(0);
  EXPECT_EQ(eq.name, "c");
  EXPECT_EQ(eq.type, EqualityType::Connect);
  EXPECT_EQ(eq.first, model.body("b"));
  EXPECT_EQ(eq.second, model.body("a"));
  EXPECT_NEAR(norm(eq.first_anchor - Vec3{.1, .2, .3}), 0, kHolds);
  EXPECT_LE(residual_at_reference(model, eq).position, kHolds);
}

TEST(Equality, ConnectToGroundHoldsAtReference) {
  const TempFolder folder;
  const Model model = load_text(folder, linked(R"(<connect body1="b" anchor=".1 .2 .3"/>)"));
  EXPECT_EQ(model.spec().equalities.at(0).second, 0);
  EXPECT_LE(residual_at_reference(model, model.spec().equalities.at(0)).position, kHolds);
}

TEST(Equality, WeldHoldsAtReference) {
  const TempFolder folder;
  for (const char* second : {R"(body2="a")", ""}) {
    const Model model =
        load_text(folder, linked(std::string(R"(<weld body1="b" )") + second + R"( torquescale=".7"/>)"));
    const EqualitySpec& eq = model.spec().equalities.at(0);
    EXPECT_EQ(eq.type, EqualityType::Weld);
    EXPECT_EQ(eq.torque_scale, .7);
    EXPECT_LE(residual_at_reference(model, eq).position, kHolds) << second;
    EXPECT_LE(residual_at_reference(model, eq).rotation, kHolds) << second;
  }
}

TEST(Equality, WeldKeepsTheRelativePoseThatTheFileStates) {
  const TempFolder folder;
  const Model model =
      load_text(folder, linked(R"(<weld body1="a" body2="b" relpose=".4 .5 .6 .5 .5 .5 .5" anchor=".1 0 .2"/>)"));
  const EqualitySpec& eq = model.spec().equalities.at(0);
  // MuJoCo's residual (efc_pos): point relpose of body 1 against point anchor of body 2.
  EXPECT_NEAR(norm(eq.second_anchor - Vec3{.1, 0, .2}), 0, kHolds);
  EXPECT_NEAR(norm(eq.first_anchor - Vec3{.4, .5, .6}), 0, kHolds);
  EXPECT_NEAR(std::abs(eq.relative_orientation.w), .5, kHolds);
  EXPECT_NEAR(dot(eq.relative_orientation.v, Vec3{.5, .5, .5}) / eq.relative_orientation.w, 1.5, kHolds);
}

TEST(Equality, WeldWithAnchorHoldsAtReference) {
  const TempFolder folder;
  const Model model = load_text(folder, linked(R"(<weld body1="a" body2="b" anchor=".1 .2 .3"/>)"));
  EXPECT_LE(residual_at_reference(model, model.spec().equalities.at(0)).position, kHolds);
  EXPECT_LE(residual_at_reference(model, model.spec().equalities.at(0)).rotation, kHolds);
}

/// The site frames, whatever the reference pose, are what coincides.
TEST(Equality, SitesCoincide) {
  if (is_legacy_mujoco()) GTEST_SKIP() << "constraints between sites came later";
  const TempFolder folder;
  for (const char* kind : {"connect", "weld"}) {
    const Model model = load_text(folder, linked(std::string("<") + kind + R"( site1="on_a" site2="on_b"/>)",
                                                 R"(<site name="on_a" pos=".3 .1 .2" euler="0 .4 .9"/>)"));
    const EqualitySpec& eq = model.spec().equalities.at(0);
    const SiteSpec& on_a = model.spec().sites.at(static_cast<std::size_t>(model.site("on_a")));
    const SiteSpec& on_b = model.spec().sites.at(static_cast<std::size_t>(model.site("on_b")));
    EXPECT_EQ(eq.first, on_a.body);
    EXPECT_EQ(eq.second, on_b.body);
    EXPECT_NEAR(norm(eq.first_anchor - on_a.position), 0, kHolds);
    EXPECT_NEAR(norm(eq.second_anchor - on_b.position), 0, kHolds);
    // Orientation of body b in body a such that the site frames are one: a * site_a = a * relative * site_b.
    const Mat3 by_a = to_matrix(normalized(on_a.orientation));
    const Mat3 by_b = to_matrix(normalized(eq.relative_orientation)) * to_matrix(normalized(on_b.orientation));
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(norm(by_a.col[k] - by_b.col[k]), 0, kHolds) << kind;
  }
}

TEST(Equality, JointPolynomial) {
  const TempFolder folder;
  const Model model = load_text(folder, linked(R"(<joint joint1="jb" joint2="ja" polycoef=".1 .2 .3 .4 .5"/>
                                                  <joint joint1="sb" polycoef=".7 1 0 0 0"/>)"));
  const EqualitySpec &pair = model.spec().equalities.at(0), &single = model.spec().equalities.at(1);
  EXPECT_EQ(pair.type, EqualityType::Joint);
  EXPECT_EQ(pair.first, model.joint("jb"));
  EXPECT_EQ(pair.second, model.joint("ja"));
  EXPECT_EQ(pair.polynomial, (std::array<double, 5>{.1, .2, .3, .4, .5}));
  EXPECT_EQ(single.first, model.joint("sb"));
  EXPECT_EQ(single.second, -1);
  EXPECT_EQ(single.polynomial[0], .7);
}

TEST(Equality, TendonPolynomialAndInactive) {
  const TempFolder folder;
  const Model model = load_text(folder, linked(R"(<tendon tendon1="t1" tendon2="t2" polycoef="0 2 0 0 0"/>
                                                  <tendon tendon1="t2" active="false"/>)"));
  const EqualitySpec &pair = model.spec().equalities.at(0), &single = model.spec().equalities.at(1);
  EXPECT_EQ(pair.type, EqualityType::Tendon);
  EXPECT_EQ(pair.first, 0);
  EXPECT_EQ(pair.second, 1);
  EXPECT_EQ(pair.polynomial[1], 2);
  EXPECT_TRUE(pair.active);
  EXPECT_EQ(single.second, -1);
  EXPECT_FALSE(single.active);
}

}  // namespace
}  // namespace uzawa::test
