import JSONTree

/// An action that an app offers to people, who fill in its values (Protocol.md §11.6).
package struct ActionSignature: Equatable, Sendable {
  package var name: String
  /// The labels of its values, in order; `_` for one without.
  package var arguments: [String]

  /// An action by its name.
  package init(name: String, arguments: [String] = []) {
    self.name = name
    self.arguments = arguments
  }
}

extension ActionSignature {
  init(_ members: Members) throws(ControlError) {
    name = try members.text("name")
    arguments = []
    guard let labels = members["arguments"] else { return }
    guard case .array(let elements) = labels else { throw .member("arguments", of: members.word) }
    for case .string(let label) in elements { arguments.append(label) }
  }

  static func list(_ json: JSON?) throws(ControlError) -> [ActionSignature] {
    guard case .array(let elements) = json else { return [] }
    var list: [ActionSignature] = []
    for element in elements { list.append(try ActionSignature(Members(of: "creators", element))) }
    return list
  }

  var json: JSON {
    ["name": .string(name), "arguments": .array(arguments.map { .string($0) })]
  }
}
