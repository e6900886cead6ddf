import JSONTree

/// The paths that a document's references name, such as `$.a[0]["b c"]`, as one tree with the
/// values there, for `JSANRestorer`.
///
/// One pass over the document finds all values. A search for each path would be quadratic.
struct JSANPaths {
  /// The node of the whole document.
  static let root = 0

  private var children: [[String: Int]] = [[:]]
  private var values: [JSON?] = [nil]

  /// Adds the node of a path if it is new, and returns it; `nil` if `text` is not a path.
  mutating func insert(_ text: String) -> Int? {
    guard let tokens = Self.tokens(text) else { return nil }
    var node = Self.root
    for token in tokens {
      if let child = children[node][token] {
        node = child
      } else {
        children.append([:])
        values.append(nil)
        children[node][token] = children.count - 1
        node = children.count - 1
      }
    }
    return node
  }

  /// The node of a path that was inserted.
  func find(_ text: String) -> Int? {
    guard let tokens = Self.tokens(text) else { return nil }
    return tokens.reduce(Self.root) { node, token in child(of: node, token) }
  }

  func child(of node: Int?, _ token: String) -> Int? {
    node.flatMap { children[$0][token] }
  }

  /// The value at `node`, after `capture`.
  subscript(node: Int) -> JSON? { values[node] }

  /// Stores `json` as the value at `node`, and its parts at the nodes below.
  mutating func capture(_ json: JSON, at node: Int = root) {
    values[node] = json
    // The recursion ends where the tree of paths does.
    guard !children[node].isEmpty else { return }
    switch json {
    case .array(let elements):
      for (token, child) in children[node] {
        guard let index = Int(token), elements.indices.contains(index) else { continue }
        capture(elements[index], at: child)
      }
    case .object(let object):
      for member in object.members {
        guard let child = children[node][member.key] else { continue }
        capture(JSAN.original(member), at: child)
      }
    default: break
    }
  }
}

extension JSANPaths {
  /// The keys and indexes of a path; `nil` if `text` is not one.
  static func tokens(_ text: String) -> [String]? {
    guard text == "$" || text.hasPrefix("$.") || text.hasPrefix("$[") else { return nil }
    return JSONPath(parsing: text)?.pointer.tokens
  }
}
