#pragma once

#include <string>

namespace uzawa::test {

/// A damaged copy of a model file: cut short, bytes flipped, numbers swapped for nasty ones, chunks deleted, repeated
/// or moved. The same seed gives the same damage on every machine.
std::string mutate(const std::string& text, unsigned seed);

}  // namespace uzawa::test
