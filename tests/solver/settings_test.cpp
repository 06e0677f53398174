/// Settings by name: every one can be read and written as text, and what makes no sense is refused.
#include <gtest/gtest.h>

#include <set>

#include "uzawa/base/error.hpp"
#include "uzawa/solver/solver.hpp"

namespace uzawa {
namespace {

std::vector<const Setting*> settings_of(const Solver& solver) {
  std::vector<const Setting*> out;
  for (const Setting& setting : kCommonSettings) out.push_back(&setting);
  for (const auto& table : solver.tables) {
    for (const Setting& setting : table) out.push_back(&setting);
  }
  return out;
}

TEST(SettingsTest, EveryMethodDescribesItsOwn) {
  for (const Solver& solver : solvers()) {
    std::set<std::string> names;
    for (const Setting* setting : settings_of(solver)) {
      EXPECT_TRUE(names.insert(setting->name).second) << solver.name << ": " << setting->name;
      EXPECT_EQ(&find_setting(setting->name), setting);
      EXPECT_NE(std::string(setting->reason), "") << setting->name;
    }
    EXPECT_GT(names.size(), kCommonSettings.size()) << solver.name;
  }
}

/// A new field needs a new name here and then a new line in its table.
TEST(SettingsTest, EveryFieldIsDescribed) {
  const auto& [a, b, c, d, e, f, g, h, i, z, aa] = CanalSettings{};
  const auto& [sa, j, k, l, m, sb] = SubAdmmSettings{};
  const auto& [ca, cb, cc, cd, ce, cf, cg, ch, ci, cj, ck] = CondSettings{};
  const auto& [l1, l2, l3, l4, l5, l6, l7, l8, l9, l10, l11] = LcpSettings{};
  const auto& [n, o, p, q, pa] = PgsSettings{};
  const auto& [pj1, pj2, pj3] = PjSettings{};
  const auto& [nn1, nn2, nn3] = NNewtonSettings{};
  const auto& [r, s, t, u, v, w, x, y] = SoftConvexSettings{};
  const auto& [ab, ac, ad, ae] = ApgdSettings{};
  const auto& [af, ag, ah] = CcsSettings{};
  const auto& [ai, aj, ak, al] = PenaltySettings{};
  EXPECT_EQ(kApgdSettings<&Settings::apgd>.size(), 4U);
  EXPECT_EQ(kCcsSettings<&Settings::ccs>.size(), 3U);
  EXPECT_EQ(kPenaltySettings<&Settings::penalty>.size(), 4U);
  EXPECT_EQ(kLoopSettings<&Settings::canal>.size() + kCanalSettings<&Settings::canal>.size(), 11U);
  EXPECT_EQ(kSubAdmmSettings<&Settings::subadmm>.size(), 6U);
  EXPECT_EQ(kCondSettings<&Settings::cond>.size(), 11U);
  EXPECT_EQ(kLcpSettings<&Settings::lcp>.size(), 11U);
  EXPECT_EQ(kPgsSettings<&Settings::pgs>.size(), 5U);
  EXPECT_EQ(kPjSettings<&Settings::pj>.size(), 3U);
  EXPECT_EQ(kNNewtonSettings<&Settings::nnewton>.size(), 3U);
  EXPECT_EQ(kSoftConvexSettings<&Settings::soft_convex>.size(), 8U);
  const Settings defaults;
  EXPECT_EQ(find_setting("canal.penalty").get(defaults), a);
  EXPECT_EQ(find_setting("subadmm.penalty").get(defaults), j);
  EXPECT_EQ(find_setting("subadmm.penalty_rule").get(defaults), static_cast<double>(sa));
  EXPECT_EQ(find_setting("subadmm.theta").get(defaults), sb);
  EXPECT_EQ(find_setting("pgs.relaxation").get(defaults), n);
  EXPECT_EQ(find_setting("cond.under_relaxation").get(defaults), cg);
  EXPECT_EQ(find_setting("lcp.sides").get(defaults), l1);
  EXPECT_EQ(find_setting("pj.step").get(defaults), pj1);
  EXPECT_EQ(find_setting("nnewton.inner_iterations").get(defaults), nn1);
  EXPECT_EQ(find_setting("soft_convex.timeconst").get(defaults), r);
  EXPECT_EQ(find_setting("apgd.step_recovery").get(defaults), ae);
  EXPECT_EQ(find_setting("ccs.penalty").get(defaults), af);
  EXPECT_EQ(find_setting("penalty.stiffness").get(defaults), ai);
}

TEST(SettingsTest, TextGoesBackAndForth) {
  for (const Solver& solver : solvers()) {
    for (const Setting* setting : settings_of(solver)) {
      const Settings defaults;
      EXPECT_GE(setting->get(defaults), setting->least) << setting->name;
      EXPECT_LE(setting->get(defaults), setting->most) << setting->name;
      for (const double bound : {setting->least, setting->most}) {
        Settings settings;
        setting->set(settings, bound);
        const std::string text = setting->text(settings);
        Settings again;
        setting->assign(again, text);
        EXPECT_EQ(setting->get(again), bound) << setting->name;
      }
    }
  }
}

TEST(SettingsTest, NamesAreFields) {
  Settings settings;
  find_setting("canal.penalty").assign(settings, "250");
  find_setting("pgs.local").assign(settings, "exact");
  find_setting("subadmm.adapt_penalty").assign(settings, "false");
  find_setting("threads").assign(settings, "3");
  EXPECT_EQ(settings.canal.penalty, 250);
  EXPECT_EQ(settings.pgs.local, PgsLocal::Exact);
  EXPECT_FALSE(settings.subadmm.adapt_penalty);
  EXPECT_EQ(settings.threads, 3);
}

TEST(SettingsTest, NonsenseIsRefusedWithTheNameOfTheSetting) {
  const std::pair<const char*, const char*> cases[] = {
      {"canal.penalty", "-1"},         {"canal.penalty", "nan"}, {"canal.penalty", "1e3x"},
      {"canal.penalty", ""},           {"threads", "1.5"},       {"threads", "0"},
      {"subadmm.adapt_penalty", "on"}, {"pgs.local", "magic"},   {"subadmm.relaxation", "2"}};
  for (const auto& [name, text] : cases) {
    Settings settings;
    try {
      find_setting(name).assign(settings, text);
      ADD_FAILURE() << name << "=" << text;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(name), std::string::npos) << error.what();
    }
  }
  EXPECT_THROW((void)find_setting("canal.magic"), InputError);
}

}  // namespace
}  // namespace uzawa
