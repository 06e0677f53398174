#pragma once

#include <cmath>

#include "uzawa/problem/problem.hpp"

/// Contacts on points of bodies and links, as problems in tests and benchmarks are made of.
namespace uzawa::test {

/// Columns t1, t2, n for a unit normal.
inline Mat3 frame_of(const Vec3& normal) {
  Vec3 t1 = cross(std::abs(normal.x()) < 0.7 ? Vec3{1, 0, 0} : Vec3{0, 1, 0}, normal);
  t1 *= 1 / norm(t1);
  return {{t1, cross(normal, t1), normal}};
}

inline Attachment point_on_link(int block, int link, const Vec3& point, const Mat3& frame, double sign) {
  Attachment attachment;
  attachment.kind = AttachmentKind::LinkPoint;
  attachment.block = block;
  attachment.link = link;
  attachment.point = point;
  attachment.frame = frame;
  attachment.sign = sign;
  return attachment;
}
inline Attachment point_on(int body, const Vec3& point, const Mat3& frame, double sign) {
  return point_on_link(body, 0, point, frame, sign);
}

}  // namespace uzawa::test
