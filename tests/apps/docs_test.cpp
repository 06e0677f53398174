/// Pages for users that say what all scenes or all claims are say it of all of them.
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>

#include "build_folders.hpp"
#include "io/temp_folder.hpp"
#include "uzawa/scenarios/scene.hpp"

namespace uzawa::test {
namespace {

namespace fs = std::filesystem;

const fs::path kRepository = fs::path(UZAWA_MODELS).parent_path();

TEST(Docs, EverySceneIsInTheGalleryAndInTheReadme) {
  const std::string gallery = read_text(kRepository / "docs/gallery.md"), readme = read_text(kRepository / "README.md");
  for (const scenarios::Description& scene : scenarios::scenes()) {
    const std::string name(scene.name);
    EXPECT_NE(gallery.find("**" + name + "**"), std::string::npos) << name;
    EXPECT_NE(readme.find("| `" + name + "` |"), std::string::npos) << name;
  }
}

TEST(Docs, PicturesAreThere) {
  const std::regex pictures(R"(\]\(([^)]*pictures/[^)]*)\))");
  for (const char* page : {"README.md", "docs/gallery.md"}) {
    const fs::path file = kRepository / page;
    const std::string text = read_text(file);
    int count = 0;
    for (std::sregex_iterator at(text.begin(), text.end(), pictures); at != std::sregex_iterator(); ++at, ++count) {
      EXPECT_TRUE(fs::exists(file.parent_path() / (*at)[1].str())) << (*at)[1];
    }
    EXPECT_GT(count, 3) << page;
  }
}

/// "Of 86 claims 71 hold" is the sum of the table of results.md, whose rows end with "8 of 10 |".
TEST(Docs, SummaryCountsTheClaimsOfTheResults) {
  const std::string results = read_text(kRepository / "docs/results.md");
  const std::string table = results.substr(0, results.find("\n## "));
  const std::regex counts(R"((\d+) of (\d+) \|\n)");
  int hold = 0, all = 0;
  for (std::sregex_iterator row(table.begin(), table.end(), counts); row != std::sregex_iterator(); ++row) {
    hold += std::stoi((*row)[1]);
    all += std::stoi((*row)[2]);
  }
  EXPECT_GT(all, 0);
  const std::string sentence = "Of " + std::to_string(all) + " claims " + std::to_string(hold) + " hold.";
  EXPECT_NE(read_text(kRepository / "docs/summary.md").find(sentence), std::string::npos) << sentence;
}

}  // namespace
}  // namespace uzawa::test
