import JSONTree
import SurfBasics

/// Replaces the marks in one document for `JSAN.plain`. The maps and sets in it contain documents
/// of their own, each with its own restorer.
struct JSANRestorer {
  private var paths = JSANPaths()
  /// The nodes from the root to the current value.
  private var open: Set<Int> = []
  private var depth = 0
  private var copyBudget = JSAN.copiedByteCountMax
  /// Whether the current value belongs to a copy, which counts against `copyBudget`.
  private var isCopying = false

  init(document: JSON) {
    collect(document, depth: 0)
    paths.capture(document)
  }

  private mutating func collect(_ json: JSON, depth: Int) {
    guard depth <= JSON.depthMax else { return }
    switch json {
    case .array(let elements):
      for element in elements { collect(element, depth: depth + 1) }
    case .object(let object):
      if let mark = JSAN.mark(json) {
        if mark.utf8.first == UInt8(ascii: "$") { _ = paths.insert(mark) }
      } else {
        for member in object.members { collect(JSAN.original(member), depth: depth + 1) }
      }
    case .null, .bool, .number, .string: break
    }
  }

  /// `json` without marks. `node` is its place, if a reference leads there or below.
  mutating func restore(_ json: JSON, at node: Int?) -> JSON {
    guard pay(for: json) else { return .null }
    if let mark = JSAN.mark(json) { return restore(mark: mark) ?? json }
    if json.isScalar { return json }
    guard depth < JSON.depthMax else { return .null }
    depth += 1
    let isNew = node.map { open.insert($0).inserted } ?? false
    defer {
      depth -= 1
      if isNew, let node { open.remove(node) }
    }
    return restore(container: json, at: node)
  }

  private mutating func restore(container: JSON, at node: Int?) -> JSON {
    switch container {
    case .array(let elements):
      return .array(
        elements.enumerated().map { index, element in
          restore(element, at: node == nil ? nil : paths.child(of: node, String(index)))
        })
    case .object(let object):
      let members = object.members.compactMap { member -> JSONObject.Member? in
        let value = JSAN.original(member)
        guard JSAN.mark(value) != "u" else { return nil }
        let child = paths.child(of: node, member.key)
        return JSONObject.Member(key: member.key, value: restore(value, at: child))
      }
      return .object(JSONObject(members))
    case .null, .bool, .number, .string: return container
    }
  }

  /// Charges a copied value to `copyBudget`; false once that is spent. Charges all elements of a
  /// container together, so that the work beyond the limit is bounded, too.
  private mutating func pay(for json: JSON) -> Bool {
    guard isCopying else { return true }
    switch json {
    case .null, .bool: copyBudget -= 1
    case .number(let number): copyBudget -= number.literal.utf8.count
    case .string(let text): copyBudget -= text.utf8.count + 2
    case .array(let elements): copyBudget -= elements.count + 2
    case .object(let object): copyBudget -= object.members.reduce(2) { $0 + $1.key.utf8.count + 4 }
    }
    copyBudget = max(copyBudget, -1)
    return copyBudget >= 0
  }
}

extension JSANRestorer {
  /// The value that a mark stands for; `nil` if the mark is unknown.
  private mutating func restore(mark: String) -> JSON? {
    let rest = mark.utf8.dropFirst()
    switch mark.utf8.first {
    case UInt8(ascii: "$"): return restore(reference: mark)
    case UInt8(ascii: "u") where rest.isEmpty, UInt8(ascii: "n") where rest.isEmpty,
      UInt8(ascii: "i") where rest.isEmpty, UInt8(ascii: "y") where rest.isEmpty:
      return .null
    case UInt8(ascii: "d"):
      return date(String(Substring(rest)))
    case UInt8(ascii: "r"), UInt8(ascii: "e"), UInt8(ascii: "s"), UInt8(ascii: "g"),
      UInt8(ascii: "f"):
      return .string(String(Substring(rest)))
    case UInt8(ascii: "m"): return restore(inner: rest).map { map($0.marked, $0.plain) }
    case UInt8(ascii: "l"): return restore(inner: rest).map { .array($0.plain) }
    default: return nil
    }
  }

