#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace uzawa::cli {

/// A film in a WebM file: one track of VP9 pictures, made of what an encoder puts out (the part of Matroska that
/// https://www.webmproject.org/docs/container asks for).
class WebmFilm {
 public:
  /// `width`, `height`: px; `rate`: pictures a second.
  WebmFilm(int width, int height, double rate) : width_(width), height_(height), rate_(rate) {}

  /// The next picture; `key`: it needs none of those before it.
  void add(std::string data, bool key);
  std::size_t pictures() const { return pictures_.size(); }
  /// The file's content.
  std::string bytes() const;

 private:
  struct Picture {
    std::string data;
    bool key;
  };
  std::uint64_t time(std::size_t picture) const;  ///< ms
  std::string tracks() const;

  int width_, height_;
  double rate_;
  std::vector<Picture> pictures_;
};

}  // namespace uzawa::cli
