import ValueCoding

/// Collects the errors of all attempts to decode an action, and picks the one to report.
struct ActionFault {
  private var deepest: (depth: Int, reason: String)?
  /// Reported if no other attempt failed.
  private var fallback: String?

  mutating func noteFallback(_ error: any Error, tellsValues: Bool) {
    fallback = explanation(of: error, tellsValues: tellsValues)
  }

  /// Keeps the error that lies deepest in the value: that attempt was closest to the right form. Of
  /// two at the same depth inside a case's values, keeps the later, whose form is more specific.
  mutating func note(_ error: any Error, tellsValues: Bool) {
    let depth = Self.depth(of: error)
    let before = deepest?.depth ?? -1
    guard depth > before || (depth == before && depth > 1) else { return }
    let reason = explanation(of: error, tellsValues: tellsValues)
    // `reason(name:in:offered:)` appends to it.
    deepest = (depth, reason.hasSuffix(".") ? String(reason.dropLast()) : reason)
  }

  /// Says what is wrong, where, and how the action is written.
  func reason(
    name: String?, in type: any Decodable.Type, offered: [ActionSignature]
  ) -> String {
    let forms = offered.map { ActionForm.of($0, in: type) }.joined(separator: ", ")
    let list = forms.isEmpty ? "" : "; there are \(forms)"
    let general = deepest?.reason ?? fallback ?? "not of that type"
    guard let name else { return general + list }
    if let form = ActionForm.of(name, in: type) { return "\(general); it is written \(form)" }
    let isOffered = offered.contains { $0.name == name }
    let isEnum = EnumProbe(type, case: name).isEnum
    return isEnum || (!offered.isEmpty && !isOffered)
      ? "there is no action \"\(name)\"\(list)" : general + list
  }

  private static func depth(of error: any Error) -> Int {
    switch error as? DecodingError {
    case .keyNotFound(_, let context): context.codingPath.count + 1
    case .typeMismatch(_, let context), .valueNotFound(_, let context),
      .dataCorrupted(let context):
      context.codingPath.count
    case nil: 0
    @unknown default: 0
    }
  }
}
