#include <gtest/gtest.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <map>
#include <set>

#include "build_folders.hpp"
#include "meshes.hpp"
#include "mutate.hpp"
#include "temp_folder.hpp"
#include "urdf_samples.hpp"
#include "uzawa/base/error.hpp"
#include "uzawa/io/load.hpp"

/// Damaged model files: each must load or be refused with an InputError. Never a crash, a hang, another exception.
namespace uzawa::test {
namespace {

namespace fs = std::filesystem;

constexpr unsigned kPerModel = 400;
constexpr unsigned kInProcess = 50;  // of those, once more in the test itself: where leaks and sanitizers look
constexpr unsigned kBatch = 50;
constexpr int kPatienceMs = 20000;  // for one file; a healthy load takes a tenth of a second at most

enum Outcome : char { kLoaded = 'L', kRefused = 'R', kOtherException = 'X', kCrashed = 'C', kHung = 'H' };

/// A model file in a copy of its folder (whose parts and meshes it names), to be damaged in place.
class Patient {
 public:
  Patient(const fs::path& original, const fs::path& folder)
      : text_(read_text(original)), path_(folder / original.filename()) {
    for (const fs::directory_entry& entry : fs::directory_iterator(original.parent_path())) {
      if (entry.path() != original) fs::create_symlink(fs::absolute(entry.path()), folder / entry.path().filename());
    }
  }
  std::string damaged(unsigned seed) const { return mutate(text_, seed); }
  Outcome load(unsigned seed) const {
    write_file(path_, damaged(seed));
    try {
      inspect_model(path_);
      return kLoaded;
    } catch (const InputError& refused) {
      const bool one_line = std::string(refused.what()).find('\n') == std::string::npos;
      return one_line ? kRefused : kOtherException;
    } catch (...) {
      return kOtherException;
    }
  }

 private:
  std::string text_;
  fs::path path_;
};

/// Loads seeds [first, last) in a child process and returns an outcome for as many as it got through, the fatal one
/// last.
std::string load_in_child(const Patient& patient, unsigned first, unsigned last) {
  int pipe_ends[2];
  if (pipe(pipe_ends) != 0) throw std::runtime_error("pipe");
  const pid_t child = fork();
  if (child == 0) {
    for (unsigned seed = first; seed < last; ++seed) {
      const char outcome = patient.load(seed);
      if (write(pipe_ends[1], &outcome, 1) != 1) _exit(3);
    }
    _exit(0);
  }
  close(pipe_ends[1]);
  std::string outcomes;
  pollfd watched{pipe_ends[0], POLLIN, 0};
  for (bool more = true; more;) {
    char outcome = 0;
    if (poll(&watched, 1, kPatienceMs) == 0) {
      kill(child, SIGKILL);
      outcomes += static_cast<char>(kHung);
      more = false;
    } else if (read(pipe_ends[0], &outcome, 1) == 1) {
      outcomes += outcome;
    } else {
      if (outcomes.size() < last - first) outcomes += static_cast<char>(kCrashed);
      more = false;
    }
  }
  close(pipe_ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  return outcomes;
}

void fuzz(const fs::path& original) {
  const TempFolder folder;
  const Patient patient(original, folder.path());
  std::map<char, int> counts;
  std::vector<unsigned> survived;
  for (unsigned seed = 0; seed < kPerModel;) {
    for (const char outcome : load_in_child(patient, seed, std::min(seed + kBatch, kPerModel))) {
      ++counts[outcome];
      if (outcome == kLoaded || outcome == kRefused) {
        survived.push_back(seed);
      } else {
        ADD_FAILURE() << original << ", seed " << seed << ": outcome " << outcome;
      }
      ++seed;
    }
  }
  survived.resize(std::min<std::size_t>(survived.size(), kInProcess));
  for (const unsigned seed : survived) EXPECT_NE(patient.load(seed), kOtherException) << "seed " << seed;
  std::printf("%s: %d loaded, %d refused, %d other exceptions, %d crashed, %d hung\n", original.filename().c_str(),
              counts[kLoaded], counts[kRefused], counts[kOtherException], counts[kCrashed], counts[kHung]);
  // Damage that always shows, or never, would test one half only.
  EXPECT_GT(counts[kLoaded], 10);
  EXPECT_GT(counts[kRefused], 10);
}

TEST(Fuzz, Panda) { fuzz(fs::path(UZAWA_MODELS) / "panda.xml"); }
TEST(Fuzz, Humanoid) { fuzz(fs::path(UZAWA_MODELS) / "humanoid.xml"); }
TEST(Fuzz, Hand) { fuzz(fs::path(UZAWA_MODELS) / "allegro_like_hand.xml"); }
TEST(Fuzz, MenagerieAllegro) {
  const fs::path robot = fs::path(UZAWA_SHARED_DATA) / "menagerie/wonik_allegro/right_hand.xml";
  if (!fs::exists(robot)) GTEST_SKIP() << robot << " is not here";
  fuzz(robot);
}
TEST(Fuzz, Urdf) {
  const TempFolder folder;
  folder.write("meshes/part.stl", binary_stl_tetrahedron());
  fuzz(folder.write("arm.urdf",
                    replaced(kUrdfArm, R"(<box size=".1 .2 .3"/>)", R"(<mesh filename="meshes/part.stl"/>)")));
}

/// The damage itself is part of the test: the same on every machine, and different from seed to seed.
TEST(Mutate, IsDeterministicAndVaried) {
  std::set<std::string> seen;
  for (unsigned seed = 0; seed < 100; ++seed) {
    EXPECT_EQ(mutate(kUrdfArm, seed), mutate(kUrdfArm, seed));
    seen.insert(mutate(kUrdfArm, seed));
  }
  EXPECT_GT(seen.size(), 90U);
}

}  // namespace
}  // namespace uzawa::test
