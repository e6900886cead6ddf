import JSONTree

/// An action that viewers offer in a form, where people fill in its values (Protocol.md §11.6).
package struct ActionSignature: Equatable, Sendable {
  package var name: String
  /// The parameters in order, as Swift declares them: a label, or `_` for none, and optionally a
  /// second name that people see.
  package var arguments: [String]

  package init(name: String, arguments: [String] = []) {
    self.name = name
    self.arguments = arguments
  }
}

extension ActionSignature {
  /// The argument labels in a command; `_` for a value without a label.
  package var labels: [String] {
    arguments.map { $0.split(separator: " ").first.map(String.init) ?? "_" }
  }

  /// The field names that people see in the form.
  package var fields: [String] {
    arguments.map { argument in
      let name = argument.split(separator: " ").last ?? "_"
      return name == "_" ? "value" : String(name)
    }
  }

  init(_ members: Members) throws(ControlError) {
    name = try members.text("name")
    arguments = []
    guard let labels = members["arguments"] else { return }
    guard let elements = labels.array else { throw .member("arguments", of: members.word) }
    arguments = elements.compactMap(\.string)
  }

  static func list(_ json: JSON?) throws(ControlError) -> [ActionSignature] {
    guard let elements = json?.array else { return [] }
    var list: [ActionSignature] = []
    for element in elements { list.append(try ActionSignature(Members(of: "creators", element))) }
    return list
  }

  var json: JSON {
    ["name": .string(name), "arguments": .array(arguments.map { .string($0) })]
  }
}
