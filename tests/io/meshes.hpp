#pragma once

#include <string>

/// The same tetrahedron (corners at the origin and one unit along each axis) in several file formats.
namespace uzawa::test {

std::string obj_tetrahedron();
std::string ascii_stl_tetrahedron();
std::string binary_stl_tetrahedron();
/// Collada in centimetres with its own scale and up axis, as modelling programs write it.
std::string collada_tetrahedron();

}  // namespace uzawa::test
