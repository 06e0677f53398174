/// Steps of soft bodies and rods.
///
///   benchmark_soft [mujoco] [SCENE]        ours against MuJoCo, interleaved in one run
///   benchmark_soft growth [SHAPE [NODES]]  time over the number of nodes, 500 to NODES (50000)
///   benchmark_soft pieces [CASE]           SubADMM on the whole and in pieces, on one problem
///
/// SCENE, SHAPE, CASE: part of a name ("block", "rope"; "bar canal", "mat", "cube"). Exit code 1 where a target is
/// missed, 2 where a run does not do what it should.
#include "soft.hpp"

#include <cstdio>
#include <exception>

int main(int argc, char** argv) {
  try {
    const std::string table = argc > 1 ? argv[1] : "mujoco", only = argc > 2 ? argv[2] : "";
    if (table == "growth")
      return uzawa::bench::measure_soft_growth(only, argc > 3 ? std::stoi(argv[3]) : 50000) ? 0 : 1;
    if (table == "pieces") return uzawa::bench::measure_soft_pieces(only) ? 0 : 1;
    return uzawa::bench::compare_soft_with_mujoco(table == "mujoco" ? only : table) ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
