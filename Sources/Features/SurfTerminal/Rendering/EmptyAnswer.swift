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
  /// The notes on a query that no row matches: which words may have another meaning, and, unless
  /// later rows may match, why none does.
  static func notes(
    on query: Query, in timeline: Timeline, continues: Bool
  ) -> [CommandAction] {
    let json = timeline.newestJSON()
    let doubts = (json.map(query.doubts(in:)) ?? query.doubts).map {
      CommandAction.complain("\($0)")
    }
    if continues { return doubts }
    // How several words were read; a single word needs no explanation.
    let reading = if case .all = query { " \(query)" } else { "" }
    return doubts + notes(on: query.places, in: json, or: "no row matches\(reading)")
  }

  /// The same if rows match: names each text behind `changed` that is a place of the newest state.
  static func doubts(about query: Query, in timeline: Timeline) -> [CommandAction] {
    let places = query.doubts.compactMap { doubt in
      if case .place(let text) = doubt { JSONPath(parsing: text).map { (doubt, $0) } } else { nil }
    }
    // Most queries leave no doubt, and a large state takes long to parse.
    guard !places.isEmpty, let json = timeline.newestJSON() else { return [] }
    return places.filter { json[$0.1.pointer] != nil }.map { .complain("\($0.0)") }
  }

  /// The same before a search that continues with later rows: only words that are hardly ever meant
  /// as texts.
  static func meant(by query: Query?) -> [CommandAction] {
    (query?.doubts ?? []).filter(\.isRelation).map { .complain("\($0)") }
  }

  /// Names the searched places that the newest state lacks; if it lacks none, prints `why`.
  ///
  /// - Parameter json: the newest state; nil if it is not here or not JSON.
  static func notes(
    on places: [QueryPlace], in json: JSON?, or why: String
  ) -> [CommandAction] {
    guard let json else { return [.complain(why)] }
    let notes = absent(places, in: json) + redactions(at: places, in: json)
    return notes.isEmpty ? [.complain(why)] : notes
  }

  /// Names the places that the newest state lacks.
  static func absent(_ places: [QueryPlace], in json: JSON?) -> [CommandAction] {
    (json?.absent(places) ?? []).map {
      .complain("the newest state has no '\($0.path)'. \($0.meaning(escaped))")
    }
  }

  /// Names the places whose values the app redacts: marks are equal whatever they replace.
  static func redactions(at places: [QueryPlace], in json: JSON?) -> [CommandAction] {
    guard let json else { return [] }
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
