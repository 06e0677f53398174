#include "frame_list.hpp"

#include <algorithm>
#include <charconv>
#include <sstream>

#include "uzawa/base/error.hpp"

namespace uzawa::cli {

namespace {

constexpr int kEnd = -1;
constexpr int kMost = 10000000;

int number(const std::string& text, int least) {
  if (text == "end" && least == 0) return kEnd;
  int value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end || value < least || value > kMost) {
    throw InputError("", "--frames", "'" + text + "' is no number of a frame; 0:end:2 is every other one");
  }
  return value;
}

}  // namespace

FrameList::FrameList(const std::string& text) {
  std::istringstream parts(text + ',');
  for (std::string part; std::getline(parts, part, ',');) {
    std::vector<std::string> words;
    std::istringstream pieces(part + ':');
    for (std::string word; std::getline(pieces, word, ':');) words.push_back(word);
    if (words.size() > 3) throw InputError("", "--frames", "'" + part + "' should read FIRST:LAST:STEP");
    Range range{number(words[0], 0), 0, 1};
    range.last = words.size() > 1 ? number(words[1], 0) : range.first;
    if (words.size() > 2) range.step = number(words[2], 1);
    if (range.first != kEnd && range.last != kEnd && range.last < range.first) {
      throw InputError("", "--frames", "'" + part + "' ends before it begins");
    }
    ranges_.push_back(range);
  }
}

int FrameList::highest() const {
  int most = 0;
  for (const Range& range : ranges_) {
    if (range.last == kEnd || range.first == kEnd) return -1;
    most = std::max(most, range.last);
  }
  return most;
}

std::vector<int> FrameList::numbers(int count) const {
  std::vector<int> out;
  for (const Range& range : ranges_) {
    const int first = range.first == kEnd ? count - 1 : range.first, last = range.last == kEnd ? count - 1 : range.last;
    if (std::max(first, last) >= count) {
      throw InputError(
          "", "--frames",
          "there is no frame " + std::to_string(std::max(first, last)) + " among " + std::to_string(count));
    }
    for (int frame = first; frame <= last; frame += range.step) out.push_back(frame);
  }
  return out;
}

int FrameList::stride() const { return ranges_.size() == 1 ? ranges_.front().step : 0; }

}  // namespace uzawa::cli
