import JSONTools
import JSONTree
import SurfViewer
import SurfWire

/// The detail pane's contents for the row under the cursor, and the cursor in each tab.
struct DetailView: Sendable {
  /// The last request.
  private(set) var wanted: InspectionRequest?
  var changes: ChangeList? { changeSlot.value }
  var state: Outline? { stateSlot.value }
  var payload: Outline? { payloadSlot.value }
  /// The request that the contents answer, if any. It may be older than `wanted`.
  private(set) var shown: InspectionRequest?
  /// The first visible line of the Info tab.
  var factsTop = 0

  /// Columns that long lines are scrolled to the left.
  var shift = 0

  var search: DetailSearch?
  /// Counts the contents, for `DetailSearch`.
  private(set) var edition = 0

  private var changeSlot = Slot<ChangeList>()
  private var stateSlot = Slot<Outline>()
  private var payloadSlot = Slot<Outline>()

  /// Content that only some rows have. Keeps the last value while rows without one are shown, so
  /// that its open branches stay open.
  private struct Slot<Value: Sendable>: Sendable {
    var last: Value?
    var isShown = false

    var value: Value? { isShown ? last : nil }

    mutating func change(_ change: (inout Value) -> Void) {
      guard isShown, var value = last else { return }
      last = nil
      change(&value)
      last = value
    }
  }

  /// The same branches open, for another app's rows.
  var emptied: DetailView {
    var detail = self
    _ = detail.want(nil)
    (detail.factsTop, detail.shift) = (0, 0)
    return detail
  }

  var isReading: Bool { wanted != shown }

  /// - Returns: whether the request must be sent.
  mutating func want(_ request: InspectionRequest?) -> Bool {
    guard request != wanted else { return false }
    if request?.row != wanted?.row { factsTop = 0 }
    wanted = request
    guard request == nil else { return true }
    shown = nil
    (changeSlot.isShown, stateSlot.isShown, payloadSlot.isShown) = (false, false, false)
    return false
  }

  /// Ignores an answer that is no longer wanted.
  mutating func take(_ inspection: Inspection) {
    guard inspection.request == wanted else { return }
    shown = inspection.request
    edition += 1
    if var changes = inspection.changes {
      if let before = changeSlot.last { changes.take(placesOf: before) }
      changeSlot.last = changes
    }
    changeSlot.isShown = inspection.changes != nil
    Self.show(inspection.state, in: &stateSlot)
    Self.show(inspection.payload, in: &payloadSlot)
  }

  func outline(in tab: DetailTab) -> Outline? {
    switch tab {
    case .changes: changes?.outline
    case .state: state
    case .action: payload
    case .facts: nil
    }
  }

  /// The place in the state that a tab's cursor is on.
  func place(in tab: DetailTab) -> JSONPath? {
    switch tab {
    case .changes, .state: outline(in: tab)?.path
    case .action, .facts: nil
    }
  }

  mutating func move(by count: Int, in tab: DetailTab) {
    search?.origin = nil
    change(in: tab) { $0.move(by: count) }
    // There are only about a dozen lines.
    guard tab == .facts else { return }
    factsTop = max(0, min(100, factsTop + max(-100, min(100, count))))
  }

  mutating func open(in tab: DetailTab) { change(in: tab) { $0.open() } }

  /// - Returns: false if there is nothing to fold.
  mutating func close(in tab: DetailTab) -> Bool {
    var isDone = false
    change(in: tab) { isDone = $0.close() }
    return isDone
  }

  mutating func fold(_ isFolding: Bool, in tab: DetailTab) {
    change(in: tab) { if isFolding { $0.foldAll() } else { $0.unfoldAll() } }
  }

  mutating func change(in tab: DetailTab, _ change: (inout Outline) -> Void) {
    switch tab {
    case .changes: changeSlot.change { change(&$0.outline) }
    case .state: stateSlot.change(change)
    case .action: payloadSlot.change(change)
    case .facts: break
    }
  }

  private static func show(_ value: JSON?, in slot: inout Slot<Outline>) {
    slot.isShown = value != nil
    guard let value else { return }
    if slot.last == nil { slot.last = Outline(value) } else { slot.change { $0.replace(value) } }
  }
}

/// A request to decode a row. It differs once more of the row is loaded, so that the row is read
/// again.
package struct InspectionRequest: Hashable, Sendable {
  package let session: SessionID
  package let row: SequenceNumber
  /// The app whose state to compare with.
  package let baseSession: SessionID
  /// The position to compare with; nil if unknown.
  package let base: Position?
  /// Where the state to show is: at the row, or before one without a state; nil if unknown.
  package let state: Position?
  let hasState: Bool
  let hasBase: Bool
  let hasPayload: Bool

  /// Whether the row itself has the state, so that it can be compared.
  var isOwn: Bool { state == Position(wire: row) }
}

/// A row, decoded and compared. Making one may take long and needs no lock.
package struct Inspection: Sendable {
  let request: InspectionRequest
  let state: JSON?
  let payload: JSON?
  let changes: ChangeList?

  /// - Parameters:
  ///   - state: the state in force at the row, if any.
  ///   - base: the state to compare with.
  package init(
    _ request: InspectionRequest, state: Content?, base: Content?, payload: Content?
  ) {
    self.request = request
    self.state = state.map(\.tree)
    self.payload = payload.map(\.tree)
    let old = base.map(\.tree)
    let new = request.isOwn ? self.state : nil
    changes = if let old, let new { ChangeList(from: old, to: new) } else { nil }
  }
}
