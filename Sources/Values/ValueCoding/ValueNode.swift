import JSONTree

/// A value in a tree that `TreeEncoder` makes, and its text.
final class ValueNode {
  enum Content {
    case nothing
    case text([UInt8])
    case object([ExactText: ValueNode])
    case array([ValueNode])
  }

  var content = Content.nothing
  /// Whether another value was encoded in its place.
  var isTaken = false

  func write(to text: inout TextBuffer, _ form: WritingForm) {
    switch content {
    case .nothing: text.append("{}")
    case .text(let octets): text.append(octets)
    case .array(let elements):
      text.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { text.append(UInt8(ascii: ",")) }
        element.write(to: &text, form)
      }
      text.append(UInt8(ascii: "]"))
    case .object(let members):
      text.append(UInt8(ascii: "{"))
      let names = members.keys.sorted { $0.text.utf8.lexicographicallyPrecedes($1.text.utf8) }
      for (index, name) in names.enumerated() {
        if index > 0 { text.append(UInt8(ascii: ",")) }
        text.append(quoted: name.text, escapesSlashes: form.escapesSlashes)
        text.append(UInt8(ascii: ":"))
        members[name]?.write(to: &text, form)
      }
      text.append(UInt8(ascii: "}"))
    }
  }
}
