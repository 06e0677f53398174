#pragma once

#include <string>
#include <vector>

namespace uzawa::cli {

/// Frames of a replay as the user names them: numbers and ranges FIRST:LAST or FIRST:LAST:STEP, with commas between;
/// `end` is the last one.
class FrameList {
 public:
  /// Throws InputError that names what is wrong.
  explicit FrameList(const std::string& text);
  /// The highest number; -1: `end` is among them, so that all frames are needed.
  int highest() const;
  /// Of a replay with `count` frames. Throws InputError for one that it does not have.
  std::vector<int> numbers(int count) const;
  /// Frames between two pictures where that is always the same, else 0.
  int stride() const;

 private:
  struct Range {
    int first, last, step;  ///< kEnd: the last frame
  };
  std::vector<Range> ranges_;
};

}  // namespace uzawa::cli
