#include "uzawa/live/messages.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>

#include "uzawa/base/error.hpp"
#include "uzawa/solver/solver.hpp"

namespace uzawa {

namespace {

using nlohmann::json;

constexpr int kMostSteps = 1000;       // at a time: nobody should have to wait for more
constexpr double kMostDistance = 1e6;  // m: a spring that is pulled further makes numbers of no use
constexpr int kMostIterations = 100000;

[[noreturn]] void refuse(const std::string& element, const std::string& reason) {
  throw InputError("message", element, reason);
}

/// The members of a message, each to be asked for once; what nobody asked for is refused.
class Members {
 public:
  explicit Members(json object) : object_(std::move(object)) { take("type"); }
  ~Members() = default;
  Members(const Members&) = delete;
  Members& operator=(const Members&) = delete;

  bool boolean(const char* key) {
    const json value = take(key);
    if (!value.is_boolean()) refuse(key, "must be true or false");
    return value.get<bool>();
  }
  std::string text(const char* key) {
    const json value = take(key);
    if (!value.is_string()) refuse(key, "must be a text");
    return value.get<std::string>();
  }
  double number(const char* key, double least, double most) { return checked(key, take(key), least, most); }
  int whole(const char* key, int least, int most) {
    const double value = number(key, least, most);
    if (value != std::floor(value)) refuse(key, "must be a whole number");
    return static_cast<int>(value);
  }
  Vec3 point(const char* key) {
    const json value = take(key);
    if (!value.is_array() || value.size() != 3) refuse(key, "must be three numbers");
    std::array<double, 3> x{};
    for (std::size_t k = 0; k < 3; ++k) x[k] = checked(key, value[k], -kMostDistance, kMostDistance);
    return {x[0], x[1], x[2]};
  }
  template <typename T>
  void optional(const char* key, std::optional<T>& out, const std::function<T(const char*)>& read) {
    if (object_.contains(key)) out = read(key);
  }
  void finish() const {
    if (!object_.empty()) refuse(one_line(object_.begin().key()).substr(0, 40), "is not known here");
  }

 private:
  json take(const char* key) {
    const auto place = object_.find(key);
    if (place == object_.end()) refuse(key, "is missing");
    json value = std::move(*place);
    object_.erase(place);
    return value;
  }
  static double checked(const char* key, const json& value, double least, double most) {
    const double number = value.is_number() ? value.get<double>() : NAN;
    if (!(number >= least && number <= most)) {
      refuse(key, "must be a number from " + json(least).dump() + " to " + json(most).dump());
    }
    return number;
  }

  json object_;
};

ChangeCommand change_of(Members& members) {
  ChangeCommand change;
  const auto between = [&](double least, double most) {
    return [&members, least, most](const char* key) { return members.number(key, least, most); };
  };
  members.optional<std::string>("solver", change.solver, [&](const char* key) { return members.text(key); });
  members.optional<double>("dt", change.dt, between(1e-6, 0.1));
  members.optional<double>("tolerance", change.tolerance, between(1e-14, 1));
  members.optional<int>("iterations", change.iterations,
                        [&](const char* key) { return members.whole(key, 0, kMostIterations); });
  members.optional<double>("restitution", change.restitution, between(0, 1));
  members.optional<double>("friction", change.friction, between(0, 100));
  if (change.solver) find_solver(*change.solver);  // throws with the names where there is none of that name
  return change;
}

Command command_of(const std::string& type, Members& members) {
  if (type == "play") return PlayCommand{members.boolean("on")};
  if (type == "step") return StepCommand{members.whole("count", 1, kMostSteps)};
  if (type == "reset") return ResetCommand{};
  if (type == "pace") return PaceCommand{members.number("factor", 0, 1000)};
  if (type == "change") return change_of(members);
  if (type == "pull") {
    const int link = members.whole("link", 0, std::numeric_limits<int>::max());
    const Vec3 point = members.point("point");
    return PullCommand{link, point, members.point("target")};
  }
  if (type == "release") return ReleaseCommand{};
  if (type == "seen") return SeenCommand{};
  refuse("type", "'" + one_line(type).substr(0, 40) + "' is not known");
}

}  // namespace

Command parse_command(std::string_view text) {
  json object = json::parse(text, nullptr, false);
  if (object.is_discarded()) refuse("", "is no JSON");
  const auto type = object.is_object() ? object.find("type") : object.end();
  if (!object.is_object() || type == object.end() || !type->is_string()) refuse("type", "is missing");
  const auto name = type->get<std::string>();
  Members members(std::move(object));
  Command command = command_of(name, members);
  members.finish();
  return command;
}

std::string status_message(const LiveStatus& status) {
  json methods = json::array();
  for (const Solver& solver : solvers()) methods.push_back(solver.name);
  const json out = {{"type", "status"},
                    {"run", status.run},
                    {"playing", status.playing},
                    {"pace", status.pace},
                    {"speed", status.speed},
                    {"viewers", status.viewers},
                    {"solver", status.solver},
                    {"solvers", std::move(methods)},
                    {"dt", status.dt},
                    {"tolerance", status.tolerance},
                    {"iterations", status.iterations},
                    {"restitution", status.restitution},
                    {"friction", status.friction},
                    {"trouble", status.trouble}};
  return out.dump(-1, ' ', false, json::error_handler_t::replace);
}

std::string notice_message(const std::string& text) {
  return json({{"type", "notice"}, {"text", text}}).dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace uzawa
