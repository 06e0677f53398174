#include <cmath>
#include <nlohmann/json.hpp>
#include <ostream>

#include "uzawa/base/at.hpp"
#include "uzawa/math/nodal/nodal_rows.hpp"
#include "uzawa/problem/constraint_law.hpp"
#include "uzawa/problem_io/file_formats.hpp"
#include "uzawa/problem_io/triplets.hpp"

namespace uzawa {

namespace {

using Json = nlohmann::ordered_json;

/// Shortest decimals that read back as the same bits. Text that is not UTF-8 has no JSON form: marked, not fatal.
std::string dump(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

Json to_json(const Vec3& v) { return {v.x(), v.y(), v.z()}; }

Json to_json(const SparseRows& rows) {
  const Triplets t = expand(rows);
  return {{"shape", {t.rows, t.columns}}, {"i", t.i}, {"j", t.j}, {"x", t.x}};
}

Json to_json(const SpatialInertia& inertia) {
  Json out{inertia.mass};
  for (const Vec3& v : {inertia.first, inertia.rotational.diagonal, inertia.rotational.off}) {
    for (int k = 0; k < 3; ++k) out.push_back(v[k]);
  }
  return out;
}

Json to_json(const TreeInertia& tree) {
  Json parents = Json::array(), dofs = Json::array(), subspace = Json::array(), inertia = Json::array();
  for (int link = 0; link < tree.topology->links(); ++link) {
    parents.push_back(tree.topology->link_parent(link));
    dofs.push_back(tree.topology->dof_begin(link + 1) - tree.topology->dof_begin(link));
    inertia.push_back(to_json(tree.inertia[at(link)]));
  }
  for (const Motion& s : tree.subspace) {
    subspace.push_back({s.angular.x(), s.angular.y(), s.angular.z(), s.linear.x(), s.linear.y(), s.linear.z()});
  }
  return {{"kind", "tree"},       {"parents", parents}, {"dofs", dofs},
          {"subspace", subspace}, {"inertia", inertia}, {"diagonal", tree.diagonal}};
}

Json to_json(const NodalMatrix& matrix) {
  SparseRows lower;
  lower.clear(3 * matrix.nodes());
  append_lower_rows(matrix, 0, lower);
  return to_json(from_lower_triangle(lower));
}

Json to_json(const NodalPieces& pieces) {
  Json out = Json::array();
  for (std::size_t p = 0; p < pieces.part.size(); ++p) {
    const NodalPieceLayout::Piece& piece = pieces.layout->pieces[p];
    out.push_back({{"nodes", piece.node}, {"shares", piece.share}, {"A", to_json(pieces.part[p])}});
  }
  return out;
}

Json to_json(const Problem& problem, int number) {
  const Block& block = problem.blocks[at(number)];
  switch (block.kind) {
    case BlockKind::FreeBody: return {{"kind", "body"}, {"inertia", to_json(problem.bodies[at(block.index)])}};
    case BlockKind::Tree: return to_json(problem.trees[at(block.index)]);
    case BlockKind::Nodal: {
      Json out{{"kind", "nodal"}, {"size", block.size}, {"A", to_json(problem.nodal[at(block.index)])}};
      for (const BlockPieces& of : problem.pieces) {
        if (of.block == number) out["pieces"] = to_json(of.pieces);
      }
      return out;
    }
    case BlockKind::Sparse: break;
  }
  const SparseRows whole = from_lower_triangle(problem.sparse[at(block.index)].lower);
  return {{"kind", "sparse"}, {"size", block.size}, {"A", to_json(whole)}};
}

Json to_json(const Mat3& frame) { return {to_json(frame.col[0]), to_json(frame.col[1]), to_json(frame.col[2])}; }

Json nodes_to_json(const Attachment& a) {
  Json nodes = Json::array(), weights = Json::array();
  for (std::size_t i = 0; i < a.node.size() && a.node[i] >= 0; ++i) {
    nodes.push_back(a.node[i]);
    weights.push_back(a.weight[i]);
  }
  Json out{{"kind", "nodes"}, {"block", a.block}, {"nodes", nodes}, {"weights", weights}};
  out["frame"] = to_json(a.frame);
  out["sign"] = a.sign;
  if (a.turning >= 0) {
    out["turning"] = a.turning;
    out["point"] = to_json(a.point);
  }
  return out;
}

Json to_json(const Problem& problem, const Attachment& a) {
  switch (a.kind) {
    case AttachmentKind::Nodes: return nodes_to_json(a);
    case AttachmentKind::LinkPoint:
      return {{"kind", "point"},           {"block", a.block},          {"link", a.link},
              {"point", to_json(a.point)}, {"frame", to_json(a.frame)}, {"sign", a.sign}};
    case AttachmentKind::LinkTurn:
      return {{"kind", "turn"}, {"block", a.block}, {"link", a.link}, {"frame", to_json(a.frame)}, {"sign", a.sign}};
    case AttachmentKind::Coordinate:
      return {{"kind", "coordinate"}, {"block", a.block}, {"dof", a.dof}, {"coefficient", a.coefficient}};
    case AttachmentKind::Rows: break;
  }
  return {{"kind", "rows"}, {"block", a.block}, {"J", to_json(problem.attachment_rows[at(a.entries)])}};
}

/// Infinity has no JSON form; null is an open side.
Json open_or(double bound) { return std::isfinite(bound) ? Json(bound) : Json(nullptr); }

Json to_json(const ConstraintLaw& law) {
  Json out{{"kind", kind_name(law.kind)}};
  switch (law.kind) {
    case ConstraintKind::Contact:
      out["mu"] = law.cone.isotropic() ? Json(law.cone.mu1) : Json{law.cone.mu1, law.cone.mu2};
      out["e"] = to_json(law.e);
      break;
    case ConstraintKind::Hard:
    case ConstraintKind::Equality: out["e"] = law.e.z(); break;
    case ConstraintKind::Soft:
      out["e"] = law.e.z();
      out["k"] = law.k;
      out["b"] = law.b;
      break;
    case ConstraintKind::Limit:
      out["lower"] = open_or(law.lower);
      out["upper"] = open_or(law.upper);
      break;
    case ConstraintKind::Friction: out["bound"] = law.bound; break;
    case ConstraintKind::Moment:
      out["roll"] = law.moment.roll().isotropic() ? Json(law.moment.roll1) : Json{law.moment.roll1, law.moment.roll2};
      out["spin"] = law.moment.spin;
      if (dot(law.e, law.e) > 0) out["e"] = to_json(law.e);
      break;
  }
  return out;
}

/// One entry a line, so that files can be read and compared.
template <typename Entry>
void write_list(std::ostream& stream, const char* key, std::size_t count, Entry entry) {
  stream << ",\n\"" << key << "\": [";
  for (std::size_t i = 0; i < count; ++i) stream << (i == 0 ? "\n" : ",\n") << dump(entry(i));
  stream << "]";
}

}  // namespace

void write_json(const Problem& problem, std::ostream& stream) {
  stream << "{\"format\": \"uzawa-problem/1\"";
  if (!problem.name.empty()) stream << ",\n\"name\": " << dump(problem.name);
  if (!problem.comment.empty()) stream << ",\n\"comment\": " << dump(problem.comment);
  if (problem.dt != 0) stream << ",\n\"dt\": " << dump(problem.dt);
  stream << ",\n\"n\": " << problem.n() << ",\n\"b\": " << dump(problem.b);
  write_list(stream, "blocks", problem.blocks.size(),
             [&](std::size_t i) { return to_json(problem, static_cast<int>(i)); });
  write_list(stream, "constraints", problem.constraints.size(), [&](std::size_t c) {
    Json out = to_json(law_of(problem, static_cast<int>(c)));
    Json attachments = Json::array();
    for (int a = problem.attachment_start[c]; a < problem.attachment_start[c + 1]; ++a) {
      attachments.push_back(to_json(problem, problem.attachments[at(a)]));
    }
    out["attachments"] = attachments;
    return out;
  });
  stream << "}\n";
}

}  // namespace uzawa
