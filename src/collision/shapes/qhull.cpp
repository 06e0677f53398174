#include "uzawa/collision/shapes/qhull.hpp"

#include <cstdio>
#include <cstdlib>
#include <utility>

#include "uzawa/base/error.hpp"

// qhull is C, and its headers do not pass our warnings.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wshadow"
extern "C" {
#include <libqhull_r/qhull_ra.h>
}
#pragma GCC diagnostic pop

namespace uzawa {

namespace {

/// qhull's state and the messages that it prints, released together.
class Qhull {
 public:
  Qhull() : messages_(open_memstream(&text_, &length_)) { qh_zero(&qh_, messages_); }
  ~Qhull() {
    int current = 0, total = 0;
    qh_freeqhull(&qh_, !qh_ALL);
    qh_memfreeshort(&qh_, &current, &total);
    (void)std::fclose(messages_);
    std::free(text_);
  }
  Qhull(const Qhull&) = delete;
  Qhull& operator=(const Qhull&) = delete;

  qhT* state() { return &qh_; }
  FILE* messages() { return messages_; }
  std::string first_message() {
    (void)std::fflush(messages_);
    const std::string all(text_ == nullptr ? "" : text_, length_);
    return one_line(all.substr(0, all.find('\n')));
  }

 private:
  char* text_ = nullptr;
  std::size_t length_ = 0;
  FILE* messages_;
  qhT qh_{};
};

QhullResult read_facets(qhT* qh, std::size_t points) {
  QhullResult result;
  std::vector<int> corner_of(points, -1);
  for (facetT* facet = qh->facet_list; facet != nullptr && facet->next != nullptr; facet = facet->next) {
    setT* vertices = qh_facet3vertex(qh, facet);
    std::array<int, 3> triangle{};
    const int count = qh_setsize(qh, vertices);
    for (int k = 0; k < 3 && k < count; ++k) {
      const auto* vertex = static_cast<const vertexT*>(SETelem_(vertices, k));
      const auto point = static_cast<std::size_t>(qh_pointid(qh, vertex->point));
      if (corner_of[point] < 0) {
        corner_of[point] = static_cast<int>(result.corners.size());
        result.corners.push_back(static_cast<int>(point));
      }
      triangle[static_cast<std::size_t>(k)] = corner_of[point];
    }
    qh_settempfree(qh, &vertices);
    if (count != 3) continue;
    std::swap(triangle[0], triangle[1]);  // qhull lists them clockwise from outside
    result.triangles.push_back(triangle);
    result.normals.push_back(Vec3::from(facet->normal));
  }
  return result;
}

}  // namespace

std::optional<QhullResult> run_qhull(std::span<const Vec3> points, std::string& reason) {
  if (points.size() < 4) {
    reason = "fewer than four points";
    return std::nullopt;
  }
  std::vector<coordT> coordinates(3 * points.size());
  for (std::size_t i = 0; i < points.size(); ++i) points[i].store(coordinates.data() + 3 * i);
  Qhull qhull;
  char command[] = "qhull Qt Pp";  // triangles; no warnings of rounding
  const int code = qh_new_qhull(qhull.state(), 3, static_cast<int>(points.size()), coordinates.data(), False, command,
                                qhull.messages(), qhull.messages());
  if (code != 0) {
    reason = qhull.first_message();
    return std::nullopt;
  }
  return read_facets(qhull.state(), points.size());
}

}  // namespace uzawa
