import JSONTools
import JSONTree
import SurfControl

/// A panel's form for an action creator, as a person filled it in. Each value is the text of a
/// JavaScript value. `PanelInstance` and `DevTools` make an action of it.
package struct ActionCreatorCall: Equatable, Sendable {
  package var name: String
  /// One for each field; empty if the field was left empty.
  package var arguments: [String]
  /// The text of an array of further values.
  package var rest: String?

  package init(name: String, arguments: [String], rest: String? = nil) {
    self.name = name
    self.arguments = arguments
    self.rest = rest
  }

  /// The action, with the values as those of an enum's case. Throws if the form makes none.
  ///
  /// - Parameter labels: the labels of the values, `_` for none; nil if they are not known.
  package func action(labels: [String]? = nil) throws(RefusedCommand) -> JSON {
    var values: [JSON?] = []
    for (index, text) in arguments.enumerated() {
      values.append(text.isEmpty ? .none : .some(try value(text, "argument \(index + 1)")))
    }
    values += try restValues().map(Optional.some)
    if let labels, labels.contains(where: { $0 != "_" }) { return labelled(values, labels) }
    let given = values.compactMap(\.self)
    switch given.count {
    case 0: return ["type": .string(name)]
    case 1: return ["type": .string(name), "payload": given[0]]
    default: return [name: .object(Self.members(given.map(Optional.some), labels: []))]
    }
  }

  private func labelled(_ values: [JSON?], _ labels: [String]) -> JSON {
    let type = JSONObject.Member(key: "type", value: .string(name))
    return .object(JSONObject([type] + Self.members(values, labels: labels).members))
  }

  private static func members(_ values: [JSON?], labels: [String]) -> JSONObject {
    let members = values.enumerated().compactMap { index, value -> JSONObject.Member? in
      let label = labels.indices.contains(index) ? labels[index] : "_"
      return value.map { JSONObject.Member(key: label == "_" ? "_\(index)" : label, value: $0) }
    }
    return JSONObject(members)
  }

  private func restValues() throws(RefusedCommand) -> [JSON] {
    guard let rest, !rest.isEmpty else { return [] }
    guard let elements = try value(rest, "the rest").array else {
      throw RefusedCommand("the rest of \(name): it must be an array")
    }
    return elements
  }

  private func value(_ text: String, _ place: String) throws(RefusedCommand) -> JSON {
    do throws(JavaScriptLiteralError) {
      return try JavaScriptLiteral.parse(text)
    } catch {
      throw RefusedCommand("\(place) of \(name): \(error)")
    }
  }
}
