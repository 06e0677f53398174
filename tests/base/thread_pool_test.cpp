#include "uzawa/base/thread_pool.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <vector>

namespace uzawa {
namespace {

TEST(ThreadPoolTest, EveryIndexIsRunOnceForAnyNumberOfThreads) {
  for (const int threads : {1, 2, 8}) {
    ThreadPool pool(threads);
    EXPECT_EQ(pool.threads(), threads);
    for (const int count : {0, 1, 2, 7, 1000}) {
      std::vector<int> runs(static_cast<std::size_t>(count), 0);
      pool.for_each(count, [&](int i) { ++runs[static_cast<std::size_t>(i)]; });
      EXPECT_EQ(runs, std::vector<int>(static_cast<std::size_t>(count), 1));
    }
  }
}

TEST(ThreadPoolTest, ManyShortLoopsInARow) {
  ThreadPool pool(8);
  std::vector<double> x(64, 0.0);
  for (int loop = 0; loop < 20000; ++loop) {
    pool.for_each(8, [&](int part) {
      for (int i = part_begin(part, 8, 64); i < part_begin(part + 1, 8, 64); ++i) x[static_cast<std::size_t>(i)] += i;
    });
  }
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_EQ(x[i], 20000.0 * static_cast<double>(i));
}

TEST(ThreadPoolTest, ALoopInsideATaskRuns) {
  ThreadPool pool(4);
  std::atomic<int> runs{0};
  pool.for_each(4, [&](int) { pool.for_each(5, [&](int) { ++runs; }); });
  EXPECT_EQ(runs, 20);
}

TEST(ThreadPoolTest, TheExceptionOfTheLowestIndexIsThrownAndThePoolGoesOn) {
  for (const int threads : {1, 3}) {
    ThreadPool pool(threads);
    std::atomic<int> runs{0};
    try {
      pool.for_each(50, [&](int i) {
        ++runs;
        if (i % 20 == 7) throw std::runtime_error(std::to_string(i));
      });
      FAIL() << "no exception";
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "7");
    }
    EXPECT_EQ(runs, 50);
    pool.for_each(10, [&](int) { ++runs; });
    EXPECT_EQ(runs, 60);
  }
}

TEST(ThreadPoolTest, PartsCoverEverythingOnce) {
  for (const int count : {0, 1, 5, 64, 1001}) {
    EXPECT_EQ(part_begin(0, 7, count), 0);
    for (int i = 0; i < 7; ++i) EXPECT_LE(part_begin(i, 7, count), part_begin(i + 1, 7, count));
    EXPECT_EQ(part_begin(7, 7, count), count);
  }
}

}  // namespace
}  // namespace uzawa
