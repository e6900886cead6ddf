import SurfControl
import SurfObserver
import SurfTimeline
import SurfWire

/// The question for an app's initial state. The app answers in a row of its own, for all viewers. A
/// command asks once, and only if no row that is here has the answer.
struct InitialStateQuestion {
  /// Whether this viewer transmits nothing.
  private let observes: Bool
  private var wasAsked = false

  init(_ common: Invocation.Common) { observes = common.observes }

  func mayAsk(_ instance: Instance) -> Bool {
    !observes && !wasAsked && instance.heartbeat.control.contains(.takesCommands)
  }

  mutating func ask(_ session: SessionID) -> CommandAction {
    wasAsked = true
    return .command(session, HistoryCommand<UInt64>.describe.bytes)
  }

  /// Whether the row with the state is here.
  func isAnswered(by change: CatalogChange, of session: SessionID, in catalog: Catalog) -> Bool {
    guard case .rows(session, let rows) = change else { return false }
    return catalog[session]?.timeline.reportsInitialState(in: rows) == true
  }

  /// Whether no such row will arrive.
  func isRefused(by answer: ResetAnswer) -> Bool {
    if case .answered(.applied, _) = answer { false } else { true }
  }
}
