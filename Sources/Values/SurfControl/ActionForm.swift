import ValueCoding

/// Shows people how to write an action: `"clear"`, `{"add":<String>}`,
/// `{"move":{"from":<Int>,"to":<Int>}}`.
enum ActionForm {
  /// The form of the case `name`; nil if `type` has no such case.
  static func of(_ name: String, in type: any Decodable.Type) -> String? {
    let probe = EnumProbe(type, case: name)
    guard probe.isKnown else { return nil }
    return form(name, probe.fields.map { ($0.label, kind(of: $0.type)) }, isCut: probe.isCut)
  }

  /// The form of an offered action. The types of its values are known only if `type` is an enum.
  static func of(_ offered: ActionSignature, in type: any Decodable.Type) -> String {
    of(offered.name, in: type)
      ?? form(
        offered.name,
        offered.arguments.enumerated().map { ($1 == "_" ? "_\($0)" : $1, "…") })
  }

  /// - Parameter isCut: Whether the case may have more fields than these.
  private static func form(
    _ name: String, _ fields: [(label: String, kind: String)], isCut: Bool = false
  ) -> String {
    if fields.isEmpty { return "\"\(name)\"" }
    let isUnlabelled = fields.allSatisfy { $0.label.hasPrefix("_") } && !isCut
    let kinds = fields.map { "<\($0.kind)>" }
    if isUnlabelled, fields.count == 1 { return "{\"\(name)\":\(kinds[0])}" }
    if isUnlabelled { return "{\"\(name)\":[\(kinds.joined(separator: ","))]}" }
    let members = zip(fields, kinds).map { "\"\($0.label)\":\($1)" }.joined(separator: ",")
    return "{\"\(name)\":{\(members)\(isCut ? ",…" : "")}}"
  }

  /// The type's name, or all its values if it is `CaseIterable`.
  private static func kind(of type: any Any.Type) -> String {
    guard type != Bool.self, let values = (type as? any CaseIterable.Type)?.names else {
      return "\(type)"
    }
    return values.joined(separator: "|")
  }
}

extension CaseIterable {
  fileprivate static var names: [String] {
    allCases.map { value in
      (value as? any RawRepresentable).map { "\($0.rawValue)" } ?? "\(value)"
    }
  }
}
