import JSONTree
import SurfViewer

/// What is known of the row under the cursor, and the cursor in each of its tabs.
struct DetailView: Sendable {
  /// What was asked for last.
  private(set) var wanted: InspectionRequest?
  private(set) var changes: ChangeList?
  private(set) var state: Outline?
  private(set) var payload: Outline?
  /// What is shown; nil while it is read.
  private(set) var shown: InspectionRequest?
  /// The first line of the facts.
  var factsTop = 0

  /// Whether what is wanted is not here yet.
  var isReading: Bool { wanted != shown }

  /// - Returns: whether somebody must read it.
  mutating func want(_ request: InspectionRequest?) -> Bool {
    guard request != wanted else { return false }
    wanted = request
    guard request == nil else { return true }
    (changes, state, payload, shown) = (nil, nil, nil, nil)
    return false
  }

  /// What is not wanted any more is dropped.
  mutating func take(_ inspection: Inspection) {
    guard inspection.request == wanted else { return }
    shown = inspection.request
    if var changes = inspection.changes {
      if let before = self.changes { changes.take(placesOf: before) }
      self.changes = changes
    } else {
      changes = nil
    }
    Self.show(inspection.state, in: &state)
    Self.show(inspection.payload, in: &payload)
  }

  mutating func move(by count: Int, in tab: DetailTab) {
    switch tab {
    case .changes: changes?.move(by: count)
    case .state: state?.move(by: count)
    case .action: payload?.move(by: count)
    // There are a dozen of them.
    case .facts: factsTop = max(0, min(100, factsTop + max(-100, min(100, count))))
    }
  }

  /// - Returns: false if there is nothing to open.
  mutating func open(in tab: DetailTab) {
    switch tab {
    case .changes: toggleUnchanged(isOpen: false)
    case .state: state?.open()
    case .action: payload?.open()
    case .facts: break
    }
  }

  /// - Returns: false if there was nothing to fold.
  mutating func close(in tab: DetailTab) -> Bool {
    switch tab {
    case .changes: toggleUnchanged(isOpen: true)
    case .state: state?.close() ?? false
    case .action: payload?.close() ?? false
    case .facts: false
    }
  }

  mutating func fold(_ isFolding: Bool, in tab: DetailTab) {
    switch tab {
    case .changes: if changes?.showsUnchanged == isFolding { changes?.toggleUnchanged() }
    case .state: if isFolding { state?.foldAll() } else { state?.unfoldAll() }
    case .action: if isFolding { payload?.foldAll() } else { payload?.unfoldAll() }
    case .facts: break
    }
  }

  @discardableResult
  private mutating func toggleUnchanged(isOpen: Bool) -> Bool {
    guard let changes, changes.lines.indices.contains(changes.index),
      case .unchanged(_, isOpen) = changes.lines[changes.index]
    else { return false }
    self.changes?.toggleUnchanged()
    return true
  }

  private static func show(_ value: JSON?, in outline: inout Outline?) {
    guard let value else {
      outline = nil
      return
    }
    if outline == nil { outline = Outline(value) } else { outline?.replace(value) }
  }
}
