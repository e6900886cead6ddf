import SurfTimeline
import SurfWire

/// Where an action came from, and what caused it, as the panel's Trace tab reads it: the lines of a
/// JavaScript error.
enum Trace {
  /// More causes than a person follows.
  private static let depthMax = 16

  static func stack(of record: Record, in timeline: Timeline) -> String? {
    var lines: [String] = []
    var next: Record? = record
    while let record = next, lines.count < depthMax {
      if let line = line(of: record) { lines.append(line) }
      // A cause comes before its effect: any other order would lead round in circles.
      next = record.parent < record.sequence ? timeline.row(record.parent)?.record : nil
    }
    return lines.isEmpty ? nil : (["Error"] + lines).joined(separator: "\n")
  }

  /// `    at add (Todo/Main.swift:42:1)`; the column is not known, and the panel wants one.
  private static func line(of record: Record) -> String? {
    let parts = record.source.split(separator: ":")
    guard parts.count > 1, let line = parts.last, line.allSatisfy(\.isNumber) else { return nil }
    let file = record.source.dropLast(line.utf8.count + 1).map(escaped).joined()
    let name = record.name.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." }
    return "    at \(name.isEmpty ? "action" : name) (\(file):\(line):1)"
  }

  /// Without characters that the panel's parser takes for a file's end, or for another browser's
  /// form.
  private static func escaped(_ character: Character) -> String {
    switch character {
    case " ": "%20"
    case "@": "%40"
    case "(": "%28"
    case ")": "%29"
    case "\n", "\r", "\r\n": ""
    default: String(character)
    }
  }
}
