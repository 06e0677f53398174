#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "uzawa/io/load.hpp"
#include "verification.hpp"

namespace uzawa::test {

/// Two correct implementations differ by rounding only; see `uzawa verify`.
constexpr double kAgreement = 1e-9;
/// A feature that changes the dynamics by less than this is not tested by its case.
constexpr double kDisagreement = 1e-6;
constexpr int kStates = 50;

/// Debian's release: it lacks what came after 2022.
bool is_legacy_mujoco();

/// Our dynamics of the file against MuJoCo's, quantity by quantity.
void expect_agreement(const std::filesystem::path& path, const LoadOptions& options = {});

/// One feature of the file format in a small model. The text marks the feature as {{with||without}}.
struct FeatureCase {
  const char* name;
  std::string xml;
  bool modern_only = false;
  const char* legacy_formula =
      nullptr;  ///< how the legacy release computes otherwise, which no test of ours can follow
};
void PrintTo(const FeatureCase& feature, std::ostream* out);
std::string case_name(const testing::TestParamInfo<FeatureCase>& info);

/// We agree with MuJoCo on the model with the feature, and not with MuJoCo on the model without: so the feature was
/// there and mattered.
void expect_feature(const FeatureCase& feature);

/// A whole MJCF file around the content of its worldbody.
std::string mjcf(const std::string& worldbody, const std::string& before = "", const std::string& after = "");

}  // namespace uzawa::test
