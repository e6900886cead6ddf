public import FoundationEssentials
public import SurfStore

/// One thing that happened to the state, or that was not let happen.
public struct SwiftyRow: Sendable {
  /// What came of it.
  public enum Fate: Hashable, Sendable {
    /// It is the state now.
    case applied
    /// It would have led to a state that may not be.
    case rejected(Objection)
    /// It came while the engine was stopped.
    case frozen
    /// The gate did not let it pass; whoever set that knows why.
    case refused
  }

  /// When it happened.
  public let date: Date
  /// The state after it; `nil` if no store was set.
  public let state: (any SwiftyStateStoreProtocol)?
  /// What came of it.
  public let fate: Fate
  /// What was done, or was to be done; `nil` if the row tells of the recording itself.
  public let change: SwiftyChange?
  private let subject: any Sendable

  init(
    _ subject: any Sendable, state: (any SwiftyStateStoreProtocol)?, fate: Fate = .applied,
    change: SwiftyEngine.Happening? = nil
  ) {
    date = Date()
    self.subject = subject
    self.change = change.map { SwiftyChange(happening: $0) }
    self.state = state
    self.fate = fate
  }

  /// The action, as `String(describing:)` shows it, or `load` or `loadJSON`.
  public var action: String { String(describing: subject) }

  /// Whether no validator objected.
  public var valid: Bool { reason == nil }

  /// Why it was rejected.
  public var reason: String? {
    if case .rejected(let objection) = fate { objection.description } else { nil }
  }

  /// What viewers are to be told of a change that did not happen; `nil` if it did, or if the gate
  /// did not let it pass.
  public var objection: Objection? {
    switch fate {
    case .rejected(let objection): objection
    case .frozen: Objection(validator: "SwiftyState", reason: "the engine is stopped")
    case .applied, .refused: nil
    }
  }
}
