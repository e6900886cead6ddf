import JSONTree

/// One thing that `doctor` looked at.
package struct DoctorCheck: Equatable, Sendable {
  package let name: String
  package let isFine: Bool
  /// What was found.
  package let finding: String
  /// How to mend it; empty if there is nothing to mend.
  package let mend: String
  /// The numbers in `finding`, for programs.
  private var figures = JSONObject()

  package init(_ name: String, isFine: Bool, _ finding: String, mend: String = "") {
    self.name = name
    self.isFine = isFine
    self.finding = finding
    self.mend = mend
  }

  init(
    _ name: String, isFine: Bool, _ finding: String, mend: String, figures: JSONObject
  ) {
    self.init(name, isFine: isFine, finding, mend: mend)
    self.figures = figures
  }

  package var line: Line {
    let mark = isFine ? Span("ok", .good) : Span("!!", .bad)
    let advice = mend.isEmpty ? [] : [Span("  Try: \(mend)", .caution)]
    return Line([mark, Span("  " + padded(name, 18) + finding)] + advice)
  }

  /// `check`, `ok`, `finding`, `mend` where there is one, and the figures.
  var json: [UInt8] {
    var members: JSONObject = [
      "check": .string(name), "ok": .bool(isFine), "finding": .string(finding),
    ]
    if !mend.isEmpty { members["mend"] = .string(mend) }
    return EventJSON.object(members.adding(figures))
  }
}
