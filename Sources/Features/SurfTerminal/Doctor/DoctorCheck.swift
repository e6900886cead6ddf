import JSONTree

/// The result of one check of `statesurf doctor`, a line of its output.
package struct DoctorCheck: Equatable, Sendable {
  package let name: String
  package let isFine: Bool
  package let finding: String
  /// How to fix it; empty if nothing needs fixing.
  package let fix: String
  /// The numbers in `finding`, for the JSON output.
  private var figures = JSONObject()

  package init(_ name: String, isFine: Bool, _ finding: String, fix: String = "") {
    self.name = name
    self.isFine = isFine
    self.finding = finding
    self.fix = fix
  }

  init(
    _ name: String, isFine: Bool, _ finding: String, fix: String, figures: JSONObject
  ) {
    self.init(name, isFine: isFine, finding, fix: fix)
    self.figures = figures
  }

  package var line: Line {
    let mark = isFine ? Span("ok", .good) : Span("!!", .bad)
    let advice = fix.isEmpty ? [] : [Span("  Try: \(fix)", .caution)]
    return Line([mark, Span("  " + padded(name, 18) + finding)] + advice)
  }

  /// `check`, `ok`, `finding`, `fix` if not empty, and the figures.
  var json: [UInt8] {
    var members: JSONObject = [
      "check": .string(name), "ok": .bool(isFine), "finding": .string(finding),
    ]
    if !fix.isEmpty { members["fix"] = .string(fix) }
    return EventJSON.object(members.adding(figures))
  }
}
