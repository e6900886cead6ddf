import JSONTools
import JSONTree
import Redaction
import SurfBasics
import SurfQuery
import SurfTimeline
import SurfWire

/// The notes that `find`, `trace` and `report` print on standard error if they found nothing or
/// could not examine every row. No match, no such name, and missing rows are different answers.
enum EmptyAnswer {
  /// The notes on a query that no row matches.
  static func notes(on query: Query, in timeline: Timeline) -> [CommandAction] {
    notes(on: query.places, in: timeline, or: "no row matches")
  }

  /// Says which words may have another meaning if no row was found, or if the newest state has the
  /// place that a text behind `changed` names.
  static func meant(
    by query: Query, in timeline: Timeline, found: Bool
  ) -> [CommandAction] {
    let doubts = query.doubts
    guard found, !doubts.isEmpty else { return doubts.map { .complain("\($0)") } }
    let json = newestState(in: timeline)
    return doubts.compactMap { doubt in
      guard case .place(let text) = doubt,
        JSONPath(parsing: text).flatMap({ json?[$0.pointer] }) != nil
      else { return nil }
      return .complain("\(doubt)")
    }
  }

  /// The same before a search that continues with later rows: only words that are hardly ever meant
  /// as texts.
  static func meant(by query: Query?) -> [CommandAction] {
    (query?.doubts ?? []).filter(\.isRelation).map { .complain("\($0)") }
  }

  /// Names the searched places that the newest state lacks; if it lacks none, prints `why`.
  static func notes(
    on places: [QueryPlace], in timeline: Timeline, or why: String
  ) -> [CommandAction] {
    guard let json = newestState(in: timeline) else { return [.complain(why)] }
    let absent = places.compactMap(\.path).filter {
      json[$0.pointer] == nil && !json.isRedacted(at: $0)
    }
    guard !absent.isEmpty else {
      let hidden = redactions(at: places, in: timeline)
      return hidden.isEmpty ? [.complain(why)] : hidden
    }
    return absent.map { path in
      let failure = PlaceView.absent(path, in: json, lacking: "the newest state has no")
      return .complain("\(failure.what). \(failure.meaning)")
    }
  }

  /// Names the places whose values the app redacts: marks are equal whatever they replace.
  static func redactions(at places: [QueryPlace], in timeline: Timeline) -> [CommandAction] {
    guard let json = newestState(in: timeline) else { return [] }
    return places.compactMap(\.path).filter(json.isRedacted).map { path in
      .complain("the app redacts \(path), or a part of it: its changes cannot be seen here")
    }
  }

  private static func newestState(in timeline: Timeline) -> JSON? {
    let newest = timeline.rows.reversed().lazy.compactMap { timeline.state(of: $0.number) }.first
    return newest.flatMap { JSON(ifValid: $0.bytes) }
  }

  /// Counts the rows that a search could not examine; nil if it examined all.
  ///
  /// - Parameters:
  ///   - rows: those that the answer is about.
  ///   - visitedCount: how many it examined.
  static func omission(
    of rows: Range<SequenceNumber>, visited visitedCount: Int
  ) -> CommandAction? {
    let visited = WireCount(UInt64(visitedCount))
    let count = rows.lowerBound.distance(to: rows.upperBound).subtracting(visited)
    guard !count.isZero else { return nil }
    let text = count == 1 ? "1 row, which is" : "\(count) rows, which are"
    return .complain(
      "this answer leaves out \(text) not here: the app no longer has them, or it"
        + " did not arrive")
  }
}

extension JSON {
  /// Whether a mark is at a path or below it, or replaces a value around it.
  fileprivate func isRedacted(at path: JSONPath) -> Bool {
    let around = path.elements.indices.contains { end in
      self[JSONPath(Array(path.elements[..<end])).pointer]?.marked != nil
    }
    return around || self[path.pointer]?.hasMark == true
  }
}

extension QueryPlace {
  /// The place as a path into a state. Nil if it is in a payload, counts from an array's end, may
  /// lead to several places, or is the whole state.
  var path: JSONPath? {
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
