import ValueCoding

/// Why JSON is not an action, over all the ways in which it was read.
struct ActionFault {
  private var deepest: (depth: Int, reason: String)?
  /// Why it was refused, if no other reading has a fault.
  private var first: String?

  /// The fault of the reading that counts.
  mutating func noteFirst(_ error: any Error, tellsValues: Bool) {
    first = explanation(of: error, tellsValues: tellsValues)
  }

  /// The reading that came furthest into the value was on the right way; of two in a case's own
  /// values the later, whose form is the more particular.
  mutating func note(_ error: any Error, tellsValues: Bool) {
    let depth = Self.depth(of: error)
    let before = deepest?.depth ?? -1
    guard depth > before || (depth == before && depth > 1) else { return }
    let reason = explanation(of: error, tellsValues: tellsValues)
    // More follows it.
    deepest = (depth, reason.hasSuffix(".") ? String(reason.dropLast()) : reason)
  }

  /// For the person who wrote it: the fault, its place, and a form that would fit.
  func reason(
    name: String?, in type: any Decodable.Type, offered: [ActionSignature]
  ) -> String {
    let forms = offered.map { ActionForm.of($0, in: type) }.joined(separator: ", ")
    let list = forms.isEmpty ? "" : "; there are \(forms)"
    let general = deepest?.reason ?? first ?? "not of that type"
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
