#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "uzawa/io/load.hpp"
#include "uzawa/sim/world.hpp"
#include "uzawa/solver/solver.hpp"

/// One function a subcommand; each returns the exit code. Bad input leaves as InputError, which main prints.
namespace uzawa::cli {

/// kInterrupted: 128 + SIGINT, what a shell expects of a program that Ctrl-C ended.
enum ExitCode { kOk = 0, kFailed = 1, kBadInput = 2, kInterrupted = 130 };

/// What every subcommand that takes a model shares.
struct ModelArguments {
  std::filesystem::path model;
  std::vector<std::string> packages;  ///< NAME=FOLDER, as given; `load` has them when a subcommand runs
  LoadOptions load;
  bool exclude_overlaps = false;  ///< bodies that overlap at the reference configuration don't touch
  bool json = false;
};

int info(const ModelArguments& arguments);

struct VerifyArguments : ModelArguments {
  int states = 100;
  unsigned seed = 1;
};
int verify(const VerifyArguments& arguments);

struct RunArguments : ModelArguments {    ///< model: a named scene or a file
  std::optional<double> duration;         ///< s; none: the scene's own, 1 s for a file
  std::optional<double> dt, restitution;  ///< none: the scene's or model's own
  std::string keyframe;  ///< name or number; empty: the first, where there is one; none: the reference configuration
  std::filesystem::path controls;        ///< of a file: CSV or HDF5 of controls over time (ControlTrack); empty: none
  std::vector<std::string> assignments;  ///< of the scene's parameters, as name=value
  std::uint64_t seed = 1;                ///< of the scene
  std::filesystem::path log;             ///< HDF5 file; empty: none
  std::filesystem::path html;            ///< replay to write; empty: none
  int log_every = 1;                     ///< every n-th step
  double log_rate = 0;                   ///< frames a simulated second, instead; 0: not asked for
  int dump_step = 0;                     ///< whose problem is written, from 1 on; 0: none
  std::filesystem::path dump;            ///< where to: JSON, or FCLIB's HDF5
  SimSettings settings;
};
/// Exit code 1 where a step failed or a scene's check does not hold, 130 where Ctrl-C ended it.
int run(const RunArguments& arguments);

struct ScenesArguments {
  bool parameters = false, json = false;
};
int list_scenes(const ScenesArguments& arguments);

struct ViewArguments : RunArguments {
  std::string host = "127.0.0.1";
  int port = 7373;                 ///< 0: any that is free
  std::vector<std::string> names;  ///< under which the server may be called, beside addresses and localhost
  bool paused = false;
  double pace = 1;  ///< simulated seconds a second; 0: as fast as possible
};
/// Until Ctrl-C, which is how it ends: exit code 0.
int view(const ViewArguments& arguments);

struct RenderArguments : RunArguments {  ///< model: also a replay (.html)
  std::filesystem::path out;             ///< folder
  std::string frames = "0:end:2";        ///< see FrameList
  int width = 1280, height = 720;        ///< px
  bool points = false, forces = false, body_colors = false, dark = false;
  bool film = false;                         ///< no pictures
  bool webp = false;                         ///< the film as a moving picture
  std::string camera;                        ///< of the model's file; empty: the page's own
  bool lights = false;                       ///< of the model's file
  bool no_textures = false;                  ///< colours alone
  bool panels = false;                       ///< with name, charts and controls
  std::optional<double> azimuth, elevation;  ///< degrees, of the camera; none: the page's own view
  double zoom = 1;
};
/// Exit code 130 where Ctrl-C ended it.
int render(const RenderArguments& arguments);

struct ReplayArguments : ModelArguments {   ///< model: instead of the file that the log names; may be empty
  std::filesystem::path log, second, html;  ///< second: a log to show beside the first; may be empty
};
int replay(const ReplayArguments& arguments);

struct CollideArguments : ModelArguments {
  std::filesystem::path pose;  ///< JSON file; empty: the keyframe
  std::string keyframe;        ///< empty: the first one, or the reference configuration where there is none
  double margin = 0;           ///< m, on top of the geoms' margins
};
int collide(const CollideArguments& arguments);

struct SolveArguments {
  std::filesystem::path problem;
  std::string solver;  ///< empty: canal; of a linear complementarity problem: lcp
  Settings settings;
  bool patient = false;  ///< go on from the best impulses of a solve that has ended without convergence
  bool json = false;
};
/// Exit code 1 where the solver did not converge.
int solve(const SolveArguments& arguments);

struct SolversArguments {
  std::string name;  ///< a method, with its settings; empty: the list of all
  bool json = false;
};
int list_solvers(const SolversArguments& arguments);

struct BenchArguments {
  std::string name;  ///< empty: list them
  bool all = false;  ///< every one of them, into `output`
  bool json = false, quick = false;
  std::filesystem::path plot;                        ///< SVG file; empty: none
  std::filesystem::path update;                      ///< document of --all to put the report in; empty: none
  std::filesystem::path output = "docs/results.md";  ///< of --all; the plots go beside it
};
/// Exit code 1 where a claim does not hold.
int bench(const BenchArguments& arguments);

}  // namespace uzawa::cli
