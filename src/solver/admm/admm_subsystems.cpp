#include "uzawa/solver/admm/admm_subsystems.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "uzawa/base/at.hpp"

namespace uzawa {

namespace {

constexpr int kBodiesPerTask = 128;
constexpr int kTreeDofsPerTask = 128;
/// Kinds of robots that may take turns in a problem and still be solved together.
constexpr std::size_t kKindsOfTrees = 8;
/// Loops over fewer dofs than this are over before other threads have heard of them.
constexpr int kDofsWorthSharing = 6500, kMatrixDofsWorthSharing = 500;

bool is_orthonormal(const Mat3& frame) {
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k <= i; ++k) {
      if (!(std::abs(dot(frame.col[i], frame.col[k]) - (i == k ? 1 : 0)) < 1e-9)) return false;
    }
  }
  return true;
}

double square(double x) { return x * x; }

SpatialInertia scaled(const SpatialInertia& inertia, double s) {
  return {inertia.mass * s, inertia.first * s, inertia.rotational * s};
}

}  // namespace

void AdmmSubsystems::prepare(const Problem& problem, const SparseRows& j, Splitting splitting) {
  v_.resize(at(problem.n()));
  place_blocks(problem, splitting);
  collect_sides(problem, j);
  place_slots();
  prepare_trees(problem);
  make_tasks(problem);
  point_masses_.assign(twist_.size(), {});
  joint_masses_.assign(at(joints_), 0.0);
  for (const AdmmSide& side : sides_) add_penalty(side, side.weight);
}

/// Decides what each block is solved by.
void AdmmSubsystems::place_blocks(const Problem& problem, Splitting splitting) {
  bodies_.clear();
  tree_count_ = matrix_count_ = 0;
  joints_ = 0;
  const std::size_t blocks = problem.blocks.size();
  link_start_.assign(blocks, 0);
  subsystem_.assign(blocks, 0);
  joint_start_.assign(blocks, 0);
  twist_.clear();
  if (splitting == Splitting::None && blocks > 0) {
    std::fill(link_start_.begin(), link_start_.end(), -1);
    if (matrices_.empty()) matrices_.push_back(std::make_unique<MatrixSubsystem>());
    matrices_[0]->start(problem, 0, static_cast<int>(blocks));
    matrix_count_ = 1;
  } else {
    // A penalty on one dof of a free body, or in skewed axes, is no point mass.
    for (const Attachment& from : problem.attachments) {
      const bool body = problem.blocks[at(from.block)].kind == BlockKind::FreeBody;
      const bool link = from.kind == AttachmentKind::LinkPoint || from.kind == AttachmentKind::LinkTurn;
      const bool keeps_structure = link ? is_orthonormal(from.frame) : !body && from.kind != AttachmentKind::Rows;
      if (!keeps_structure) link_start_[at(from.block)] = -1;
    }
    for (std::size_t b = 0; b < blocks; ++b) {
      const BlockKind kind = problem.blocks[b].kind;
      const bool as_matrix =
          splitting == Splitting::Subsystems || kind == BlockKind::Sparse || kind == BlockKind::Nodal;
      add_block(problem, static_cast<int>(b), as_matrix || link_start_[b] < 0);
    }
  }
  twist_.emplace_back();  // what the empty lanes look at
}

void AdmmSubsystems::add_block(const Problem& problem, int b, bool as_matrix) {
  const Block& block = problem.blocks[at(b)];
  if (as_matrix) {
    if (matrices_.size() == matrix_count_) matrices_.push_back(std::make_unique<MatrixSubsystem>());
    matrices_[matrix_count_]->start(problem, b, b + 1);
    link_start_[at(b)] = -1;
    subsystem_[at(b)] = static_cast<int>(matrix_count_++);
    return;
  }
  if (block.kind == BlockKind::FreeBody) {
    link_start_[at(b)] = static_cast<int>(twist_.size());
    subsystem_[at(b)] = static_cast<int>(bodies_.size());
    FreeBody& body = bodies_.emplace_back();
    body.block = b;
    body.link = link_start_[at(b)];
    const double* impulse = &problem.b[at(block.offset)];
    body.response.impulse = {Vec3::from(impulse + 3), Vec3::from(impulse)};
    twist_.emplace_back();
    return;
  }
  add_tree(problem, b);
}

