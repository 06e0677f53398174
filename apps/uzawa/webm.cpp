#include "webm.hpp"

#include <bit>
#include <cmath>
#include <utility>

namespace uzawa::cli {

namespace {

// Elements by their number in the specification of Matroska.
enum Element : std::uint32_t {
  kEbml = 0x1A45DFA3,
  kEbmlVersion = 0x4286,
  kEbmlReadVersion = 0x42F7,
  kEbmlMaxIdLength = 0x42F2,
  kEbmlMaxSizeLength = 0x42F3,
  kDocType = 0x4282,
  kDocTypeVersion = 0x4287,
  kDocTypeReadVersion = 0x4285,
  kSegment = 0x18538067,
  kInfo = 0x1549A966,
  kTimecodeScale = 0x2AD7B1,
  kDuration = 0x4489,
  kMuxingApp = 0x4D80,
  kWritingApp = 0x5741,
  kTracks = 0x1654AE6B,
  kTrackEntry = 0xAE,
  kTrackNumber = 0xD7,
  kTrackUid = 0x73C5,
  kTrackType = 0x83,
  kCodecId = 0x86,
  kDefaultDuration = 0x23E383,
  kVideo = 0xE0,
  kPixelWidth = 0xB0,
  kPixelHeight = 0xBA,
  kCluster = 0x1F43B675,
  kTimecode = 0xE7,
  kSimpleBlock = 0xA3,
  kCues = 0x1C53BB6B,
  kCuePoint = 0xBB,
  kCueTime = 0xB3,
  kCueTrackPositions = 0xB7,
  kCueTrack = 0xF7,
  kCueClusterPosition = 0xF1
};

constexpr std::uint64_t kNanosecondsAMillisecond = 1000000;
constexpr std::uint64_t kLongestCluster = 30000;  // ms; times in it are 16 bits

/// Highest byte first, as few as hold it.
std::string number(std::uint64_t value) {
  std::string out;
  do {
    out.insert(out.begin(), static_cast<char>(value & 0xFFU));
    value >>= 8U;
  } while (value > 0);
  return out;
}

/// An element's name and size, and what is in it. Sizes always take eight bytes, the first of them a mark.
std::string element(Element name, const std::string& content) {
  std::string size(8, '\0');
  for (std::size_t i = 0; i < 7; ++i) size[7 - i] = static_cast<char>((content.size() >> (8 * i)) & 0xFFU);
  size[0] = '\x01';
  return number(name) + size + content;
}
std::string element(Element name, std::uint64_t value) { return element(name, number(value)); }
std::string element(Element name, double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  std::string content;
  for (int i = 7; i >= 0; --i) content.push_back(static_cast<char>((bits >> (8U * static_cast<unsigned>(i))) & 0xFFU));
  return element(name, content);
}

std::uint64_t whole(int value) { return static_cast<std::uint64_t>(value); }

std::string header() {
  return element(kEbml, element(kEbmlVersion, whole(1)) + element(kEbmlReadVersion, whole(1)) +
                            element(kEbmlMaxIdLength, whole(4)) + element(kEbmlMaxSizeLength, whole(8)) +
                            element(kDocType, std::string("webm")) + element(kDocTypeVersion, whole(2)) +
                            element(kDocTypeReadVersion, whole(2)));
}

std::string cue(std::uint64_t time, std::uint64_t cluster_position) {
  const std::string place = element(kCueTrack, whole(1)) + element(kCueClusterPosition, cluster_position);
  return element(kCuePoint, element(kCueTime, time) + element(kCueTrackPositions, place));
}

}  // namespace

void WebmFilm::add(std::string data, bool key) { pictures_.push_back({std::move(data), key}); }

std::uint64_t WebmFilm::time(std::size_t picture) const {
  return static_cast<std::uint64_t>(std::llround(1e3 * static_cast<double>(picture) / rate_));
}

std::string WebmFilm::tracks() const {
  const std::string video = element(kPixelWidth, whole(width_)) + element(kPixelHeight, whole(height_));
  const auto duration = static_cast<std::uint64_t>(std::llround(1e9 / rate_));
  return element(kTracks,
                 element(kTrackEntry, element(kTrackNumber, whole(1)) + element(kTrackUid, whole(1)) +
                                          element(kTrackType, whole(1)) + element(kCodecId, std::string("V_VP9")) +
                                          element(kDefaultDuration, duration) + element(kVideo, video)));
}

std::string WebmFilm::bytes() const {
  const auto duration = static_cast<double>(time(pictures_.size()));
  std::string body =
      element(kInfo, element(kTimecodeScale, kNanosecondsAMillisecond) + element(kDuration, duration) +
                         element(kMuxingApp, std::string("uzawa")) + element(kWritingApp, std::string("uzawa"))) +
      tracks();
  std::string cluster, cues;
  std::uint64_t start = 0;
  const auto close_cluster = [&] {
    if (cluster.empty()) return;
    cues += cue(start, body.size());
    body += element(kCluster, cluster);
    cluster.clear();
  };
  for (std::size_t i = 0; i < pictures_.size(); ++i) {
    const std::uint64_t now = time(i);
    if (pictures_[i].key || now - start > kLongestCluster) close_cluster();
    if (cluster.empty()) {
      start = now;
      cluster = element(kTimecode, start);
    }
    const std::uint64_t offset = now - start;
    const std::string place = {'\x81', static_cast<char>(offset >> 8U), static_cast<char>(offset & 0xFFU),
                               pictures_[i].key ? '\x80' : '\x00'};
    cluster += element(kSimpleBlock, place + pictures_[i].data);
  }
  close_cluster();
  return header() + element(kSegment, body + element(kCues, cues));
}

}  // namespace uzawa::cli
