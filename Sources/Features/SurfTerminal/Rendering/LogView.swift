import JSONTree
import SurfTimeline
import SurfViewer
import SurfWire
import TerminalScreen

extension Layout {
  /// How many columns of attributes a terminal shows. A pipe gets all.
  private static let attributeColumnMax = 500

  /// `14:03:59.123 warning low disk  {"free":12}`; nil if the record is not a log line.
  package func line(log record: Record, of instance: Instance) -> Line? {
    guard case .log = record.kind else { return nil }
    let whose = self.instance.map { " " + $0.text(instance, on: columns) } ?? ""
    let attributes =
      PayloadJSON(record.payload)
      .map { "  " + shortened(escaped($0.text)) } ?? ""
    return Line([
      Span(clockText(record.wallTime, secondsFromGMT: secondsFromGMT), .dim), Span(whose),
      Span(" " + padded(record.kind.text, 7), record.kind.style),
      Span(" " + record.name, record.kind.nameStyle), Span(attributes, .dim),
    ])
  }

  private func shortened(_ text: String) -> String {
    columns == nil ? text : fitted(text, Self.attributeColumnMax)
  }
}

extension EventJSON {
  /// `event: "log"`, `row`, `level`, `message`, `time` in nanoseconds, and if known `attributes`,
  /// `source` and `parent`. Nil if the record is not a log line.
  static func line(log record: Record, of instance: Instance) -> [UInt8]? {
    guard case .log(let level) = record.kind else { return nil }
    var members: JSONObject = [
      "row": .number(record.sequence), "level": .string("\(level)"),
      "message": .string(record.name), "time": .number(record.wallTime),
    ]
    members["attributes"] = PayloadJSON(record.payload)?.json
    if !record.source.isEmpty { members["source"] = .string(record.source) }
    if record.parent != 0 { members["parent"] = .number(record.parent) }
    return line("log", instance, members)
  }
}