void AdmmSubsystems::add_tree(const Problem& problem, int b) {
  const TreeInertia& tree = problem.trees[at(problem.blocks[at(b)].index)];
  const auto topology_of = [&](const Trees& trees) {
    return problem.trees[at(problem.blocks[at(trees.block[0])].index)].topology;
  };
  // To the last trees of its kind, where there is room.
  std::size_t place = tree_count_;
  for (std::size_t back = 1; back <= std::min(tree_count_, kKindsOfTrees) && place == tree_count_; ++back) {
    const Trees& trees = trees_[tree_count_ - back];
    if (trees.count < TreeBatch::kLanes && topology_of(trees) == tree.topology) place = tree_count_ - back;
  }
  if (place == tree_count_) {
    if (trees_.size() == tree_count_) trees_.emplace_back();
    Trees& trees = trees_[tree_count_++];
    trees.count = 0;
    trees.joint_sides = trees.root_sides = false;
    trees.first_link = static_cast<int>(twist_.size());
    trees.first_joint = joints_;
    trees.batch.take_topology(tree.topology);
    twist_.resize(twist_.size() + TreeBatch::kLanes * tree.inertia.size());
    joints_ += TreeBatch::kLanes * tree.topology->dofs();
  }
  link_start_[at(b)] = trees_[place].first_link + trees_[place].count;
  subsystem_[at(b)] = static_cast<int>(place);
  joint_start_[at(b)] = trees_[place].first_joint + trees_[place].count;
  trees_[place].block[trees_[place].count++] = b;
}

void AdmmSubsystems::prepare_trees(const Problem& problem) {
  for (std::size_t k = 0; k < tree_count_; ++k) {
    Trees& trees = trees_[k];
    TreeBatch::PerTree<const TreeInertia*> inertias;
    TreeBatch::PerTree<const double*> b;
    for (int t = 0; t < TreeBatch::kLanes; ++t) {
      const Block& block = problem.blocks[at(trees.block[t < trees.count ? t : 0])];
      inertias[at(t)] = &problem.trees[at(block.index)];
      b[at(t)] = problem.b.data() + block.offset;
    }
    trees.batch.prepare(trees.count, inertias, b);
    trees.batch.place_pushes(pushes_.sources().data() + trees.first_link, push_start_.back());
  }
}

void AdmmSubsystems::collect_sides(const Problem& problem, const SparseRows& j) {
  sides_.clear();
  side_start_.assign(1, 0);
  for (int c = 0; c < static_cast<int>(problem.constraints.size()); ++c) {
    for (int a = problem.attachment_start[at(c)]; a < problem.attachment_start[at(c) + 1]; ++a) {
      add_side(problem, j, c, problem.attachments[at(a)]);
    }
    side_start_.push_back(static_cast<int>(sides_.size()));
  }
  for (std::size_t m = 0; m < matrix_count_; ++m) matrices_[m]->finish();
}

