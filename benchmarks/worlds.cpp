/// Many worlds of one model: time and memory to create each, beside a copy of the model for every world; and whether
/// each moves with the same bits as one world alone.
#include <fmt/core.h>
#include <malloc.h>

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "build_folders.hpp"
#include "uzawa/io/load.hpp"
#include "uzawa/sim/world.hpp"

namespace {

using namespace uzawa;

constexpr int kWorlds = 1000, kCopies = 20, kSteps = 20;

double allocated_bytes() {
  const struct mallinfo2 info = mallinfo2();
  return static_cast<double>(info.uordblks) + static_cast<double>(info.hblkhd);  // large blocks are mapped
}

struct Cost {
  double milliseconds = 0, kilobytes = 0;  ///< a world
};

template <typename Make>
Cost cost_of(int count, std::vector<std::unique_ptr<World>>& worlds, Make&& make) {
  worlds.clear();
  worlds.reserve(static_cast<std::size_t>(count));
  const double before = allocated_bytes();
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < count; ++i) worlds.push_back(make());
  const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - start;
  return {taken.count() / count, (allocated_bytes() - before) / 1024 / count};
}

}  // namespace

int main(int argc, char** argv) {
  const std::string file = argc > 1 ? argv[1] : UZAWA_MODELS "/humanoid_scene.xml";
  const auto model = std::make_shared<const SharedModel>(load_model(file).model);

  std::vector<std::unique_ptr<World>> worlds;
  const Cost copied = cost_of(kCopies, worlds, [&] { return std::make_unique<World>(model->model()); });
  const Cost shared = cost_of(kWorlds, worlds, [&] { return std::make_unique<World>(model); });

  World alone(load_model(file).model);
  for (int i = 0; i < kSteps; ++i) alone.step();
  int different = 0;
  const double before = allocated_bytes();
  for (const auto& world : worlds) {
    for (int i = 0; i < kSteps; ++i) world->step();
    different += world->state() == alone.state() ? 0 : 1;
  }
  const double grown = (allocated_bytes() - before) / 1024 / kWorlds;

  fmt::print("{}: {} worlds\n", model->model().spec().name, kWorlds);
  fmt::print("{:32} {:>10} {:>10}\n", "a world", "ms", "kB");
  fmt::print("{:32} {:10.3f} {:10.1f}\n", "with a copy of the model", copied.milliseconds, copied.kilobytes);
  fmt::print("{:32} {:10.3f} {:10.1f}\n", "of a shared model", shared.milliseconds, shared.kilobytes);
  fmt::print("{:32} {:10} {:10.1f}\n", fmt::format("and more after {} steps", kSteps), "", grown);
  fmt::print("copied / shared: time {:.0f}, memory {:.0f}\n", copied.milliseconds / shared.milliseconds,
             copied.kilobytes / shared.kilobytes);
  fmt::print("worlds with other bits than one alone: {}\n", different);
  return different == 0 ? 0 : 1;
}
