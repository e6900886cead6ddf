import JSONTree
import SurfBasics

/// Replaces the marks in one document; other restorers do so in the text of its maps and sets.
struct JSANRestorer {
  private let bareReferences: Bool
  private var paths = JSANPaths()
  /// The nodes on the way to the present value.
  private var open: Set<Int> = []
  private var depth = 0
  private var room = JSAN.copiedByteCountMax
  /// Whether the value belongs to a copy, which counts against `room`.
  private var isCopying = false

  init(document: JSON, bareReferences: Bool) {
    self.bareReferences = bareReferences
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
    case .string(let text):
      if isBareReference(text) { _ = paths.insert(text) }
    case .null, .bool, .number: break
    }
  }

  /// A `$` alone is not a reference here: in a user's text it is money.
  private func isBareReference(_ text: String) -> Bool {
    bareReferences && text.utf8.first == UInt8(ascii: "$") && text.utf8.count > 1
  }

  /// `json` without marks; `node` is its place, if any reference leads there or further in.
  mutating func restore(_ json: JSON, at node: Int?) -> JSON {
    guard pay(for: json) else { return .null }
    if let mark = JSAN.mark(json) { return restore(mark: mark) ?? json }
    switch json {
    case .null, .bool, .number: return json
    case .string(let text): return restore(bare: text) ?? json
    case .array, .object: break
    }
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

  /// Counts a value of a copy; false if there is no room for it. A list is counted as a whole, so
  /// that the work behind the limit is bounded, too.
  private mutating func pay(for json: JSON) -> Bool {
    guard isCopying else { return true }
    switch json {
    case .null, .bool: room -= 1
    case .number(let number): room -= number.literal.utf8.count
    case .string(let text): room -= text.utf8.count + 2
    case .array(let elements): room -= elements.count + 2
    case .object(let object): room -= object.members.reduce(2) { $0 + $1.key.utf8.count + 4 }
    }
    room = max(room, -1)
    return room >= 0
  }
}

extension JSANRestorer {
  /// The value that `mark` stands for; `nil` if it is unknown.
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

  /// The date of so many milliseconds since 1970; null if JavaScript calls it invalid.
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
    // References to references lead down, too, and may be a cycle without any container.
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

  private mutating func restore(bare text: String) -> JSON? {
    guard isBareReference(text), let node = paths.find(text), paths[node] != nil else { return nil }
    return restore(reference: text)
  }

  /// The elements of the array that `text` writes, a document of its own, whose references begin
  /// at that array.
  private mutating func restore(
    inner text: some Collection<UInt8>
  ) -> (marked: [JSON], plain: [JSON])? {
    guard let document = JSON(ifValid: text), let marked = document.array else { return nil }
    var inner = JSANRestorer(document: document, bareReferences: bareReferences)
    (inner.depth, inner.room, inner.isCopying) = (depth, room, isCopying)
    let plain = inner.restore(document, at: JSANPaths.root)
    room = inner.room
    guard let elements = plain.array else { return (marked, []) }
    return (marked, elements)
  }

  /// The pairs of a `Map` as an object, if all keys are strings.
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

/// The marks that the panel puts into JSON for values that JSON has no form for, as its library
/// `jsan` writes them: `{"$jsan":"u"}` for `undefined`.
package enum JSAN {
  /// About how many bytes of JSON may come from copying referenced values.
  package static let copiedByteCountMax = 8 << 20

  /// `json` without marks:
  /// - `undefined` goes from objects, and is `null` elsewhere; NaN and infinities are `null`;
  /// - a date is ISO 8601, as `JSON.stringify` writes it: its milliseconds since 1970 would be read
  ///   as seconds since 2001; an invalid date is `null`;
  /// - a regular expression, error, symbol or function is the text that stands for it;
  /// - a `Map` is an object if all keys are strings, else an array of pairs; a `Set` is an array;
  /// - a reference is a copy of the value there; `null` where it leads back into itself, to
  ///   nothing, deeper than `JSON.depthMax`, or beyond `copiedByteCountMax` in all.
  ///
  /// With `bareReferences`, a string that writes a path to a value (`"$.a.b"`) is a reference, too.
  /// The panel does not send such strings, and a user's text may look like one.
  ///
  /// An object with an unknown mark stays as it is. Never traps.
  package static func plain(_ json: JSON, bareReferences: Bool = false) -> JSON {
    var restorer = JSANRestorer(document: json, bareReferences: bareReferences)
    return restorer.restore(json, at: JSANPaths.root)
  }

  /// The text of a mark; `nil` if `json` is not one.
  static func mark(_ json: JSON) -> String? {
    guard let object = json.object, object.members.count == 1,
      let member = object.members.first, member.key == "$jsan"
    else { return nil }
    return member.value.string
  }

  /// The member's value; a value named `$jsan` that is not a mark was sent in an array.
  static func original(_ member: JSONObject.Member) -> JSON {
    guard member.key == "$jsan", let elements = member.value.array, elements.count == 1
    else { return member.value }
    return elements[0]
  }
}
