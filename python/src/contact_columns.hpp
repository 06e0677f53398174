#pragma once

#include "bindings.hpp"
#include "uzawa/math/vec3.hpp"

namespace uzawa::python {

/// A column of vectors: n x 3.
template <typename List, typename Get>
nb::ndarray<nb::numpy, double> vector_column(const List& list, Get&& get) {
  std::vector<double> values(3 * list.size());
  for (std::size_t i = 0; i < list.size(); ++i) get(list[i]).store(&values[3 * i]);
  return new_array(std::move(values), {list.size(), 3});
}

/// geom1, geom2, point, normal, gap of contacts: n, n, n x 3, n x 3, n.
template <typename List>
nb::list contact_columns(const List& contacts) {
  const std::size_t n = contacts.size();
  std::vector<int> geom1(n), geom2(n);
  std::vector<double> gap(n);
  for (std::size_t i = 0; i < n; ++i) {
    geom1[i] = contacts[i].geom1;
    geom2[i] = contacts[i].geom2;
    gap[i] = contacts[i].gap;
  }
  nb::list out;
  out.append(new_array(std::move(geom1)));
  out.append(new_array(std::move(geom2)));
  out.append(vector_column(contacts, [](const auto& c) -> const Vec3& { return c.position; }));
  out.append(vector_column(contacts, [](const auto& c) -> const Vec3& { return c.normal; }));
  out.append(new_array(std::move(gap)));
  return out;
}

}  // namespace uzawa::python