  /// The date for milliseconds since 1970; null if JavaScript calls it invalid.
  private func date(_ milliseconds: String) -> JSON {
    JSONNumber(literal: milliseconds)?.integer.flatMap(CalendarDay.javaScriptText).map {
      .string($0)
    }
      ?? .null
  }

  private mutating func restore(reference: String) -> JSON {
    guard depth < JSON.depthMax, let node = paths.find(reference), let value = paths[node],
      !open.contains(node)
    else { return .null }
    let wasCopying = isCopying
    // References to references recurse, too, and can form a cycle without any container.
    let isContainer = !value.isScalar && JSAN.mark(value) == nil
    if !isContainer { open.insert(node) }
    isCopying = true
    depth += 1
    defer {
      depth -= 1
      isCopying = wasCopying
      if !isContainer { open.remove(node) }
    }
    return restore(value, at: node)
  }

  /// Restores the array in a `Map`'s or `Set`'s text. It is a document of its own, and references
  /// in it start at this array.
  private mutating func restore(
    inner text: some Collection<UInt8>
  ) -> (marked: [JSON], plain: [JSON])? {
    guard let document = JSON(ifValid: text), let marked = document.array else { return nil }
    var inner = JSANRestorer(document: document)
    (inner.depth, inner.copyBudget, inner.isCopying) = (depth, copyBudget, isCopying)
    let plain = inner.restore(document, at: JSANPaths.root)
    copyBudget = inner.copyBudget
    guard let elements = plain.array else { return (marked, []) }
    return (marked, elements)
  }

  /// The pairs of a `Map` as an object, or as they are unless all keys are strings.
  private func map(_ marked: [JSON], _ pairs: [JSON]) -> JSON {
    var members: [JSONObject.Member] = []
    for (marked, pair) in zip(marked, pairs) {
      guard let pair = pair.array, pair.count == 2, let key = pair[0].string else {
        return .array(pairs)
      }
      if let marked = marked.array, marked.count == 2, JSAN.mark(marked[1]) == "u" {
        continue
      }
      members.append(JSONObject.Member(key: key, value: pair[1]))
    }
    return .object(JSONObject(members))
  }
}

/// Removes the marks that a DevTools panel's library `jsan` writes for values that JSON lacks, such
/// as `{"$jsan":"u"}` for `undefined`.
package enum JSAN {
  /// The approximate limit on bytes of JSON copied for references.
  package static let copiedByteCountMax = 8 << 20

  /// `json` without marks:
  /// - `undefined` is dropped from objects and becomes `null` elsewhere. NaN and infinities become
  ///   `null`.
  /// - A date becomes ISO 8601 text, as `JSON.stringify` writes it, because a Swift decoder would
  ///   read its milliseconds since 1970 as seconds since 2001. An invalid date becomes `null`.
  /// - A regular expression, error, symbol or function becomes its text.
  /// - A `Map` becomes an object if all keys are strings, else an array of pairs. A `Set` becomes
  ///   an array.
  /// - A reference becomes a copy of its target, or `null` if it is cyclic or dangling, or nested
  ///   deeper than `JSON.depthMax`, or if all copies exceed `copiedByteCountMax`.
  ///
  /// An object with an unknown mark stays as it is. Never traps.
  package static func plain(_ json: JSON) -> JSON {
    var restorer = JSANRestorer(document: json)
    return restorer.restore(json, at: JSANPaths.root)
  }

  /// The text of a mark; `nil` if `json` is not one.
  static func mark(_ json: JSON) -> String? {
    guard let object = json.object, object.members.count == 1,
      let member = object.members.first, member.key == "$jsan"
    else { return nil }
    return member.value.string
  }

  /// The member's value, unwrapped: `jsan` sends an ordinary value under the key `$jsan` in an
  /// array.
  static func original(_ member: JSONObject.Member) -> JSON {
    guard member.key == "$jsan", let elements = member.value.array, elements.count == 1
    else { return member.value }
    return elements[0]
  }
}
