#pragma once

#include <string_view>

/// HTML tags around the data of a replay in its page; read by ReplayReader and by the page (viewer/src/replay.ts).
namespace uzawa::replay_tags {

inline constexpr std::string_view kScene = R"(<script type="application/json" id="uzawa-scene">)";
inline constexpr std::string_view kBlock = R"(<script type="text/plain" class="uzawa-block" data-length=")";
inline constexpr std::string_view kBlockEnd = R"(">)";
inline constexpr std::string_view kEnd = R"(<script type="application/json" id="uzawa-end">)";
inline constexpr std::string_view kClose = "</script>";

/// A run beside the first has tags of its own.
inline constexpr std::string_view kSecondScene = R"(<script type="application/json" id="uzawa-scene-2">)";
inline constexpr std::string_view kSecondBlock = R"(<script type="text/plain" class="uzawa-block-2" data-length=")";
inline constexpr std::string_view kSecondEnd = R"(<script type="application/json" id="uzawa-end-2">)";

}  // namespace uzawa::replay_tags
