import JSONTree
import SurfQuery
import SurfTimeline
import TerminalScreen

/// The values at the places of `watch --columns`, for one row.
struct WatchedCells: Equatable {
  /// `–` for a place that the state does not have, `?` for a state that is not here. A row without
  /// a state shows `?` as well, because somebody may have moved the app before that row.
  let texts: [String]
  /// `columns`, an object of the values by path.
  let members: JSONObject
  /// Which of the texts differ from those of the row before.
  private let areNew: [Bool]
  /// The newest known texts.
  private let known: [String]

  /// - Parameter before: the cells of the row before, if any.
  init(
    _ places: [QueryPlace], in subject: QuerySubject, _ row: Row, after before: WatchedCells?
  ) {
    var subject = subject
    if row.stateSize == nil, !row.isState { subject.state = nil }
    let found = places.map { subject.values(at: $0) }
    let texts = zip(places, found).map { place, values in
      guard subject.knows(place.root) else { return "?" }
      return values.isEmpty ? "–" : values.map { $0.value.text() }.joined(separator: " ")
    }
    self.texts = texts
    let known = texts.indices.map { index in
      texts[index] == "?" ? before?.known[index] ?? "?" : texts[index]
    }
    areNew = texts.indices.map { index in
      texts[index] != "?" && before.map { $0.known[index] != known[index] } ?? false
    }
    self.known = known
    let values = found.joined().map { JSONObject.Member(key: "\($0.place)", value: $0.value) }
    members = ["columns": .object(JSONObject(values))]
  }

  var spans: [Span] {
    zip(texts, areNew).map { Span(Self.cell($0), $1 ? .caution : .plain) }
  }

  static func titles(of places: [QueryPlace]) -> [Span] {
    places.map { Span(padded(fittedToEnd(escaped("\($0)"), width - 1), width), .bold) }
  }

  /// Of one place, with a blank.
  static let width = 12

  private static func cell(_ text: String) -> String {
    // No more of a long text than the column may show.
    padded(fitted(escaped(String(text.prefix(width))), width - 1), width)
  }
}