void AdmmSubsystems::add_side(const Problem& problem, const SparseRows& j, int constraint, const Attachment& from) {
  const Block& block = problem.blocks[at(from.block)];
  const int first_link = link_start_[at(from.block)], subsystem = subsystem_[at(from.block)];
  if (first_link < 0) {
    // All that a constraint does to a matrix is one side.
    for (std::size_t s = at(side_start_.back()); s < sides_.size(); ++s) {
      if (sides_[s].kind == AdmmSideKind::Rows && sides_[s].target == subsystem) return;
    }
    matrices_[at(subsystem)]->add(problem, j, constraint);
  }
  AdmmSide& side = sides_.emplace_back();
  side.constraint = constraint;
  side.from = &from;
  if (first_link < 0) {
    side.target = subsystem;
  } else if (from.kind == AttachmentKind::LinkPoint || from.kind == AttachmentKind::LinkTurn) {
    side.kind = from.kind == AttachmentKind::LinkPoint ? AdmmSideKind::Point : AdmmSideKind::Turn;
    side.target = first_link + TreeBatch::kLanes * from.link;
  } else {
    side.kind = AdmmSideKind::Joint;
    Trees& trees = trees_[at(subsystem)];
    side.target = joint_start_[at(from.block)] + TreeBatch::kLanes * trees.batch.joint_of(from.dof);
    const TreeTopology& topology = *problem.trees[at(block.index)].topology;
    trees.joint_sides = true;
    trees.root_sides = trees.root_sides || topology.link_parent(topology.dof_link(from.dof)) < 0;
  }
}

/// Slots of one link or matrix lie side by side, in the order of the constraints; those of a joint in layers.
void AdmmSubsystems::place_slots() {
  push_start_.assign(twist_.size() + 1, 0);
  row_start_.assign(matrix_count_ + 1, 0);
  joint_layers_ = 0;
  next_.assign(at(joints_), 0);
  for (AdmmSide& side : sides_) {
    switch (side.kind) {
      case AdmmSideKind::Point:
      case AdmmSideKind::Turn: side.slot = push_start_[at(side.target) + 1]++; break;
      case AdmmSideKind::Rows: side.slot = row_start_[at(side.target) + 1]++; break;
      case AdmmSideKind::Joint: {
        const int layer = next_[at(side.target)]++;
        side.slot = layer * joints_ + side.target;
        joint_layers_ = std::max(joint_layers_, layer + 1);
      } break;
    }
  }
  std::partial_sum(push_start_.begin(), push_start_.end(), push_start_.begin());
  std::partial_sum(row_start_.begin(), row_start_.end(), row_start_.begin());
  for (AdmmSide& side : sides_) {
    if (side.kind == AdmmSideKind::Point || side.kind == AdmmSideKind::Turn) side.slot += push_start_[at(side.target)];
    if (side.kind == AdmmSideKind::Rows) side.slot += row_start_[at(side.target)];
  }
  pushes_.place(push_start_);
  row_push_.assign(at(row_start_.back()), {});
  joint_push_.assign(at(joint_layers_ * joints_), 0.0);
  joint_speed_.assign(at(joints_), 0.0);
}

int AdmmSubsystems::add_spare_joint_slot() {
  joint_push_.push_back(0.0);
  return static_cast<int>(joint_push_.size()) - 1;
}

/// A side's penalty becomes larger by `weight` times beta.
void AdmmSubsystems::add_penalty(const AdmmSide& side, double weight) {
  switch (side.kind) {
    case AdmmSideKind::Point: point_masses_[at(side.target)].add_point_mass(weight, side.from->point); break;
    case AdmmSideKind::Turn: point_masses_[at(side.target)].rotational.diagonal += Vec3{weight, weight, weight}; break;
    case AdmmSideKind::Joint: joint_masses_[at(side.target)] += weight * square(side.from->coefficient); break;
    case AdmmSideKind::Rows: break;
  }
}

void AdmmSubsystems::set_weight(int index, double weight) {
  AdmmSide& side = sides_[at(index)];
  add_penalty(side, weight - side.weight);
  side.weight = weight;
  if (side.kind != AdmmSideKind::Rows) return;
  matrices_[at(side.target)]->set_weight(side.slot - row_start_[at(side.target)], weight);
}

