#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "uzawa/math/vec3.hpp"
#include "uzawa/sim/world.hpp"

/// What viewer and server say to each other beside the scene and the blocks of frames; docs/replay-format.md has all of
/// it in one table, viewer/src/schema.ts the types of the page.
namespace uzawa {

/// Runs on, or stops.
struct PlayCommand {
  bool on = false;
};
/// So many steps, then stops.
struct StepCommand {
  int count = 1;
};
/// Back to the start.
struct ResetCommand {};
/// Simulated seconds a second; 0: as fast as possible.
struct PaceCommand {
  double factor = 1;
};
/// Other settings; what is not named stays as it is.
struct ChangeCommand {
  std::optional<std::string> solver;
  std::optional<double> dt;           ///< s
  std::optional<double> tolerance;    ///< of the residual
  std::optional<int> iterations;      ///< of the solver at the most; 0: the method's default
  std::optional<double> restitution;  ///< of all contacts
  std::optional<double> friction;     ///< factor on that of all contacts
};
/// A spring from a point of a link to a point in the world, until it is released.
struct PullCommand {
  int link = 0;
  Vec3 point;   ///< m, in the link's frame
  Vec3 target;  ///< m, world
};
struct ReleaseCommand {};
/// The viewer has drawn a frame and may be sent another one.
struct SeenCommand {};

using Command = std::variant<PlayCommand, StepCommand, ResetCommand, PaceCommand, ChangeCommand, PullCommand,
                             ReleaseCommand, SeenCommand>;

/// Throws InputError that names what is wrong with the text.
Command parse_command(std::string_view text);

/// How things stand.
struct LiveStatus {
  int run = 0;  ///< counts the resets: frames that follow are of this run
  bool playing = false;
  double pace = 1;   ///< as asked for; 0: as fast as possible
  double speed = 0;  ///< simulated seconds a second, as measured
  int viewers = 0;
  std::string solver;
  double dt = 0;  ///< s
  double tolerance = 0;
  int iterations = 0;
  double restitution = 0;
  double friction = 1;
  std::string trouble;  ///< why it stands still; empty: nothing is wrong
};

std::string status_message(const LiveStatus& status);
/// A line for the user of one viewer.
std::string notice_message(const std::string& text);

}  // namespace uzawa
