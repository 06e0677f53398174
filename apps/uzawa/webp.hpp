#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace uzawa::cli {

/// A moving picture, as pages show it without a player: WebP pictures one after the other, for ever
/// (https://developers.google.com/speed/webp/docs/riff_container).
class MovingPicture {
 public:
  /// `width`, `height`: px; `rate`: pictures a second.
  MovingPicture(int width, int height, double rate) : width_(width), height_(height), rate_(rate) {}

  /// The next picture: a whole WebP file. Throws InputError where it is none.
  void add(const std::string& file);
  std::size_t pictures() const { return pictures_.size(); }
  /// The file's content.
  std::string bytes() const;

 private:
  int width_, height_;
  double rate_;
  std::vector<std::string> pictures_;  ///< their chunks, without the header of the file
  bool has_alpha_ = false;
};

}  // namespace uzawa::cli
