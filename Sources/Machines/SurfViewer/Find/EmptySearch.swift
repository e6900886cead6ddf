import JSONTools
import JSONTree
import Redaction
import SurfBasics
import SurfQuery
import SurfTimeline

/// Where a path leaves a JSON value that does not have it, and what is there instead.
package struct AbsentPlace: Sendable {
  package let path: JSONPath
  /// The part of the path that the value has.
  package let reached: JSONPath
  private let missing: JSONPath.Element
  private let value: JSON

  /// More keys than a person reads.
  private static let keyCountMax = 8

  /// Nil if the value has the path.
  package init?(_ path: JSONPath, in json: JSON) {
    var (reached, value) = (JSONPath(), json)
    for element in path.elements {
      let next = JSONPath(reached.elements + [element])
      guard let child = json[next.pointer] else { break }
      (reached, value) = (next, child)
    }
    guard reached.elements.count < path.elements.count else { return nil }
    (self.path, self.reached, self.value) = (path, reached, value)
    missing = path.elements[reached.elements.count]
  }

  /// A sentence: the key that may have been meant, or what the value has.
  ///
  /// - Parameter escape: makes a key visible on one line.
  package func meaning(_ escape: (String) -> String) -> String {
    let place = reached.elements.isEmpty ? "It" : escape("\(reached)")
    switch (value, missing) {
    case (.array(let elements), .index):
      return "\(place) has \(countText(elements.count, "element"))."
    case (.array(let elements), .key):
      return "\(place) is an array of \(elements.count): its elements are [0], [1] …"
    case (.object(let object), .key(let key)):
      let keys = object.members.map(\.key)
      if let meant = nearest(to: key, in: keys).first { return "Did you mean '\(escape(meant))'?" }
      return "\(place) has \(Self.text(of: keys, escape))."
    case (.object, .index): return "\(place) is an object, which has keys."
    default: return "\(place) is \(value.text())."
    }
  }

  /// The first names, and how many ids there are, which nobody types from memory.
  private static func text(of keys: [String], _ escape: (String) -> String) -> String {
    let ids = keys.filter(\.isID)
    let names = ids.count > 1 ? keys.filter { !$0.isID } : keys
    var parts = names.sorted().prefix(keyCountMax).map(escape)
    if names.count > keyCountMax { parts.append("\(names.count - keyCountMax) more") }
    if ids.count > 1, let id = ids.min() {
      parts.append("\(ids.count) keys that are ids, such as \(escape(id))")
    }
    let isSummedUp = names.count > keyCountMax || ids.count > 1
    if parts.count > 1, isSummedUp {
      parts[parts.count - 1] = "and " + parts[parts.count - 1]
    }
    return parts.isEmpty ? "no keys" : parts.joined(separator: ", ")
  }
}

extension Query {
  /// Hints for a query that no row matches, the likeliest first. They come from the query's words
  /// and from the newest state, unless that is too large.
  func hints(in timeline: Timeline) -> [String] {
    guard let state = timeline.newestJSON(upTo: Self.hintSizeMax) else {
      return doubts.map(\.hint)
    }
    return doubts(in: state).map(\.hint)
      + state.absent(places).map { "the newest state has no '\($0.path)'. \($0.meaning { $0 })" }
  }

  /// Octets that take some milliseconds to parse.
  private static let hintSizeMax = 1 << 20
}

extension QueryDoubt {
  fileprivate var hint: String {
    switch self {
    case .text, .key: "'\(meant)' looks in states"
    case .place, .relation, .value, .field: "did you mean '\(meant)'?"
    }
  }
}

extension Timeline {
  /// The newest state that is here. Nil if that is not JSON, or has more octets.
  package func newestJSON(upTo sizeMax: Int = .max) -> JSON? {
    let newest = rows.reversed().lazy.compactMap { self.state(of: $0.number) }.first
    guard let newest, newest.bytes.count <= sizeMax else { return nil }
    return JSON(ifValid: newest.bytes)
  }
}

extension JSON {
  /// Which of these places it does not have, apart from those that the app redacts.
  package func absent(_ places: [QueryPlace]) -> [AbsentPlace] {
    places.compactMap(\.path).filter { !isRedacted(at: $0) }
      .compactMap { AbsentPlace($0, in: self) }
  }

  /// Whether a mark is at a path or below it, or replaces a value around it.
  package func isRedacted(at path: JSONPath) -> Bool {
    let around = path.elements.indices.contains { end in
      self[JSONPath(Array(path.elements[..<end])).pointer]?.marked != nil
    }
    return around || self[path.pointer]?.hasMark == true
  }
}

extension QueryPlace {
  /// The place as a path into a state. Nil if it is in a payload, counts from an array's end, may
  /// lead to several places, or is the whole state.
  package var path: JSONPath? {
    guard root != .payload else { return nil }
    var elements: [JSONPath.Element] = []
    for step in steps {
      switch step {
      case .key(let key): elements.append(.key(key))
      case .index(let index) where index >= 0: elements.append(.index(index))
      case .index, .each, .deep, .element, .aggregate: return nil
      }
    }
    return elements.isEmpty ? nil : JSONPath(elements)
  }
}
