#include <algorithm>
#include <array>
#include <istream>
#include <limits>
#include <map>
#include <numeric>

#include "uzawa/base/error.hpp"
#include "uzawa/math/nodal/nodal_rows.hpp"
#include "uzawa/problem/constraint_law.hpp"
#include "uzawa/problem_io/file_formats.hpp"
#include "uzawa/problem_io/from_matrices.hpp"
#include "uzawa/problem_io/json_element.hpp"
#include "uzawa/problem_io/json_matrix.hpp"
#include "uzawa/problem_io/json_pieces.hpp"
#include "uzawa/problem_io/triplets.hpp"

namespace uzawa {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

FrictionCone read_cone(const JsonElement& element) {
  if (!element.is_array()) return {element.number(), element.number()};
  const std::vector<double> mu = element.numbers(2);
  return {mu[0], mu[1]};
}

/// Keys of the law of each kind, beside "kind" and the rows.
ConstraintLaw read_law(const JsonElement& element) {
  static const std::map<std::string, ConstraintKind> kKinds{
      {"contact", ConstraintKind::Contact}, {"hard", ConstraintKind::Hard},   {"equality", ConstraintKind::Equality},
      {"soft", ConstraintKind::Soft},       {"limit", ConstraintKind::Limit}, {"friction", ConstraintKind::Friction},
      {"moment", ConstraintKind::Moment}};
  const std::string name = element["kind"].text();
  const auto kind = kKinds.find(name);
  if (kind == kKinds.end()) element["kind"].fail("unknown kind \"" + name + "\"");
  ConstraintLaw law;
  law.kind = kind->second;
  switch (law.kind) {
    case ConstraintKind::Contact:
      element.require_keys({"kind", "J", "attachments", "e", "mu"});
      law.cone = read_cone(element["mu"]);
      law.e = element["e"].vec3();
      break;
    case ConstraintKind::Hard:
    case ConstraintKind::Equality:
      element.require_keys({"kind", "J", "attachments", "e"});
      law.e.set(2, element["e"].number());
      break;
    case ConstraintKind::Soft:
      element.require_keys({"kind", "J", "attachments", "e", "k", "b"});
      law.e.set(2, element["e"].number());
      law.k = element["k"].number();
      law.b = element["b"].number();
      break;
    case ConstraintKind::Limit:
      element.require_keys({"kind", "J", "attachments", "lower", "upper"});
      law.lower = element["lower"].is_null() ? -kInfinity : element["lower"].number();
      law.upper = element["upper"].is_null() ? kInfinity : element["upper"].number();
      break;
    case ConstraintKind::Friction:
      element.require_keys({"kind", "J", "attachments", "bound"});
      law.bound = element["bound"].number();
      break;
    case ConstraintKind::Moment: {
      element.require_keys({"kind", "J", "attachments", "roll", "spin", "e"});
      const FrictionCone roll = read_cone(element["roll"]);
      law.moment = {roll.mu1, roll.mu2, element["spin"].number()};
      if (element.has("e")) law.e = Vec3::from(element["e"].numbers(3).data());
      break;
    }
  }
  return law;
}

int dims(const ConstraintLaw& law) { return Problem::dims(law.kind); }

SpatialInertia read_inertia(const JsonElement& element) {
  const std::vector<double> ten = element.numbers(10);
  return {ten[0], Vec3::from(&ten[1]), {Vec3::from(&ten[4]), Vec3::from(&ten[7])}};
}

/// `left`: dofs that it may have at most.
TreeInertia read_tree(const JsonElement& element, int left) {
  element.require_keys({"kind", "parents", "dofs", "subspace", "inertia", "diagonal"});
  const std::vector<int> dofs = element["dofs"].integers(0, left);
  if (std::accumulate(dofs.begin(), dofs.end(), 0.0) > left) element["dofs"].fail("are more than b has left");
  const int links = static_cast<int>(dofs.size());
  std::shared_ptr<const TreeTopology> topology;
  try {
    topology = std::make_shared<const TreeTopology>(element["parents"].integers(-1, links - 1), dofs);
  } catch (const InputError& error) {
    if (error.source() == element.source()) throw;
    element.fail(error.what());
  }
  TreeInertia tree(topology);
  tree.diagonal = element["diagonal"].numbers(tree.diagonal.size());
  const JsonElement subspace = element["subspace"], inertia = element["inertia"];
  if (subspace.size() != tree.subspace.size()) subspace.fail("must have one entry a dof");
  if (inertia.size() != tree.inertia.size()) inertia.fail("must have one entry a link");
  for (std::size_t i = 0; i < tree.subspace.size(); ++i) {
    const std::vector<double> six = subspace[i].numbers(6);
    tree.subspace[i] = {Vec3::from(six.data()), Vec3::from(&six[3])};
  }
  for (std::size_t i = 0; i < tree.inertia.size(); ++i) tree.inertia[i] = read_inertia(inertia[i]);
  return tree;
}

/// One entry of "blocks"; takes its share of b.
void read_block(const JsonElement& element, const std::vector<double>& b, Problem& problem) {
  const int left = static_cast<int>(b.size()) - problem.n();
  const auto share = [&](int size) {
    if (size > left) element.fail("has " + std::to_string(size) + " dofs where b leaves " + std::to_string(left));
    const auto first = b.begin() + problem.n();
    return std::vector<double>(first, first + size);
  };
  const std::string kind = element["kind"].text();
  if (kind == "sparse" || kind == "nodal") {
    element.require_keys({"kind", "size", "A", "pieces"});
    const int size = element["size"].integer(1, std::numeric_limits<int>::max());
    const std::vector<double> impulse = share(size);
    const JsonElement a = element["A"];
    SparseRows lower = lower_triangle(read_matrix(a, size, size), a.source(), a.path());
    if (kind == "sparse") {
      if (element.has("pieces")) element["pieces"].fail("are of blocks of kind \"nodal\"");
      problem.add_sparse({std::move(lower)}, impulse);
    } else {
      if (size % 3 != 0) element["size"].fail("must be three times the number of nodes");
      problem.add_nodal(nodal_from_lower(lower), impulse);
      if (element.has("pieces")) {
        const int block = static_cast<int>(problem.blocks.size()) - 1;
        problem.pieces.push_back({block, read_pieces(element["pieces"], *problem.nodal.back().pattern)});
      }
    }
  } else if (kind == "body") {
    element.require_keys({"kind", "inertia"});
    std::array<double, 6> impulse{};
    const std::vector<double> part = share(6);
    std::copy(part.begin(), part.end(), impulse.begin());
    problem.add_body(read_inertia(element["inertia"]), impulse);
  } else if (kind == "tree") {
    TreeInertia tree = read_tree(element, left);
    const std::vector<double> impulse = share(tree.topology->dofs());
    problem.add_tree(std::move(tree), impulse);
  } else {
    element["kind"].fail("unknown kind \"" + kind + "\"");
  }
}

void read_frame(const JsonElement& element, Attachment& out) {
  const JsonElement frame = element["frame"];
  if (frame.size() != 3) frame.fail("must be the three vectors t1, t2, n");
  for (std::size_t k = 0; k < 3; ++k) out.frame.col[k] = frame[k].vec3();
  out.sign = element["sign"].number();
}

void read_nodes(const JsonElement& element, Attachment& out) {
  element.require_keys({"kind", "block", "nodes", "weights", "frame", "sign", "turning", "point"});
  out.kind = AttachmentKind::Nodes;
  const std::vector<int> nodes = element["nodes"].integers(0, std::numeric_limits<int>::max());
  if (nodes.empty() || nodes.size() > out.node.size()) element["nodes"].fail("must be one to four nodes");
  const std::vector<double> weights = element["weights"].numbers(nodes.size());
  std::copy(nodes.begin(), nodes.end(), out.node.begin());
  std::copy(weights.begin(), weights.end(), out.weight.begin());
  read_frame(element, out);
  if (element.has("turning")) {
    out.turning = element["turning"].integer(0, std::numeric_limits<int>::max());
    out.point = element["point"].vec3();
  }
}

Attachment read_attachment(const JsonElement& element, int rows, Problem& problem) {
  const std::string kind = element["kind"].text();
  const int block = element["block"].integer(0, static_cast<int>(problem.blocks.size()) - 1);
  Attachment out;
  out.block = block;
  if (kind == "rows") {
    element.require_keys({"kind", "block", "J"});
    return problem.explicit_rows(block,
                                 read_matrix(element["J"], rows, problem.blocks[static_cast<std::size_t>(block)].size));
  }
  if (kind == "coordinate") {
    element.require_keys({"kind", "block", "dof", "coefficient"});
    out.kind = AttachmentKind::Coordinate;
    out.dof = element["dof"].integer(0, std::numeric_limits<int>::max());
    out.coefficient = element["coefficient"].number();
  } else if (kind == "point") {
    element.require_keys({"kind", "block", "link", "point", "frame", "sign"});
    out.kind = AttachmentKind::LinkPoint;
    out.link = element["link"].integer(0, std::numeric_limits<int>::max());
    out.point = element["point"].vec3();
    read_frame(element, out);
  } else if (kind == "turn") {
    element.require_keys({"kind", "block", "link", "frame", "sign"});
    out.kind = AttachmentKind::LinkTurn;
    out.link = element["link"].integer(0, std::numeric_limits<int>::max());
    read_frame(element, out);
  } else if (kind == "nodes") {
    read_nodes(element, out);
  } else {
    element["kind"].fail("unknown kind \"" + kind + "\"");
  }
  return out;
}

/// General form with "blocks": A by blocks; each constraint with "attachments", or with "J" over all of v, which is
/// then cut along the blocks.
Problem read_blocks(const JsonElement& root, const std::vector<double>& b) {
  Problem problem;
  const JsonElement blocks = root["blocks"], constraints = root["constraints"];
  for (std::size_t i = 0; i < blocks.size(); ++i) read_block(blocks[i], b, problem);
  if (problem.n() != static_cast<int>(b.size())) {
    blocks.fail("have " + std::to_string(problem.n()) + " dofs where b has " + std::to_string(b.size()));
  }
  for (std::size_t i = 0; i < constraints.size(); ++i) {
    const JsonElement element = constraints[i];
    const ConstraintLaw law = read_law(element);
    if (element.has("J") == element.has("attachments")) element.fail("must have either \"J\" or \"attachments\"");
    std::vector<Attachment> attachments;
    if (element.has("J")) {
      attachments = attach_rows(problem, without_zeros(read_matrix(element["J"], dims(law), problem.n())));
    } else {
      const JsonElement list = element["attachments"];
      for (std::size_t k = 0; k < list.size(); ++k) attachments.push_back(read_attachment(list[k], dims(law), problem));
    }
    add_constraint(problem, law, attachments);
  }
  return problem;
}

Problem read_general(const JsonElement& root) {
  root.require_keys({"format", "name", "comment", "dt", "n", "A", "b", "blocks", "constraints"});
  const std::vector<double> b = root["b"].numbers();
  const int n = root["n"].integer(0, std::numeric_limits<int>::max());
  if (b.size() != static_cast<std::size_t>(n))
    root["b"].fail("has " + std::to_string(b.size()) + " numbers instead of n");
  if (root.has("blocks")) {
    if (root.has("A")) root["A"].fail("can't be beside \"blocks\", whose entries say A");
    return read_blocks(root, b);
  }
  const JsonElement list = root["constraints"];
  std::vector<MatrixConstraint> constraints;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const ConstraintLaw law = read_law(list[i]);
    if (list[i].has("attachments")) list[i].fail("\"attachments\" need \"blocks\"");
    constraints.push_back({law, without_zeros(read_matrix(list[i]["J"], dims(law), n))});
  }
  return from_matrices(read_matrix(root["A"], n, n), b, constraints, root.source());
}

