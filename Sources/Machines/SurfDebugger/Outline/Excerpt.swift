import JSONTools
import JSONTree
import Redaction

/// The beginning of a value as text, for one line of a screen. The cost depends on the length
/// shown, not on the value's size.
package struct Excerpt {
  private var text = ""
  private var room: Int
  private var isCut = false

  /// At most `limit` scalars, then `…` if something was cut.
  package static func text(_ value: JSON, limit: Int = 200) -> String {
    var excerpt = Excerpt(room: max(1, limit))
    excerpt.add(value)
    return excerpt.isCut ? excerpt.text + "…" : excerpt.text
  }

  package static func text(_ whole: String, limit: Int = 200) -> String {
    var excerpt = Excerpt(room: max(1, limit))
    excerpt.add(whole)
    return excerpt.isCut ? excerpt.text + "…" : excerpt.text
  }

  private init(room: Int) { self.room = room }

  private mutating func add(_ value: JSON) {
    // Protocol.md §8.6 requires a form that no value of an app can have.
    if let kind = value.marked { return add("‹redacted \(kind)›") }
    switch value {
    case .null: add("null")
    case .bool(let bool): add(bool ? "true" : "false")
    case .number(let number): add(number.literal)
    case .string(let string): quote(string)
    case .array(let elements): list(elements, "[", "]") { $0.add($1) }
    case .object(let object):
      list(object.members, "{", "}") { excerpt, member in
        let isWord = JSONPath.isWord(member.key)
        if isWord { excerpt.add(member.key) } else { excerpt.quote(member.key) }
        excerpt.add(": ")
        excerpt.add(member.value)
      }
    }
  }

  /// Counts scalars, because one character may be as long as the text.
  private mutating func add(_ part: String) {
    let shown = part.unicodeScalars.prefix(room)
    text.unicodeScalars.append(contentsOf: shown)
    room -= shown.count
    isCut = isCut || shown.endIndex < part.unicodeScalars.endIndex
  }

  private mutating func quote(_ string: String) {
    let head = String(string.unicodeScalars.prefix(room + 1))
    add(JSON.string(head).text())
  }

  private mutating func list<Element>(
    _ elements: [Element], _ open: String, _ close: String,
    _ add: (inout Excerpt, Element) -> Void
  ) {
    self.add(open)
    for (index, element) in elements.enumerated() {
      guard room > 0 else { break }
      if index > 0 { self.add(", ") }
      add(&self, element)
    }
    self.add(close)
  }
}
