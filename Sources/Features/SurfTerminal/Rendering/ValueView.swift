import JSONTree
import SurfTimeline
import SurfViewer
import SurfWire

/// The values of an app, or those at a path, as `values` prints them.
struct ValueView {
  private let label: String
  private let values: [(name: String, json: JSON)]
  private let leftOut: WireCount
  /// The JSON at the path, if that leads into one value.
  private let place: JSON?

  /// Nil if there is nothing to show.
  init?(of instance: Instance, at path: ValuePath?) {
    label = instance.label
    leftOut = instance.values.leftOut
    let all = instance.values.records.map { ($0.name, PayloadJSON($0.payload)?.json ?? .null) }
    switch path.map({ $0.find(in: all) }) ?? .several(all) {
    case .one(let json): (values, place) = ([], json)
    case .several(let some) where !some.isEmpty: (values, place) = (some, nil)
    case .several, nil: return nil
    }
  }

  /// An object of the values by name, or the JSON at the path.
  var json: JSON {
    place ?? .object(JSONObject(values.map { JSONObject.Member(key: $0.name, value: $0.json) }))
  }

  fileprivate var member: JSONObject.Member { JSONObject.Member(key: label, value: json) }

  /// - Parameter depth: how many levels to open: 1 shows names, 2 the members of their values.
  func lines(depth: Int) -> [Line] {
    var lines = [Line(label, .bold)]
    if let place {
      lines += Self.lines(of: place, as: nil, indent: 1, depth: depth)
    } else {
      lines += values.flatMap { Self.lines(of: $0.json, as: $0.name, indent: 1, depth: depth - 1) }
    }
    guard !leftOut.isZero else { return lines }
    return lines + [Line("  \(leftOut) left out: the app has no room for more values", .caution)]
  }

  private static func lines(of json: JSON, as name: String?, indent: Int, depth: Int) -> [Line] {
    let margin = String(repeating: "  ", count: indent)
    let head = name.map { [Span("\(margin)\($0)", .accent), Span(": ")] } ?? [Span(margin)]
    let members = depth > 0 ? members(of: json) : []
    guard !members.isEmpty else { return [Line(head + [Span(summary(of: json))])] }
    let title = name.map { [Line([Span("\(margin)\($0)", .accent)])] } ?? []
    return title
      + members.flatMap {
        lines(
          of: $0.value, as: $0.key, indent: name == nil ? indent : indent + 1, depth: depth - 1)
      }
  }

  /// An object's members sorted by key, or an array's elements.
  private static func members(of json: JSON) -> [JSONObject.Member] {
    switch json {
    case .object(let object):
      object.indexes.all.map { object.members[$0] }
        .sorted { $0.key.unicodeScalars.lexicographicallyPrecedes($1.key.unicodeScalars) }
    case .array(let elements):
      elements.enumerated().map { JSONObject.Member(key: "[\($0.offset)]", value: $0.element) }
    case .null, .bool, .number, .string: []
    }
  }

  /// A scalar, or the size of a folded value.
  private static func summary(of json: JSON) -> String {
    switch json {
    case .object(let object) where !object.members.isEmpty: "{…\(object.indexes.count)}"
    case .array(let elements) where !elements.isEmpty: "[…\(elements.count)]"
    default: json.text()
    }
  }
}

extension [ValueView] {
  /// One object of all apps, each by its label.
  var merged: JSON { .object(JSONObject(map(\.member))) }
}

extension Layout {
  /// `14:03:59.123 Kitchen#4242 recipe: {"title":"soup"}`, or `- recipe` for a removed value.
  func line(value record: Record, of instance: Instance) -> Line {
    let isGone = record.kind == .remove
    let value = isGone ? "" : ": " + (PayloadJSON(record.payload)?.text ?? "null")
    return Line([
      Span(clockText(record.wallTime, secondsFromGMT: secondsFromGMT), .dim),
      Span(" \(instance.label) "),
      Span((isGone ? "- " : "") + record.name, isGone ? .caution : .accent), Span(value),
    ])
  }
}

extension EventJSON {
  /// `event: "value"` with `name`, `value`, `row`, `time` in nanoseconds; or `event: "removed"`
  /// without `value`, which also removes all values below the name.
  static func line(value record: Record, of instance: Instance) -> [UInt8] {
    var members: JSONObject = [
      "name": .string(record.name), "row": .number(record.sequence),
      "time": .number(record.wallTime),
    ]
    guard record.kind == .update else { return line("removed", instance, members) }
    members["value"] = PayloadJSON(record.payload)?.json ?? .null
    return line("value", instance, members)
  }
}

/// A payload or state, as JSON if it is JSON.
enum PayloadJSON {
  case json(JSON)
  /// Bytes that are not JSON.
  case other(Content)

  /// Nil without a payload.
  init?(_ payload: Content?) {
    guard let payload else { return nil }
    do throws(JSONError) {
      self = .json(try JSON(parsing: payload.bytes))
    } catch {
      self = .other(payload)
    }
  }

  /// On one line.
  var text: String {
    switch self {
    case .json(let json): json.text(.compact, sortedKeys: true)
    case .other(let content) where content.type.hasPrefix("text/"):
      String(decoding: content.bytes, as: UTF8.self)
    case .other(let content): "(\(byteText(content.bytes.count)) of \(content.type))"
    }
  }

  var json: JSON {
    if case .json(let json) = self { json } else { .string(text) }
  }
}
