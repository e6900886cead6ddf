import JSONTools
import JSONTree
import Redaction
import SurfBasics
import SurfQuery
import SurfTimeline
import SurfViewer
import SurfWire
import TerminalScreen

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
    let json = timeline.newestJSON()
    guard found else {
      let doubts = json.map(query.doubts(in:)) ?? query.doubts
      return doubts.map { .complain("\($0)") }
    }
    return query.doubts.compactMap { doubt in
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
    guard let json = timeline.newestJSON() else { return [.complain(why)] }
    let absent = places.compactMap(\.path).filter { !json.isRedacted(at: $0) }
      .compactMap { AbsentPlace($0, in: json) }
    guard !absent.isEmpty else {
      let hidden = redactions(at: places, in: timeline)
      return hidden.isEmpty ? [.complain(why)] : hidden
    }
    return absent.map {
      .complain("the newest state has no '\($0.path)'. \($0.meaning(escaped))")
    }
  }

  /// Names the places whose values the app redacts: marks are equal whatever they replace.
  static func redactions(at places: [QueryPlace], in timeline: Timeline) -> [CommandAction] {
    guard let json = timeline.newestJSON() else { return [] }
    return places.compactMap(\.path).filter(json.isRedacted).map { path in
      .complain("the app redacts \(path), or a part of it: its changes cannot be seen here")
    }
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
