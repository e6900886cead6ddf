import JSONTools
import JSONTree
import SurfWire

/// Which values a person wants: those of a name and below it, or a place in one.
package struct ValuePath: Equatable, Sendable {
  let text: String

  package init(text: String) { self.text = text }

  enum Found {
    case nothing
    case one(JSON)
    case several([(name: String, json: JSON)])
  }

  /// The longest name that the path begins with counts; what follows leads into its value.
  func find(in values: [(name: String, json: JSON)]) -> Found {
    let name = ValueName(text)
    let below = values.filter { ValueName($0.name).isOrIsBelow(name) }
    if below.count > 1 || (below.count == 1 && below[0].name != text) { return .several(below) }
    let owner = values.filter { text.hasPrefix($0.name) }.max { $0.name.count < $1.name.count }
    guard let owner else { return .nothing }
    let rest = text.dropFirst(owner.name.count)
    guard rest.isEmpty || rest.first == "." || rest.first == "[",
      let path = JSONPath(parsing: rest.first == "." ? rest.dropFirst() : rest)
    else { return .nothing }
    return owner.json[path.pointer].map { .one($0) } ?? .nothing
  }

  /// Whether a record of a value may change what stands here.
  func concerns(_ record: Record) -> Bool {
    let name = ValueName(record.name)
    if name.isOrIsBelow(ValueName(text)) { return true }
    let rest = text.dropFirst(record.name.count)
    return text.hasPrefix(record.name) && [".", "[", "/"].contains(rest.first)
  }
}
