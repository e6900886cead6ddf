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
    var rest = Array(text.utf8)[...]
    guard rest.popFirst() == UInt8(ascii: "$") else { return nil }
    var tokens: [String] = []
    while !rest.isEmpty {
      guard let token = token(&rest) else { return nil }
      tokens.append(token)
    }
    return tokens
  }

  private static func token(_ rest: inout ArraySlice<UInt8>) -> String? {
    if rest.first == UInt8(ascii: ".") {
      rest.removeFirst()
      return take(&rest, while: isWord)
    }
    guard rest.popFirst() == UInt8(ascii: "[") else { return nil }
    let isQuoted = rest.first == UInt8(ascii: "\"")
    let token = isQuoted ? quoted(&rest) : take(&rest) { 0x30...0x39 ~= $0 }
    return rest.popFirst() == UInt8(ascii: "]") ? token : nil
  }

  private static func take(
    _ rest: inout ArraySlice<UInt8>, while belongs: (UInt8) -> Bool
  ) -> String? {
    let token = rest.prefix(while: belongs)
    rest = rest[token.endIndex...]
    return token.isEmpty ? nil : String(decoding: token, as: UTF8.self)
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5a, 0x5f, 0x61...0x7a: true
    default: false
    }
  }

  private static func quoted(_ rest: inout ArraySlice<UInt8>) -> String? {
    var end = rest.startIndex + 1
    while end < rest.endIndex, rest[end] != UInt8(ascii: "\"") {
      end += rest[end] == UInt8(ascii: "\\") ? 2 : 1
    }
    guard end < rest.endIndex else { return nil }
    let literal = rest[...end]
    rest = rest[(end + 1)...]
    guard let key = JSON(ifValid: literal)?.string else { return nil }
    return key
  }
}