void AdmmSubsystems::make_tasks(const Problem& problem) {
  worth_sharing_ = problem.n() >= (matrix_count_ > 1 ? kMatrixDofsWorthSharing : kDofsWorthSharing);
  tasks_.clear();
  int scratches = 0;
  for (int m = 0; m < static_cast<int>(matrix_count_); ++m) tasks_.push_back({BlockKind::Sparse, m, m + 1, -1, -1});
  const auto add = [&](BlockKind kind, int begin, int end) {
    tasks_.push_back({kind, begin, end, pushes_.add_part(links_), kind == BlockKind::Tree ? scratches++ : -1});
    links_.clear();
  };
  links_.clear();
  int dofs = 0;
  for (int t = 0, begin = 0; t < static_cast<int>(tree_count_); ++t) {
    const Trees& trees = trees_[at(t)];
    for (int i = 0; i < trees.count; ++i) add_links(problem, trees.block[i]);
    dofs += trees.count * problem.blocks[at(trees.block[0])].size;
    const bool goes_on = dofs < kTreeDofsPerTask || !worth_sharing_;
    if (goes_on && t + 1 < static_cast<int>(tree_count_)) continue;
    if (scratch_.size() == at(scratches)) scratch_.emplace_back();
    for (int i = begin; i <= t; ++i) scratch_[at(scratches)].make_room_for(trees_[at(i)].batch);
    add(BlockKind::Tree, begin, t + 1);
    begin = t + 1;
    dofs = 0;
  }
  const int bodies = static_cast<int>(bodies_.size()), most = worth_sharing_ ? kBodiesPerTask : bodies;
  for (int i = 0; i < bodies; i += most) {
    const int end = std::min(bodies, i + most);
    for (int k = i; k < end; ++k) links_.push_back(bodies_[at(k)].link);
    add(BlockKind::FreeBody, i, end);
  }
  good_.assign(tasks_.size(), 1);
}

void AdmmSubsystems::add_links(const Problem& problem, int block) {
  const int first = link_start_[at(block)];
  const int count = problem.trees[at(problem.blocks[at(block)].index)].topology->links();
  for (int i = 0; i < count; ++i) links_.push_back(first + TreeBatch::kLanes * i);
}

template <typename Work>
void AdmmSubsystems::for_each_task(ThreadPool* pool, Work&& work) {
  const int count = static_cast<int>(tasks_.size());
  if (pool != nullptr && worth_sharing_) {
    pool->for_each(count, work);
  } else {
    for (int i = 0; i < count; ++i) work(i);
  }
}

bool AdmmSubsystems::factorize(const Problem& problem, double beta, ThreadPool* pool) {
  for_each_task(pool, [&](int i) {
    const Task& task = tasks_[at(i)];
    bool good = true;
    for (int k = task.begin; k < task.end; ++k) {
      if (task.kind == BlockKind::FreeBody) {
        FreeBody& body = bodies_[at(k)];
        SpatialInertia inertia = problem.bodies[at(problem.blocks[at(body.block)].index)];
        inertia += scaled(point_masses_[at(body.link)], beta);
        good = body.response.factorize(inertia) && good;
      } else if (task.kind == BlockKind::Tree) {
        good = factorize_trees(trees_[at(k)], beta, scratch_[at(task.scratch)]) && good;
      } else {
        good = matrices_[at(k)]->factorize(beta) && good;
      }
    }
    good_[at(i)] = good ? 1 : 0;
  });
  return std::all_of(good_.begin(), good_.end(), [](char good) { return good != 0; });
}

bool AdmmSubsystems::factorize_trees(Trees& trees, double beta, TreeBatch::Scratch& scratch) {
  return trees.batch.factorize(point_masses_.data() + trees.first_link, joint_masses_.data() + trees.first_joint, beta,
                               trees.root_sides, scratch);
}

void AdmmSubsystems::solve(const Problem& problem, ThreadPool* pool) {
  for_each_task(pool, [&](int i) {
    const Task& task = tasks_[at(i)];
    if (task.sums >= 0) pushes_.add_up(task.sums);
    switch (task.kind) {
      case BlockKind::FreeBody: solve_bodies(task.begin, task.end); break;
      case BlockKind::Tree:
        for (int k = task.begin; k < task.end; ++k) solve_trees(trees_[at(k)], scratch_[at(task.scratch)]);
        break;
      case BlockKind::Nodal:
      case BlockKind::Sparse:
        for (int k = task.begin; k < task.end; ++k) {
          matrices_[at(k)]->solve(problem, row_push_.data() + row_start_[at(k)], v_.data());
        }
        break;
    }
  });
}

