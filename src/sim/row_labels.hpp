#pragma once

#include <cstdint>
#include <vector>

#include "uzawa/assembly/constraint_writer.hpp"

namespace uzawa {

/// The element of the model that a scalar constraint belongs to.
struct RowLabel {
  ConstraintSource source = ConstraintSource::Limit;
  int element = 0;  ///< joint, tendon or equality
  int part = 0;     ///< dof of the joint; of an equality 0-2 position, 3-5 rotation
};

/// Keys are hashes: every limit, dry friction and equality that a model can have, by its key.
class RowLabels {
 public:
  explicit RowLabels(const Model& model);
  /// Null: a constraint of another kind.
  const RowLabel* find(std::uint64_t key) const;

 private:
  struct Entry {
    std::uint64_t key = 0;
    RowLabel label;
  };
  std::vector<Entry> entries_;  ///< ascending by key
};

}  // namespace uzawa
