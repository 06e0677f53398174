#include "uzawa/log/replay_frame.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "uzawa/base/error.hpp"
#include "uzawa/log/byte_packing.hpp"
#include "uzawa/log/skin_packing.hpp"

namespace uzawa {

namespace {

constexpr std::uint32_t kMagic = 0x33425A55;       // "UZB3"
constexpr std::uint32_t kBareMagic = 0x32425A55;   // "UZB2": the same without joints and normals
constexpr std::uint32_t kRigidMagic = 0x31425A55;  // "UZB1": and without skins
constexpr double kMostLevel = 65535;               // of a position in its range
constexpr double kOne = 32767;                     // a quaternion's component of 1

/// The range of a coordinate: value = lowest + level * step.
struct Scale {
  double lowest = std::numeric_limits<double>::infinity(), highest = -lowest;

  void include(double x) {
    lowest = std::min(lowest, x);
    highest = std::max(highest, x);
  }
  double step() const { return highest > lowest ? (highest - lowest) / kMostLevel : 0; }
  std::uint16_t level(double x) const {
    const double s = step();
    return s > 0 ? static_cast<std::uint16_t>(std::lround(std::clamp((x - lowest) / s, 0.0, kMostLevel))) : 0;
  }
  void put(ByteWriter& out) const {
    out.put(highest >= lowest ? lowest : 0.0);
    out.put(step());
  }
};

/// Value by value, the difference from the one before.
void to_differences(std::span<std::uint16_t> column) {
  std::uint16_t before = 0;
  for (std::uint16_t& value : column) {
    const std::uint16_t now = value;
    value = static_cast<std::uint16_t>(now - before);
    before = now;
  }
}

void from_differences(std::span<std::uint16_t> column) {
  std::uint16_t sum = 0;
  for (std::uint16_t& value : column) value = sum = static_cast<std::uint16_t>(sum + value);
}

/// The upper half of a float, rounded (bfloat16): the range of a float, 8 significant bits.
std::uint16_t to_short_float(double x) {
  const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(x));
  return static_cast<std::uint16_t>((bits + 0x7FFFU + ((bits >> 16U) & 1U)) >> 16U);
}
double from_short_float(std::uint16_t x) { return std::bit_cast<float>(static_cast<std::uint32_t>(x) << 16U); }

/// q and -q are one rotation: the one closer to the last is taken, so that components do not jump.
std::array<double, 4> components(const Quat& q, const std::array<double, 4>& last) {
  const Quat unit = normalized(q);
  std::array<double, 4> c{};
  unit.store(c.data());
  double along = 0;
  for (std::size_t k = 0; k < 4; ++k) along += c[k] * last[k];
  if (along < 0) {
    for (double& x : c) x = -x;
  }
  return c;
}

void put_placements(std::span<const ReplayFrame> frames, std::size_t links, ByteWriter& out) {
  const std::size_t n = frames.size();
  std::vector<std::uint16_t> positions(3 * links * n), orientations(4 * links * n);
  for (std::size_t link = 0; link < links; ++link) {
    std::array<double, 4> last{};
    std::array<Scale, 3> scale;
    for (const ReplayFrame& frame : frames) {
      for (int k = 0; k < 3; ++k) scale[static_cast<std::size_t>(k)].include(frame.placements[link].position[k]);
    }
    for (std::size_t i = 0; i < n; ++i) {
      const Placement& placement = frames[i].placements[link];
      for (std::size_t k = 0; k < 3; ++k) {
        positions[(3 * link + k) * n + i] = scale[k].level(placement.position[static_cast<int>(k)]);
      }
      last = components(placement.orientation, last);
      for (std::size_t k = 0; k < 4; ++k) {
        orientations[(4 * link + k) * n + i] = static_cast<std::uint16_t>(std::lround(last[k] * kOne));
      }
    }
    for (const Scale& s : scale) s.put(out);
  }
  for (std::size_t c = 0; c < 3 * links; ++c) to_differences(std::span(positions).subspan(c * n, n));
  for (std::size_t c = 0; c < 4 * links; ++c) to_differences(std::span(orientations).subspan(c * n, n));
  out.put_planes<std::uint16_t>(positions);
  out.put_planes<std::uint16_t>(orientations);
}

void get_placements(ByteReader& in, std::size_t links, std::span<ReplayFrame> frames) {
  const std::size_t n = frames.size();
  std::vector<double> scales(6 * links);  // lowest and step
  for (double& x : scales) x = in.get<double>();
  std::vector<std::uint16_t> positions = in.get_planes<std::uint16_t>(3 * links * n);
  std::vector<std::uint16_t> orientations = in.get_planes<std::uint16_t>(4 * links * n);
  for (std::size_t c = 0; c < 3 * links; ++c) from_differences(std::span(positions).subspan(c * n, n));
  for (std::size_t c = 0; c < 4 * links; ++c) from_differences(std::span(orientations).subspan(c * n, n));
  for (std::size_t i = 0; i < n; ++i) {
    frames[i].placements.resize(links);
    for (std::size_t link = 0; link < links; ++link) {
      Placement& placement = frames[i].placements[link];
      for (std::size_t k = 0; k < 3; ++k) {
        const double* scale = &scales[2 * (3 * link + k)];
        placement.position.set(static_cast<int>(k), scale[0] + scale[1] * positions[(3 * link + k) * n + i]);
      }
      std::array<double, 4> q{};
      for (std::size_t k = 0; k < 4; ++k) q[k] = static_cast<std::int16_t>(orientations[(4 * link + k) * n + i]) / kOne;
      placement.orientation = normalized(Quat::from(q.data()));
    }
  }
}

/// Values of the joints, in the range that each covers in the block.
void put_joints(std::span<const ReplayFrame> frames, std::size_t joints, ByteWriter& out) {
  const std::size_t n = frames.size();
  std::vector<std::uint16_t> levels(joints * n);
  for (std::size_t j = 0; j < joints; ++j) {
    Scale scale;
    for (const ReplayFrame& frame : frames) scale.include(frame.joints[j]);
    for (std::size_t i = 0; i < n; ++i) levels[j * n + i] = scale.level(frames[i].joints[j]);
    to_differences(std::span(levels).subspan(j * n, n));
    scale.put(out);
  }
  out.put_planes<std::uint16_t>(levels);
}

void get_joints(ByteReader& in, std::size_t joints, std::span<ReplayFrame> frames) {
  const std::size_t n = frames.size();
  std::vector<double> scales(2 * joints);  // lowest and step
  for (double& x : scales) x = in.get<double>();
  std::vector<std::uint16_t> levels = in.get_planes<std::uint16_t>(joints * n);
  for (ReplayFrame& frame : frames) frame.joints.resize(joints);
  for (std::size_t j = 0; j < joints; ++j) {
    from_differences(std::span(levels).subspan(j * n, n));
    for (std::size_t i = 0; i < n; ++i) frames[i].joints[j] = scales[2 * j] + scales[2 * j + 1] * levels[j * n + i];
  }
}

/// A direction as two numbers from -1 to 1: the octahedron |x| + |y| + |z| = 1, its lower half folded outwards.
std::array<double, 2> to_octahedron(const Vec3& normal) {
  const double size = std::abs(normal[0]) + std::abs(normal[1]) + std::abs(normal[2]);
  if (!(size > 0)) return {0, 0};
  const double x = normal[0] / size, y = normal[1] / size;
  if (normal[2] >= 0) return {x, y};
  return {std::copysign(1 - std::abs(y), x), std::copysign(1 - std::abs(x), y)};
}
Vec3 from_octahedron(double x, double y) {
  const double z = 1 - std::abs(x) - std::abs(y);
  const Vec3 folded(x, y, z), unfolded(std::copysign(1 - std::abs(y), x), std::copysign(1 - std::abs(x), y), z);
  const Vec3& place = z >= 0 ? folded : unfolded;
  return place * (1 / norm(place));
}

/// Columns of the contacts of all frames: geoms, position, force, normal.
constexpr std::size_t kContactColumns = 10, kColumnsWithoutNormals = 8;
using ContactColumns = std::array<std::vector<std::uint32_t>, kContactColumns>;

/// A contact is stored as the difference from the one with the same number in the frame before: what rests is zeros.
/// visit(index, index of the one before or -1), for every contact of every frame.
template <typename Visit>
void visit_pairs(std::span<const std::uint32_t> counts, Visit&& visit) {
  std::size_t begin = 0, before = 0, count_before = 0;
  for (const std::uint32_t count : counts) {
    for (std::size_t k = 0; k < count; ++k) {
      visit(begin + k, k < count_before ? static_cast<std::ptrdiff_t>(before + k) : -1);
    }
    before = begin;
    count_before = count;
    begin += count;
  }
}

void put_contacts(std::span<const ReplayFrame> frames, ByteWriter& out) {
  std::vector<std::uint32_t> counts;
  std::array<Scale, 3> scale;
  for (const ReplayFrame& frame : frames) {
    counts.push_back(static_cast<std::uint32_t>(frame.contacts.size()));
    for (const ReplayContact& contact : frame.contacts) {
      for (int k = 0; k < 3; ++k) scale[static_cast<std::size_t>(k)].include(contact.position[k]);
    }
  }
  ContactColumns columns;
  for (const ReplayFrame& frame : frames) {
    for (const ReplayContact& contact : frame.contacts) {
      columns[0].push_back(static_cast<std::uint32_t>(contact.geom1));
      columns[1].push_back(static_cast<std::uint32_t>(contact.geom2));
      for (std::size_t k = 0; k < 3; ++k) {
        columns[2 + k].push_back(scale[k].level(contact.position[static_cast<int>(k)]));
        columns[5 + k].push_back(to_short_float(contact.force[static_cast<int>(k)]));
      }
      const std::array<double, 2> flat = to_octahedron(contact.normal);
      for (std::size_t k = 0; k < 2; ++k) {
        columns[8 + k].push_back(static_cast<std::uint16_t>(std::lround(flat[k] * kOne)));
      }
    }
  }
  out.put_planes<std::uint32_t>(counts);
  for (const Scale& s : scale) s.put(out);
  for (std::size_t c = 0; c < kContactColumns; ++c) {
    std::vector<std::uint32_t> differences(columns[c].size());
    visit_pairs(counts, [&](std::size_t i, std::ptrdiff_t before) {
      differences[i] = columns[c][i] - (before < 0 ? 0 : columns[c][static_cast<std::size_t>(before)]);
    });
    if (c < 2) {
      out.put_planes<std::uint32_t>(differences);
    } else {
      const std::vector<std::uint16_t> narrow(differences.begin(), differences.end());
      out.put_planes<std::uint16_t>(narrow);
    }
  }
}

void get_contacts(ByteReader& in, bool normals, std::span<ReplayFrame> frames) {
  const std::vector<std::uint32_t> counts = in.get_planes<std::uint32_t>(frames.size());
  std::array<double, 6> scales{};
  for (double& x : scales) x = in.get<double>();
  std::size_t total = 0;
  for (const std::uint32_t count : counts) total += count;
  ContactColumns columns;
  for (std::size_t c = 0; c < (normals ? kContactColumns : kColumnsWithoutNormals); ++c) {
    std::vector<std::uint32_t>& column = columns[c];
    if (c < 2) {
      column = in.get_planes<std::uint32_t>(total);
    } else {
      const std::vector<std::uint16_t> narrow = in.get_planes<std::uint16_t>(total);
      column.assign(narrow.begin(), narrow.end());
    }
    const std::uint32_t mask = c < 2 ? 0xFFFFFFFFU : 0xFFFFU;
    visit_pairs(counts, [&](std::size_t i, std::ptrdiff_t before) {
      if (before >= 0) column[i] = (column[i] + column[static_cast<std::size_t>(before)]) & mask;
    });
  }
  std::size_t i = 0;
  for (std::size_t f = 0; f < frames.size(); ++f) {
    frames[f].contacts.resize(counts[f]);
    for (ReplayContact& contact : frames[f].contacts) {
      contact.geom1 = static_cast<int>(columns[0][i]);
      contact.geom2 = static_cast<int>(columns[1][i]);
      for (std::size_t k = 0; k < 3; ++k) {
        contact.position.set(static_cast<int>(k), scales[2 * k] + scales[2 * k + 1] * columns[2 + k][i]);
        contact.force.set(static_cast<int>(k), from_short_float(static_cast<std::uint16_t>(columns[5 + k][i])));
      }
      const auto flat = [&](std::size_t k) { return static_cast<std::int16_t>(columns[8 + k][i]) / kOne; };
      if (normals) contact.normal = from_octahedron(flat(0), flat(1));
      ++i;
    }
  }
}

/// Vertices of each soft body's skin.
std::vector<std::uint32_t> get_skin_sizes(ByteReader& in) {
  const std::size_t bodies = in.get<std::uint32_t>();
  if (bodies > in.left()) throw std::runtime_error("it ends too early");
  std::vector<std::uint32_t> sizes(bodies);
  for (std::uint32_t& size : sizes) {
    size = in.get<std::uint32_t>();
    if (size > in.left()) throw std::runtime_error("it ends too early");
  }
  return sizes;
}

}  // namespace

