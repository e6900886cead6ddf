import SurfTimeline
import SurfWire

/// An action's source and causes, in the form that the panel's Trace tab reads: a JavaScript stack.
enum Trace {
  /// The most lines to print. Causes without a source print none, and do not count.
  private static let depthMax = 16

  static func stack(of record: Record, in timeline: Timeline) -> String? {
    var lines: [String] = []
    var next: Record? = record
    while let record = next, lines.count < depthMax {
      if let line = line(of: record) { lines.append(line) }
      // A cause has a lower row than its effect. Anything else could be a cycle.
      next = record.parent < record.sequence ? timeline.row(record.parent)?.record : nil
    }
    return lines.isEmpty ? nil : (["Error"] + lines).joined(separator: "\n")
  }

  /// `    at add (Todo/Main.swift:42:1)`. The column is unknown, but the panel requires one.
  private static func line(of record: Record) -> String? {
    let parts = record.source.split(separator: ":")
    guard parts.count > 1, let line = parts.last, line.allSatisfy(\.isNumber) else { return nil }
    let file = record.source.dropLast(line.utf8.count + 1).map(escaped).joined()
    let name = record.name.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." }
    return "    at \(name.isEmpty ? "action" : name) (\(file):\(line):1)"
  }

  /// Escapes what the panel's parser takes for a file name's end, or another browser's format.
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