Problem read_local(const JsonElement& root) {
  root.require_keys({"format", "name", "comment", "dt", "W", "q", "mu"});
  const std::vector<double> q = root["q"].numbers();
  const JsonElement mu = root["mu"];
  if (q.size() % 3 != 0 || mu.size() != q.size() / 3) root["mu"].fail("must have one entry for three of q");
  std::vector<FrictionCone> cones;
  for (std::size_t c = 0; c < mu.size(); ++c) cones.push_back(read_cone(mu[c]));
  const int size = static_cast<int>(q.size());
  return from_delassus(read_matrix(root["W"], size, size), q, cones, root.source());
}

}  // namespace

Problem read_json(std::istream& stream, const std::string& source) {
  const nlohmann::json document = parse_json(stream, source);
  const JsonElement root(document, source, "");
  if (root.has("format") && root["format"].text() != "uzawa-problem/1") {
    root["format"].fail("is not \"uzawa-problem/1\"");
  }
  Problem problem = root.has("W") ? read_local(root) : read_general(root);
  if (root.has("name")) problem.name = root["name"].text();
  if (root.has("comment")) problem.comment = with_note(root["comment"].text(), problem.comment);
  if (root.has("dt")) problem.dt = root["dt"].number();
  return problem;
}

}  // namespace uzawa