std::string pack_block(std::span<const ReplayFrame> frames) {
  const std::size_t links = frames.empty() ? 0 : frames.front().placements.size();
  const std::size_t joints = frames.empty() ? 0 : frames.front().joints.size();
  ByteWriter out;
  out.put(kMagic);
  out.put(static_cast<std::uint32_t>(frames.size()));
  out.put(static_cast<std::uint32_t>(links));
  out.put(static_cast<std::uint32_t>(kReplaySeries));
  out.put(static_cast<std::uint32_t>(frames.empty() ? 0 : frames.front().skins.size()));
  if (!frames.empty()) {
    for (const std::vector<Vec3>& skin : frames.front().skins) out.put(static_cast<std::uint32_t>(skin.size()));
  }
  out.put(static_cast<std::uint32_t>(joints));
  for (const ReplayFrame& frame : frames) out.put(frame.time);
  for (std::size_t s = 0; s < kReplaySeries; ++s) {
    for (const ReplayFrame& frame : frames) out.put(frame.series[s]);
  }
  put_placements(frames, links, out);
  put_joints(frames, joints, out);
  put_skins(frames, out);
  put_contacts(frames, out);
  return deflated(out.bytes());
}

std::vector<ReplayFrame> unpack_block(const std::string& bytes, const std::string& source, const std::string& element) {
  try {
    const std::string plain = inflated(bytes);
    ByteReader in(plain);
    const auto magic = in.get<std::uint32_t>();
    const bool full = magic == kMagic;
    if (!full && magic != kBareMagic && magic != kRigidMagic) throw std::runtime_error("is no block of a replay");
    const std::size_t count = in.get<std::uint32_t>(), links = in.get<std::uint32_t>();
    if (in.get<std::uint32_t>() != kReplaySeries) throw std::runtime_error("has other series than this version");
    const std::vector<std::uint32_t> skin_sizes =
        magic != kRigidMagic ? get_skin_sizes(in) : std::vector<std::uint32_t>();
    const std::size_t joints = full ? in.get<std::uint32_t>() : 0;
    if (count > in.left() || links * 48 > in.left() || joints * 16 > in.left())
      throw std::runtime_error("it ends too early");
    std::vector<ReplayFrame> frames(count);
    for (ReplayFrame& frame : frames) frame.time = in.get<double>();
    for (std::size_t s = 0; s < kReplaySeries; ++s) {
      for (ReplayFrame& frame : frames) frame.series[s] = in.get<float>();
    }
    get_placements(in, links, frames);
    if (full) get_joints(in, joints, frames);
    get_skins(in, skin_sizes, frames);
    get_contacts(in, full, frames);
    if (in.left() > 0) throw std::runtime_error("goes on after its end");
    return frames;
  } catch (const std::runtime_error& error) {
    throw InputError(source, element, error.what());
  }
}

}  // namespace uzawa
