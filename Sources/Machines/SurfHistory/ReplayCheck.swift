package import SurfControl

/// Checks whether a rewrite was exact. It copies what it needs from the log in the store's turn.
/// The comparison can then run later, on another thread, as long as time allows.
///
/// A rewrite is exact if each action, run again on the state that it was applied to when it
/// happened, leads to the same state as then. A reducer that reads a clock or draws random numbers
/// does not do that.
package struct ReplayCheck<Action: Sendable, State: Sendable>: Sendable {
  /// A class, because Swift would write code to copy each part for any types of the app's.
  private final class Run: Sendable {
    let id: UInt64
    /// Nil if it cannot be run again.
    let action: Action?
    /// The action that it builds on; nil if it builds on none.
    let baseID: UInt64?
    /// The state that the action is applied to now, and the one that it leads to.
    let base: State
    let state: State
    /// The same two when it happened.
    let origin: State
    let recorded: State
    /// Whether `origin` is the recorded state of `baseID`.
    let isOriginOfBase: Bool

    init(
      _ entry: ActionLog<Action, State>.Entry, baseID: UInt64?, base: State, origin: State
    ) {
      (id, action, self.baseID, self.base) = (entry.id, entry.action, baseID, base)
      (state, recorded) = (entry.state, entry.recorded)
      (self.origin, isOriginOfBase) = (entry.origin ?? origin, entry.origin == nil)
    }
  }

  private let runs: [Run]
  private let reduce: (@Sendable (Action, inout State) -> Void)?

  /// - Parameter computed: The ids of the actions whose states were recomputed.
  package init(_ log: ActionLog<Action, State>, computed: Set<UInt64>) {
    reduce = log.reduce
    guard reduce != nil, !computed.isEmpty else {
      runs = []
      return
    }
    var known: [UInt64: (state: State, recorded: State)] = [:]
    var runs: [Run] = []
    for entry in log.entries {
      defer { known[entry.id] = (entry.state, entry.recorded) }
      guard computed.contains(entry.id), !entry.isSkipped else { continue }
      var (baseID, base, origin) = (UInt64?.none, log.committed, log.committed)
      switch entry.base {
      case .committed: break
      case .outside(let state): (base, origin) = (state, state)
      case .entry(let id):
        baseID = id
        if let pair = known[id] { (base, origin) = pair }
      }
      runs.append(Run(entry, baseID: baseID, base: base, origin: origin))
    }
    self.runs = runs
  }

  /// Compares the states, and runs an action again if its base has changed. Runs on any thread.
  ///
  /// - Parameters:
  ///   - bytes: Encodes a state, equal states as equal bytes.
  ///   - mayGoOn: Whether to continue after encoding `size` bytes.
  package func result(
    bytes: (State) throws -> [UInt8], mayGoOn: (_ size: Int) -> Bool
  ) -> Revision.Replay {
    guard let reduce else { return .approximate }
    var size = 0
    var uncheckedCount = 0
    var last: (id: UInt64, state: [UInt8], recorded: [UInt8])?
    func counted(_ state: State) throws -> [UInt8] {
      let octets = try bytes(state)
      size += octets.count
      return octets
    }
    for (index, run) in runs.enumerated() {
      guard mayGoOn(size) else { return .unchecked(uncheckedCount + runs.count - index) }
      do {
        let before = last.flatMap { $0.id == run.baseID ? $0 : nil }
        let base = try before?.state ?? counted(run.base)
        let origin =
          try (run.isOriginOfBase ? before?.recorded : nil) ?? counted(run.origin)
        var outcome = try counted(run.state)
        let recorded = try counted(run.recorded)
        last = (run.id, outcome, recorded)
        if base != origin {
          guard let action = run.action else { return .kept(run.id) }
          var state = run.origin
          reduce(action, &state)
          outcome = try counted(state)
        }
        if outcome != recorded { return .differs(run.id) }
      } catch {
        uncheckedCount += 1
        last = nil
      }
    }
    return uncheckedCount == 0 ? .exact : .unchecked(uncheckedCount)
  }
}
