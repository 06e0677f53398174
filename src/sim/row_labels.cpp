#include "uzawa/sim/row_labels.hpp"

#include <algorithm>

namespace uzawa {

RowLabels::RowLabels(const Model& model) {
  const auto add = [&](ConstraintSource source, std::size_t count, int parts) {
    for (int i = 0; i < static_cast<int>(count); ++i) {
      for (int part = 0; part < parts; ++part) {
        entries_.push_back({constraint_key(source, i, part), {source, i, part}});
      }
    }
  };
  constexpr int kMostDofs = 6, kMostParts = 6;
  const ModelSpec& spec = model.spec();
  add(ConstraintSource::Limit, spec.joints.size(), 1);
  add(ConstraintSource::JointFriction, spec.joints.size(), kMostDofs);
  add(ConstraintSource::TendonLimit, spec.tendons.size(), 1);
  add(ConstraintSource::TendonFriction, spec.tendons.size(), 1);
  add(ConstraintSource::Equality, spec.equalities.size(), kMostParts);
  std::sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) { return a.key < b.key; });
}

const RowLabel* RowLabels::find(std::uint64_t key) const {
  const auto found = std::lower_bound(entries_.begin(), entries_.end(), key,
                                      [](const Entry& a, std::uint64_t b) { return a.key < b; });
  return found != entries_.end() && found->key == key ? &found->label : nullptr;
}

}  // namespace uzawa
