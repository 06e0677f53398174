#include "uzawa/log/skin_packing.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace uzawa {

namespace {

using Level = std::uint16_t;
using Levels = std::vector<Level>;  // of a frame: x of all vertices, then y, then z

constexpr double kMostLevel = 65535;
constexpr int kOrders = 3;                // of the prediction from the frames before
constexpr int kPredictors = 2 * kOrders;  // each as it is, or relative to how far it fails for the vertex before

/// Small differences of either sign as small numbers, so that their upper bytes are zeros.
Level to_zigzag(Level difference) {
  const auto x = static_cast<std::int16_t>(difference);
  return static_cast<Level>((static_cast<unsigned>(difference) << 1U) ^ (x < 0 ? 0xFFFFU : 0U));
}
Level from_zigzag(Level code) { return static_cast<Level>((code >> 1U) ^ ((code & 1U) != 0 ? 0xFFFFU : 0U)); }

/// What the last two frames let expect of a level: nothing, rest, or constant speed.
Level predicted(int order, std::size_t i, const Levels& last, const Levels& before_last) {
  switch (order) {
    case 0: return 0;
    case 1: return last[i];
    default: return static_cast<Level>(2 * last[i] - before_last[i]);
  }
}

void encode(int predictor, const Levels& now, const Levels& last, const Levels& before_last, Levels& codes) {
  const bool along = predictor >= kOrders;
  const std::size_t vertices = now.size() / 3;
  Level error_before = 0;
  for (std::size_t i = 0; i < now.size(); ++i) {
    if (i % vertices == 0) error_before = 0;
    const auto error = static_cast<Level>(now[i] - predicted(predictor % kOrders, i, last, before_last));
    codes[i] = to_zigzag(static_cast<Level>(along ? error - error_before : error));
    error_before = error;
  }
}

void decode(int predictor, std::span<const Level> codes, const Levels& last, const Levels& before_last, Levels& now) {
  const bool along = predictor >= kOrders;
  const std::size_t vertices = now.size() / 3;
  Level error_before = 0;
  for (std::size_t i = 0; i < now.size(); ++i) {
    if (i % vertices == 0) error_before = 0;
    const auto error = static_cast<Level>(from_zigzag(codes[i]) + (along ? error_before : 0));
    now[i] = static_cast<Level>(predicted(predictor % kOrders, i, last, before_last) + error);
    error_before = error;
  }
}

/// Bits that the codes need, which is about what is left of them after compression.
std::size_t cost(const Levels& codes) {
  std::size_t bits = 0;
  for (const Level code : codes) bits += static_cast<std::size_t>(std::bit_width(code));
  return bits;
}

/// The predictor that costs least, and its codes.
int encode_best(std::size_t frame, const Levels& now, const Levels& last, const Levels& before_last, Levels& best) {
  Levels codes(now.size());
  int chosen = 0;
  std::size_t least = std::numeric_limits<std::size_t>::max();
  for (int predictor = 0; predictor < kPredictors; ++predictor) {
    if (static_cast<std::size_t>(predictor % kOrders) > frame) continue;  // the frames that it needs are not there
    encode(predictor, now, last, before_last, codes);
    const std::size_t bits = cost(codes);
    if (bits >= least) continue;
    least = bits;
    chosen = predictor;
    best = codes;
  }
  return chosen;
}

/// Of the vertices of a body in a frame; of finite coordinates only: a run that went wrong can be looked at, too.
struct Bounds {
  Vec3 lowest;        ///< m
  double extent = 0;  ///< m, the largest of the three

  explicit Bounds(const std::vector<Vec3>& vertices) {
    for (int k = 0; k < 3; ++k) {
      double low = std::numeric_limits<double>::infinity(), high = -low;
      for (const Vec3& x : vertices) {
        if (!std::isfinite(x[k])) continue;
        low = std::min(low, x[k]);
        high = std::max(high, x[k]);
      }
      lowest.set(k, low <= high ? low : 0);
      if (low <= high) extent = std::max(extent, high - low);
    }
  }
};

Level level_of(double x, double lowest, double step) {
  const double level = step > 0 ? (x - lowest) / step : 0;
  return level > 0 ? static_cast<Level>(std::lround(std::min(level, kMostLevel))) : Level{0};  // NaN is 0
}

void put_skin(std::span<const ReplayFrame> frames, std::size_t body, ByteWriter& out) {
  double extent = 0;
  std::vector<Bounds> bounds;
  for (const ReplayFrame& frame : frames) extent = std::max(extent, bounds.emplace_back(frame.skins[body]).extent);
  const double step = extent / kMostLevel;
  out.put(step);
  for (const Bounds& b : bounds) {
    for (int k = 0; k < 3; ++k) out.put(b.lowest[k]);
  }
  const std::size_t vertices = frames.front().skins[body].size();
  Levels now(3 * vertices), last(now), before_last(now), codes(now), all;
  for (std::size_t f = 0; f < frames.size(); ++f) {
    for (std::size_t i = 0; i < now.size(); ++i) {
      const int axis = static_cast<int>(i / vertices);
      now[i] = level_of(frames[f].skins[body][i % vertices][axis], bounds[f].lowest[axis], step);
    }
    out.put(static_cast<std::uint8_t>(encode_best(f, now, last, before_last, codes)));
    all.insert(all.end(), codes.begin(), codes.end());
    before_last.swap(last);
    last = now;
  }
  out.put_planes<Level>(all);
}

void get_skin(ByteReader& in, std::size_t body, std::size_t vertices, std::span<ReplayFrame> frames) {
  const double step = in.get<double>();
  std::vector<Vec3> lowest(frames.size());
  for (Vec3& x : lowest) {
    for (int k = 0; k < 3; ++k) x.set(k, in.get<double>());
  }
  std::vector<std::uint8_t> predictors(frames.size());
  for (std::uint8_t& p : predictors) {
    p = in.get<std::uint8_t>();
    if (p >= kPredictors) throw std::runtime_error("has a prediction that this version does not know");
  }
  const Levels all = in.get_planes<Level>(frames.size() * 3 * vertices);
  Levels now(3 * vertices), last(now), before_last(now);
  for (std::size_t f = 0; f < frames.size(); ++f) {
    decode(predictors[f], std::span(all).subspan(f * now.size(), now.size()), last, before_last, now);
    std::vector<Vec3>& skin = frames[f].skins[body];
    skin.resize(vertices);
    for (std::size_t i = 0; i < now.size(); ++i) {
      const int axis = static_cast<int>(i / vertices);
      skin[i % vertices].set(axis, lowest[f][axis] + step * now[i]);
    }
    before_last.swap(last);
    last = now;
  }
}

}  // namespace

void put_skins(std::span<const ReplayFrame> frames, ByteWriter& out) {
  const std::size_t bodies = frames.empty() ? 0 : frames.front().skins.size();
  for (std::size_t body = 0; body < bodies; ++body) put_skin(frames, body, out);
}

void get_skins(ByteReader& in, std::span<const std::uint32_t> vertices, std::span<ReplayFrame> frames) {
  for (ReplayFrame& frame : frames) frame.skins.resize(vertices.size());
  for (std::size_t body = 0; body < vertices.size(); ++body) get_skin(in, body, vertices[body], frames);
}

}  // namespace uzawa
