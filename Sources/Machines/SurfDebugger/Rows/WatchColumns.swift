import JSONTools
import JSONTree
import SurfTimeline
import SurfViewer
import SurfWire

/// A request to read the watched places of an app in the states of some rows.
package struct WatchRequest: Hashable, Sendable {
  package let session: SessionID
  package let places: [JSONPath]
  /// Newest first.
  package let rows: [SequenceNumber]
}

/// The values of the watched places in the state of one row.
package struct WatchedRow: Sendable {
  let row: SequenceNumber
  let places: [JSONPath]
  let values: [WatchedValue]
  package let session: SessionID

  /// - Parameter state: nil if it is not here.
  package init(_ request: WatchRequest, _ row: SequenceNumber, state: JSON?) {
    (session, places, self.row) = (request.session, request.places, row)
    values = request.places.map { WatchedValue(state, at: $0) }
  }
}

enum WatchedValue: Equatable, Sendable {
  case value(String, number: Double?)
  /// The state has nothing there.
  case absent
  /// The state is not here.
  case unknown

  /// More than a column shows.
  private static let lengthMax = 40

  init(_ state: JSON?, at path: JSONPath) {
    guard let state else {
      self = .unknown
      return
    }
    guard let value = state[path.pointer] else {
      self = .absent
      return
    }
    let number = value.number.map(\.double)
    self = .value(
      Excerpt.text(value, limit: Self.lengthMax), number: number?.isFinite == true ? number : nil)
  }

  var text: String {
    switch self {
    case .value(let text, _): text
    case .absent: "–"
    case .unknown: "?"
    }
  }

  var number: Double? { if case .value(_, let number) = self { number } else { nil } }
}

/// The values of an app's watched places in the rows on screen. Reads nothing itself, and costs
/// nothing while no place is watched.
struct WatchColumns: Sendable {
  private(set) var places: [JSONPath] = []
  private var known: [SequenceNumber: [WatchedValue]] = [:]
  /// The rows last requested.
  private var asked: Set<SequenceNumber> = []

  /// Several screens, so that steps back and forth read nothing again.
  private static let rowCountMax = 1_000

  /// What must be read to show these rows; nil if nothing, or if it was requested.
  mutating func want(
    _ places: [JSONPath], in rows: [SequenceNumber], of session: SessionID
  ) -> WatchRequest? {
    if places != self.places { self = WatchColumns(places: places) }
    let missing = rows.filter { known[$0] == nil }
    if known.count > Self.rowCountMax {
      let shown = Set(rows)
      known = known.filter { shown.contains($0.key) }
    }
    guard !asked.isSuperset(of: missing) else { return nil }
    asked = Set(missing)
    return WatchRequest(session: session, places: places, rows: missing.sorted(by: >))
  }

  /// Ignores an answer about other places.
  mutating func take(_ row: WatchedRow) {
    guard row.places == places else { return }
    known[row.row] = row.values
    asked.remove(row.row)
  }

  /// Nil while the row is read.
  subscript(row: SequenceNumber) -> [WatchedValue]? { known[row] }
}

extension WatchColumns {
  private init(places: [JSONPath]) { self.places = places }
}

extension Debugger {
  /// Watches the place under the cursor, or stops.
  mutating func watch(_ command: ViewerCommand, in catalog: Catalog) {
    guard let app, let name = catalog[app]?.name else { return }
    guard command == .watch else {
      watched[name] = nil
      return tell("no longer watching any place of \(name)")
    }
    guard let path = views[app]?.detail.place(in: tab) else { return }
    let title = Excerpt.text("\(path)", limit: 40)
    if let index = watched[name]?.firstIndex(of: path) {
      watched[name]?.remove(at: index)
      tell("no longer watching \(title)")
    } else {
      watched[name, default: []].append(path)
      tell(personal.keys.text("watching \(title)", separator: " · ", .watch, "there stops"))
    }
  }

  /// The states of the rows on screen that have yet to be read.
  func wantWatched(by view: inout AppView, _ instance: Instance) -> WatchRequest? {
    let places = watched[instance.name] ?? []
    guard !places.isEmpty, page == .rows else {
      return view.watched.want(places, in: [], of: instance.session)
    }
    let window = view.list(of: instance.timeline).window(
      around: view.selection.place, line: view.selection.line, height: listHeight)
    let rows = window.numbers.filter { instance.timeline.holdsState(at: Position(wire: $0)) }
    return view.watched.want(places, in: rows, of: instance.session)
  }
}
