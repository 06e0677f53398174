#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "uzawa/base/error.hpp"
#include "uzawa/model/model.hpp"

namespace uzawa {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// A valid model with one of everything.
ModelSpec everything() {
  ModelSpec spec;
  spec.source = "robot.xml";
  for (int i = 0; i < 2; ++i) {
    BodySpec body;
    body.name = i == 0 ? "upper" : "lower";
    body.parent = i;
    body.mass = 1;
    body.principal_inertia = {0.1, 0.1, 0.1};
    spec.bodies.push_back(body);
    JointSpec joint;
    joint.name = i == 0 ? "shoulder" : "elbow";
    joint.body = i + 1;
    spec.joints.push_back(joint);
  }
  spec.geoms.push_back({.name = "skin", .body = 1});
  spec.sites.push_back({.name = "tip", .body = 2});
  spec.meshes.push_back({.name = "shell", .vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, .faces = {{0, 1, 2}}});
  spec.tendons.push_back({.name = "cord", .joints = {0, 1}, .coefficients = {1, -1}});
  spec.actuators.push_back({.name = "motor", .target = 1});
  spec.equalities.push_back({.name = "tie", .type = EqualityType::Joint, .first = 0, .second = 1});
  spec.contact_pairs.push_back({.name = "pair"});
  spec.contact_excludes.push_back({1, 2});
  spec.keyframes.push_back({.name = "home", .q = {0, 0}, .v = {0, 0}, .activation = {}, .control = {0}});
  return spec;
}

struct BadCase {
  const char* element;  // what the message must name
  std::function<void(ModelSpec&)> spoil;
};

class ValidateTest : public testing::TestWithParam<BadCase> {};

TEST_P(ValidateTest, NamesFileAndElement) {
  ModelSpec spec = everything();
  ASSERT_NO_THROW(Model{spec});
  GetParam().spoil(spec);
  try {
    const Model model(spec);
    FAIL() << "accepted: " << GetParam().element;
  } catch (const InputError& error) {
    EXPECT_EQ(error.source(), "robot.xml");
    EXPECT_NE(error.element().find(GetParam().element), std::string::npos) << error.what();
    EXPECT_FALSE(error.reason().empty());
  }
}

INSTANTIATE_TEST_SUITE_P(
    Fields, ValidateTest,
    testing::Values(BadCase{"'upper'", [](ModelSpec& s) { s.bodies[1].position.set(1, kNan); }},
                    BadCase{"'upper'", [](ModelSpec& s) { s.bodies[1].mass = -1; }},
                    BadCase{"'lower'", [](ModelSpec& s) { s.bodies[2].mass = 0; }},
                    BadCase{"'lower'", [](ModelSpec& s) { s.bodies[2].principal_inertia.set(0, -1e-3); }},
                    BadCase{"'lower'", [](ModelSpec& s) { s.bodies[2].parent = 2; }},
                    BadCase{"'lower'", [](ModelSpec& s) { s.bodies[2].orientation.w = kNan; }},
                    BadCase{"'elbow'", [](ModelSpec& s) { s.joints[1].axis = {}; }},
                    BadCase{"'elbow'", [](ModelSpec& s) { s.joints[1].body = 7; }},
                    BadCase{"'elbow'", [](ModelSpec& s) { s.joints[1].armature = -1; }},
                    BadCase{"'elbow'", [](ModelSpec& s) { s.joints[1].damping = kNan; }},
                    BadCase{"'elbow'",
                            [](ModelSpec& s) {
                              s.joints[1].range = Range{1, -1};
                            }},
                    BadCase{"'elbow'", [](ModelSpec& s) { s.joints[1].type = JointType::Free; }},
                    BadCase{"'elbow'",
                            [](ModelSpec& s) {
                              s.joints[0].type = JointType::Ball;
                              s.joints[1].body = 1;
                            }},
                    BadCase{"'shoulder'", [](ModelSpec& s) { s.joints[0].friction_loss = -0.1; }},
                    BadCase{"'elbow'", [](ModelSpec& s) { std::swap(s.joints[0].body, s.joints[1].body); }},
                    BadCase{"'skin'", [](ModelSpec& s) { s.geoms[0].friction[0] = -1; }},
                    BadCase{"'skin'", [](ModelSpec& s) { s.geoms[0].shape = ShapeType::Mesh; }},
                    BadCase{"'skin'", [](ModelSpec& s) { s.geoms[0].size.set(0, kNan); }},
                    BadCase{"'tip'", [](ModelSpec& s) { s.sites[0].body = 3; }},
                    BadCase{"'shell'", [](ModelSpec& s) { s.meshes[0].faces[0][2] = 3; }},
                    BadCase{"'cord'", [](ModelSpec& s) { s.tendons[0].coefficients.pop_back(); }},
                    BadCase{"'cord'", [](ModelSpec& s) { s.tendons[0].joints[0] = 9; }},
                    BadCase{"'motor'", [](ModelSpec& s) { s.actuators[0].target = 2; }},
                    BadCase{"'motor'", [](ModelSpec& s) { s.actuators[0].gear[3] = kNan; }},
                    BadCase{"'motor'",
                            [](ModelSpec& s) {
                              s.actuators[0].force_range = Range{2, 1};
                            }},
                    BadCase{"'tie'", [](ModelSpec& s) { s.equalities[0].second = 2; }},
                    BadCase{"'pair'", [](ModelSpec& s) { s.contact_pairs[0].geom2 = 1; }},
                    BadCase{"contact exclude", [](ModelSpec& s) { s.contact_excludes[0].body2 = -1; }},
                    BadCase{"'home'", [](ModelSpec& s) { s.keyframes[0].q.push_back(0); }},
                    BadCase{"'home'", [](ModelSpec& s) { s.keyframes[0].control[0] = kNan; }},
                    BadCase{"model", [](ModelSpec& s) { s.options.timestep = 0; }},
                    BadCase{"model", [](ModelSpec& s) { s.options.gravity.set(2, kNan); }},
                    BadCase{"model", [](ModelSpec& s) { s.reference_q = {0}; }}));

}  // namespace
}  // namespace uzawa
