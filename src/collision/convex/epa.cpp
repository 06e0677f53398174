#include "uzawa/collision/convex/epa.hpp"

#include <algorithm>

#include "uzawa/collision/contacts/contact.hpp"

namespace uzawa {

namespace {

/// Relative extent below which A - B counts as flat.
constexpr double kFlat = 1e-10;
/// Relative height over a face's plane that is rounding.
constexpr double kRounding = 1e-15;
constexpr double kNoArea = 1e300;
/// cos of 12 degrees.
constexpr double kSameSide = 0.978;

}  // namespace

int Epa::make_face(int a, int b, int c) {
  const int id = free_count_ > 0 ? free_[static_cast<std::size_t>(--free_count_)] : face_count_++;
  if (id % 4 == 0 && id + 1 == face_count_) {  // a new group of lanes: what is not used yet must not be the least
    for (int k = 1; k < 4; ++k) distance_[static_cast<std::size_t>(id + k)] = kNoArea;
  }
  Face& f = faces_[static_cast<std::size_t>(id)];
  f.vertex[0] = a, f.vertex[1] = b, f.vertex[2] = c;
  f.neighbor[0] = f.neighbor[1] = f.neighbor[2] = -1;
  f.seen = false;
  const Vec3 p = vertices_[static_cast<std::size_t>(a)].w;
  const Vec3 u = vertices_[static_cast<std::size_t>(b)].w - p, v = vertices_[static_cast<std::size_t>(c)].w - p;
  const Vec3 n = cross(u, v);
  const double area = norm(n);
  // A sliver has no normal to speak of; its neighbours stand in for it.
  if (area <= 1e-14 * (dot(u, u) + dot(v, v)) || area <= 1e-26 * scale_ * scale_) {
    f.normal = {};
    distance_[static_cast<std::size_t>(id)] = kNoArea;
    return id;
  }
  f.normal = n * (1 / area);
  distance_[static_cast<std::size_t>(id)] = dot(f.normal, p);
  return id;
}

/// One more vertex off the point, line or plane of those that are there. False where A - B is flat.
bool Epa::add_spanning_point(const ConvexPair& pair) {
  const auto& v = vertices_;
  const auto try_direction = [&](const Vec3& d, const auto& measure) {
    const DifferencePoint p = pair.support(d);
    if (measure(p.w) <= kFlat * scale_) return false;
    vertices_[static_cast<std::size_t>(vertex_count_++)] = p;
    return true;
  };
  if (vertex_count_ == 1) {
    const auto from_point = [&](const Vec3& w) { return norm(w - v[0].w); };
    for (int axis = 0; axis < 3; ++axis) {
      if (try_direction(Vec3::unit(axis), from_point) || try_direction(-Vec3::unit(axis), from_point)) return true;
    }
    return false;
  }
  if (vertex_count_ == 2) {
    const Vec3 line = (v[1].w - v[0].w) * (1 / norm(v[1].w - v[0].w));
    const auto from_line = [&](const Vec3& w) { return norm(cross(w - v[0].w, line)); };
    const Mat3 frame = contact_frame(line);
    for (int k = 0; k < 6; ++k) {
      const double angle = k * M_PI / 3;
      if (try_direction(frame.col[0] * std::cos(angle) + frame.col[1] * std::sin(angle), from_line)) return true;
    }
    return false;
  }
  const Vec3 n = cross(v[1].w - v[0].w, v[2].w - v[0].w);
  const Vec3 unit = n * (1 / norm(n));
  const auto from_plane = [&](const Vec3& w) { return std::abs(dot(w - v[0].w, unit)); };
  return try_direction(unit, from_plane) || try_direction(-unit, from_plane);
}

/// The first tetrahedron. False where A - B is flat.
bool Epa::span(const ConvexPair& pair, const Simplex& simplex) {
  vertex_count_ = face_count_ = free_count_ = 0;
  scale_ = pair.a.extent + pair.b.extent;
  // Of GJK's points, those that span.
  for (int i = 0; i < simplex.count; ++i) {
    const Vec3 w = simplex.point[i].w;
    const Vec3 d = vertex_count_ > 0 ? w - vertices_[0].w : w;
    bool spans = vertex_count_ == 0 || norm(d) > kFlat * scale_;
    if (vertex_count_ == 2) {
      const Vec3 line = vertices_[1].w - vertices_[0].w;
      spans = norm(cross(d, line)) > kFlat * scale_ * norm(line);
    } else if (vertex_count_ == 3) {
      const Vec3 n = cross(vertices_[1].w - vertices_[0].w, vertices_[2].w - vertices_[0].w);
      spans = std::abs(dot(d, n)) > kFlat * scale_ * norm(n);
    }
    if (spans) vertices_[static_cast<std::size_t>(vertex_count_++)] = simplex.point[i];
  }
  while (vertex_count_ < 4) {
    if (!add_spanning_point(pair)) return false;
  }
  const Vec3 a = vertices_[0].w;
  if (dot(vertices_[3].w - a, cross(vertices_[1].w - a, vertices_[2].w - a)) > 0) {
    std::swap(vertices_[1], vertices_[2]);
  }
  constexpr int kCorners[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
  for (const auto& c : kCorners) make_face(c[0], c[1], c[2]);
  const auto link = [&](int f, int ka, int g, int kb) {
    faces_[static_cast<std::size_t>(f)].neighbor[ka] = g;
    faces_[static_cast<std::size_t>(g)].neighbor[kb] = f;
  };
  link(0, 0, 1, 2), link(0, 1, 2, 2), link(0, 2, 3, 2);
  link(1, 1, 2, 0), link(2, 1, 3, 0), link(3, 1, 1, 0);
  return true;
}

int Epa::nearest_face() const {
  const auto* lanes = reinterpret_cast<const Lanes*>(distance_.data());
  Lanes least = lanes[0], group{0, 0, 0, 0}, at{0, 0, 0, 0};
  const Lanes one{1, 1, 1, 1};
  const int groups = (face_count_ + 3) / 4;
  for (int i = 1; i < groups; ++i) {
    at += one;
    const auto better = lanes[i] < least;
    least = better ? lanes[i] : least;
    group = better ? at : group;
  }
  int lane = 0;
  for (int k = 1; k < 4; ++k) lane = least[k] < least[lane] ? k : lane;
  return least[lane] < kNoArea ? 4 * static_cast<int>(group[lane]) + lane : -1;
}

/// Walks over the faces that the vertex sees, and lists the edges where that ends.
void Epa::find_horizon(int first_seen, int vertex) {
  const Vec3 w = vertices_[static_cast<std::size_t>(vertex)].w;
  seen_[0] = first_seen;
  seen_count_ = 1;
  horizon_count_ = 0;
  faces_[static_cast<std::size_t>(first_seen)].seen = true;
  for (int i = 0; i < seen_count_; ++i) {
    for (const int other : faces_[static_cast<std::size_t>(seen_[static_cast<std::size_t>(i)])].neighbor) {
      Face& g = faces_[static_cast<std::size_t>(other)];
      const double distance = distance_[static_cast<std::size_t>(other)];
      const bool visible = distance >= kNoArea || dot(g.normal, w) - distance > kRounding * scale_;
      if (g.seen || !visible) continue;
      g.seen = true;
      seen_[static_cast<std::size_t>(seen_count_++)] = other;
    }
  }
  for (int i = 0; i < seen_count_; ++i) {
    const Face& f = faces_[static_cast<std::size_t>(seen_[static_cast<std::size_t>(i)])];
    for (int k = 0; k < 3; ++k) {
      if (faces_[static_cast<std::size_t>(f.neighbor[k])].seen) continue;
      horizon_[static_cast<std::size_t>(horizon_count_++)] = {f.vertex[k], f.vertex[(k + 1) % 3], f.neighbor[k]};
    }
  }
}

bool Epa::expand(int first_seen, int vertex) {
  find_horizon(first_seen, vertex);
  // The horizon is one loop, or rounding has spoilt it.
  for (int i = 0; i + 1 < horizon_count_; ++i) {
    const int to = horizon_[static_cast<std::size_t>(i)].to;
    int next = i + 1;
    while (next < horizon_count_ && horizon_[static_cast<std::size_t>(next)].from != to) ++next;
    if (next == horizon_count_) return false;
    std::swap(horizon_[static_cast<std::size_t>(i + 1)], horizon_[static_cast<std::size_t>(next)]);
  }
  if (horizon_count_ < 3) return false;
  if (horizon_[static_cast<std::size_t>(horizon_count_ - 1)].to != horizon_[0].from) return false;
  if (face_count_ + horizon_count_ >= kMaxFaces) return false;
  for (int i = 0; i < seen_count_; ++i) {
    const int id = seen_[static_cast<std::size_t>(i)];
    distance_[static_cast<std::size_t>(id)] = kNoArea;
    free_[static_cast<std::size_t>(free_count_++)] = id;
  }
  int first = -1, previous = -1;
  for (int i = 0; i < horizon_count_; ++i) {
    const HorizonEdge edge = horizon_[static_cast<std::size_t>(i)];
    const int id = make_face(edge.from, edge.to, vertex);
    Face& f = faces_[static_cast<std::size_t>(id)];
    f.neighbor[0] = edge.outside;
    Face& outside = faces_[static_cast<std::size_t>(edge.outside)];
    for (int k = 0; k < 3; ++k) {
      if (outside.vertex[k] == edge.to && outside.vertex[(k + 1) % 3] == edge.from) outside.neighbor[k] = id;
    }
    if (previous >= 0) {
      f.neighbor[2] = previous;
      faces_[static_cast<std::size_t>(previous)].neighbor[1] = id;
    } else {
      first = id;
    }
    previous = id;
  }
  faces_[static_cast<std::size_t>(first)].neighbor[2] = previous;
  faces_[static_cast<std::size_t>(previous)].neighbor[1] = first;
  return true;
}

Proximity Epa::result() const {
  const DifferencePoint& a = vertices_[static_cast<std::size_t>(best_.vertex[0])];
  const DifferencePoint& b = vertices_[static_cast<std::size_t>(best_.vertex[1])];
  const DifferencePoint& c = vertices_[static_cast<std::size_t>(best_.vertex[2])];
  const Vec3 n = cross(b.w - a.w, c.w - a.w), p = best_.normal * best_.distance;
  const double square = dot(n, n);
  double u = dot(n, cross(b.w - p, c.w - p)) / square, v = dot(n, cross(c.w - p, a.w - p)) / square;
  u = std::clamp(u, 0., 1.), v = std::clamp(v, 0., 1. - u);
  Proximity out;
  out.state = Proximity::State::Overlap;
  out.normal = best_.normal;
  out.gap = -best_.reach;
  out.on_a = a.a * u + b.a * v + c.a * (1 - u - v);
  out.on_b = a.b * u + b.b * v + c.b * (1 - u - v);
  out.support[0] = a, out.support[1] = b, out.support[2] = c;
  out.support_count = 3;
  return out;
}

/// The cores touch in a plane, line or point and do not penetrate across it.
Proximity Epa::flat_result(const ConvexPair& pair) const {
  Vec3 n{1, 0, 0};
  if (vertex_count_ >= 2) {
    const Vec3 u = vertices_[1].w - vertices_[0].w;
    n = vertex_count_ == 2 ? contact_frame(u * (1 / norm(u))).col[0] : cross(u, vertices_[2].w - vertices_[0].w);
    n = n * (1 / norm(n));
  }
  if (dot(n, pair.b_in_a.position) < 0) n = -n;
  Proximity out;
  out.state = Proximity::State::Overlap;
  out.normal = n;
  out.on_a = vertices_[0].a, out.on_b = vertices_[0].b;
  return out;
}

void Epa::start(const ConvexPair& pair, const Simplex& simplex) {
  best_.reach = kNoArea;
  stuck_ = !span(pair, simplex);
}

DifferencePoint Epa::probe(const ConvexPair& pair, int face, double& reach) {
  const Face& f = faces_[static_cast<std::size_t>(face)];
  const DifferencePoint p = pair.support(f.normal);
  reach = dot(p.w, f.normal);
  if (reach < best_.reach) {
    best_ = {{f.vertex[0], f.vertex[1], f.vertex[2]}, f.normal, distance_[static_cast<std::size_t>(face)], reach};
  }
  return p;
}

void Epa::grow(const DifferencePoint& p, int face) {
  stuck_ = vertex_count_ == kMaxVertices;
  if (stuck_) return;
  vertices_[static_cast<std::size_t>(vertex_count_++)] = p;
  stuck_ = !expand(face, vertex_count_ - 1);
}

Proximity Epa::resume(const ConvexPair& pair, double tolerance) {
  for (int i = 0; i < kMaxIterations && !stuck_; ++i) {
    const int face = nearest_face();
    if (face < 0) break;
    double reach = 0;
    const DifferencePoint p = probe(pair, face, reach);
    if (reach - distance_[static_cast<std::size_t>(face)] <= tolerance * scale_) break;
    grow(p, face);
  }
  return best_.reach < kNoArea ? result() : flat_result(pair);
}

int Epa::nearest_face_away_from(const Vec3& normal, double limit) const {
  int best = -1;
  for (int i = 0; i < face_count_; ++i) {
    const double distance = distance_[static_cast<std::size_t>(i)];
    if (distance >= limit || dot(faces_[static_cast<std::size_t>(i)].normal, normal) >= kSameSide) continue;
    limit = distance;
    best = i;
  }
  return best;
}

bool Epa::nowhere_else(const ConvexPair& pair, const Vec3& normal, double distance, double tolerance) {
  const double limit = distance - tolerance * scale_;
  for (int i = 0; i < kMaxIterations && !stuck_; ++i) {
    const int face = nearest_face_away_from(normal, limit);
    if (face < 0) return true;
    double reach = 0;
    const DifferencePoint p = probe(pair, face, reach);
    if (reach < limit) return false;
    grow(p, face);
  }
  return true;
}

}  // namespace uzawa
