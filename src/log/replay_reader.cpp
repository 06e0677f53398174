#include "uzawa/log/replay_reader.hpp"

#include <charconv>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "uzawa/base/error.hpp"
#include "uzawa/log/byte_packing.hpp"
#include "uzawa/log/replay_tags.hpp"

namespace uzawa {

namespace {

constexpr const char* kTruncated = "the replay is cut off here";

/// What follows `begin` up to `end`, and moves `place` behind it; nothing: `begin` is not there.
class PageText {
 public:
  PageText(std::string_view text, std::string source) : text_(text), source_(std::move(source)) {}

  bool skip_to(std::string_view begin) {
    const std::size_t found = text_.find(begin, place_);
    if (found == std::string_view::npos) return false;
    place_ = found + begin.size();
    return true;
  }
  std::string_view up_to(std::string_view end, const std::string& element) {
    const std::size_t found = text_.find(end, place_);
    if (found == std::string_view::npos) throw InputError(source_, element, kTruncated);
    const std::string_view out = text_.substr(place_, found - place_);
    place_ = found + end.size();
    return out;
  }

 private:
  std::string_view text_;
  std::string source_;
  std::size_t place_ = 0;
};

void read_block(PageText& page, const std::string& source, const std::string& element, std::vector<ReplayFrame>& out) {
  const std::string_view stated = page.up_to(replay_tags::kBlockEnd, element);
  const std::string_view text = page.up_to(replay_tags::kClose, element);
  std::size_t length = 0;
  const auto [end, error] = std::from_chars(stated.data(), stated.data() + stated.size(), length);
  if (error != std::errc() || end != stated.data() + stated.size() || length != text.size()) {
    throw InputError(source, element, "has not the length that it states");
  }
  std::string bytes;
  try {
    bytes = from_base64(text);
  } catch (const std::runtime_error& reason) {
    throw InputError(source, element, reason.what());
  }
  std::vector<ReplayFrame> frames = unpack_block(bytes, source, element);
  out.insert(out.end(), std::make_move_iterator(frames.begin()), std::make_move_iterator(frames.end()));
}

}  // namespace

Replay read_replay(const std::filesystem::path& path) {
  const std::string source = path.string();
  std::ifstream file(path, std::ios::binary);
  if (!file) throw InputError(source, "", "no such file");
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  PageText page(text, source), end_page(text, source);
  Replay replay;
  if (!page.skip_to(replay_tags::kScene)) throw InputError(source, "", "is no replay");
  replay.scene = page.up_to(replay_tags::kClose, "scene");
  std::size_t blocks = 0;
  while (page.skip_to(replay_tags::kBlock)) {
    read_block(page, source, "block " + std::to_string(++blocks), replay.frames);
  }
  if (!end_page.skip_to(replay_tags::kEnd)) throw InputError(source, "end", kTruncated);
  const auto end = nlohmann::json::parse(end_page.up_to(replay_tags::kClose, "end"), nullptr, false);
  if (end.is_discarded() || !end.is_object()) throw InputError(source, "end", "is damaged");
  if (end.value("blocks", std::size_t{0}) != blocks) throw InputError(source, "end", "speaks of other blocks");
  replay.interrupted = end.value("interrupted", false);
  return replay;
}

}  // namespace uzawa