void AdmmSubsystems::solve_bodies(int begin, int end) {
  for (int k = begin; k < end; ++k) {
    const FreeBody& body = bodies_[at(k)];
    twist_[at(body.link)] = Six(body.response.move(pushes_.sum_on(body.link).force()));
  }
}

void AdmmSubsystems::solve_trees(Trees& trees, TreeBatch::Scratch& scratch) {
  TreeBatch::JointLanes joints;
  if (trees.joint_sides) {
    joints.pushes = joint_push_.data() + trees.first_joint;
    joints.layers = joint_layers_;
    joints.stride = at(joints_);
    joints.speeds = joint_speed_.data() + trees.first_joint;
  }
  trees.batch.solve(pushes_.pushes(), joints, twist_.data() + trees.first_link, scratch);
}

void AdmmSubsystems::set_velocity(const Problem& problem, std::span<const double> v) {
  std::copy(v.begin(), v.end(), v_.begin());
  for (const FreeBody& body : bodies_) {
    const double* part = &v[at(problem.blocks[at(body.block)].offset)];
    twist_[at(body.link)] = Six(Vec3::from(part + 3), Vec3::from(part));
  }
  for (std::size_t b = 0; b < problem.blocks.size(); ++b) {
    const Block& block = problem.blocks[b];
    if (block.kind != BlockKind::Tree || link_start_[b] < 0) continue;
    const TreeInertia& tree = problem.trees[at(block.index)];
    const TreeTopology& topology = *tree.topology;
    const double* part = &v[at(block.offset)];
    Six* twist = twist_.data() + link_start_[b];
    for (int i = 0; i < topology.links(); ++i) {
      const int parent = topology.link_parent(i);
      Motion motion = parent < 0 ? Motion{} : twist[TreeBatch::kLanes * parent].motion();
      for (int d = topology.dof_begin(i); d < topology.dof_begin(i + 1); ++d) motion += tree.subspace[at(d)] * part[d];
      twist[TreeBatch::kLanes * i] = Six(motion);
    }
    const TreeBatch& batch = trees_[at(subsystem_[b])].batch;
    for (int d = 0; d < block.size; ++d) {
      joint_speed_[at(joint_start_[b] + TreeBatch::kLanes * batch.joint_of(d))] = part[d];
    }
  }
}

Vec3 AdmmSubsystems::velocity(const AdmmSide& side) const {
  const Attachment& from = *side.from;
  switch (side.kind) {
    case AdmmSideKind::Point:
      return transpose_times(from.frame, velocity_at(twist_[at(side.target)].motion(), from.point)) * from.sign;
    case AdmmSideKind::Turn: return transpose_times(from.frame, twist_[at(side.target)].motion().angular) * from.sign;
    case AdmmSideKind::Joint: return {0, 0, from.coefficient * joint_speed_[at(side.target)]};
    case AdmmSideKind::Rows: break;
  }
  return matrices_[at(side.target)]->velocity(side.slot - row_start_[at(side.target)], v_.data());
}

void AdmmSubsystems::push(const AdmmSide& side, const Vec3& g) {
  const Attachment& from = *side.from;
  switch (side.kind) {
    case AdmmSideKind::Point:
      pushes_.slots()[at(side.slot)] = Six(force_at(from.frame * g * from.sign, from.point));
      break;
    case AdmmSideKind::Turn: pushes_.slots()[at(side.slot)] = Six(Force{from.frame * g * from.sign, {}}); break;
    case AdmmSideKind::Joint: joint_push_[at(side.slot)] = from.coefficient * g.z(); break;
    case AdmmSideKind::Rows: row_push_[at(side.slot)] = g; break;
  }
}

}  // namespace uzawa
