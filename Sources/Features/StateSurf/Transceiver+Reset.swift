internal import Synchronization

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension Transceiver {
  /// A viewer's request to put the program into a state.
  public struct Reset: Equatable, Sendable {
    /// The state's bytes as they were recorded; `nil` for the initial state.
    ///
    /// Redacted values have been filled in with those recorded last. If you do not decode the bytes
    /// with `state(as:)`, make sure that no such value gets into a field that is not redacted.
    public var state: Data? { offered.state }
    /// The content type of the bytes; empty without bytes.
    public var contentType: String { offered.contentType }
    /// The name of the viewer. Show it, but do not trust it: nothing verifies it.
    public var viewerName: String { offered.viewerName }

    private let offered: OfferedReset

    fileprivate init(_ offered: OfferedReset) { self.offered = offered }

    /// Decodes the state as the configuration's `coding` encodes it; `nil` for the initial state.
    ///
    /// Throws if the decoded value is `Encodable` and would show a redacted value.
    public func state<State: Decodable>(as type: State.Type) throws -> State? {
      try offered.state(as: type)
    }
  }

  /// Lets viewers set the state. Without a handler, or with one set only after `resume()`, viewers
  /// see that this program takes no resets.
  ///
  /// StateSurf calls the handler on a thread of its own, one reset at a time. The reset counts as
  /// applied when the handler returns. If the handler throws, it must leave the state unchanged;
  /// the error becomes the reason of the rejection. The handler must not record, or looking back
  /// would add to the history. It is kept as long as the transceiver.
  ///
  /// The viewer waits five seconds, then says that the program did not answer. The handler goes on,
  /// and when it ends, all viewers see the result. Meanwhile at most four resets wait. StateSurf
  /// does not apply further ones, or those that have waited for five seconds; their viewers are
  /// asked to try again.
  public func onReset(_ handler: @escaping @Sendable (Reset) throws -> Void) {
    let id = ObjectIdentifier(self)
    recorder?.onReset { offered in
      try ResetTask.during(id) { try handler(Reset(offered)) }
    }
  }

  /// The same with an asynchronous handler.
  ///
  /// The handler runs in a task, which is cancelled after five seconds. StateSurf makes no other
  /// request until the handler has returned.
  public func onReset(_ handler: @escaping @Sendable (Reset) async throws -> Void) {
    let id = ObjectIdentifier(self)
    recorder?.onReset(waitingFor: nil) { task, offered in
      guard task.begin() else { return false }
      try await ResetTask.during(id) { try await handler(Reset(offered)) }
      return true
    }
  }

  /// The same on an actor, which is kept as long as the transceiver. Nothing else touches the
  /// actor's state until the handler returns.
  ///
  /// If the actor runs nothing for two seconds, StateSurf refuses the reset, and never calls the
  /// handler for it.
  public func onReset<Owner: Actor>(
    on owner: Owner, _ handler: @escaping @Sendable (isolated Owner, Reset) throws -> Void
  ) {
    let id = ObjectIdentifier(self)
    let visit: @Sendable (isolated Owner, CommandTask, Reset) throws -> Bool = {
      owner, task, reset in
      guard task.begin() else { return false }
      try ResetTask.during(id) { try handler(owner, reset) }
      return true
    }
    recorder?.onReset(waitingFor: owner) { try await visit(owner, $0, Reset($1)) }
  }

  /// The same on the main actor: `onReset(on: MainActor.self) { reset in … }`.
  public func onReset(
    on owner: MainActor.Type, _ handler: @escaping @MainActor @Sendable (Reset) throws -> Void
  ) {
    let id = ObjectIdentifier(self)
    recorder?.onReset(waitingFor: MainActor.shared) { @MainActor task, offered in
      guard task.begin() else { return false }
      try ResetTask.during(id) { try handler(Reset(offered)) }
      return true
    }
  }
}

// Handlers that take states of one type.
extension Transceiver {
  /// Lets viewers set a state of one type, decoded as the configuration's `coding` encodes it. If a
  /// state does not decode, the handler is not called, and viewers see why. Otherwise as
  /// `onReset(_:)`.
  ///
  /// - Parameter initial: The state that the program starts in. Viewers can see it as row 0, and
  ///   the handler gets it when a viewer asks for that.
  public func onReset<State: Codable & Sendable>(
    initial: State, _ handler: @escaping @Sendable (State) throws -> Void
  ) {
    recorder?.setInitial(initial)
    onReset { reset throws in try handler(try reset.state(as: State.self) ?? initial) }
  }

  /// The same with an asynchronous handler.
  public func onReset<State: Codable & Sendable>(
    initial: State, _ handler: @escaping @Sendable (State) async throws -> Void
  ) {
    recorder?.setInitial(initial)
    onReset { reset async throws in
      try await handler(try reset.state(as: State.self) ?? initial)
    }
  }

  /// The same on an actor, as `onReset(on:_:)`.
  public func onReset<State: Codable & Sendable, Owner: Actor>(
    initial: State, on owner: Owner,
    _ handler: @escaping @Sendable (isolated Owner, State) throws -> Void
  ) {
    recorder?.setInitial(initial)
    onReset(on: owner) { owner, reset in
      try handler(owner, try reset.state(as: State.self) ?? initial)
    }
  }

  /// The same on the main actor.
  public func onReset<State: Codable & Sendable>(
    initial: State, on owner: MainActor.Type,
    _ handler: @escaping @MainActor @Sendable (State) throws -> Void
  ) {
    recorder?.setInitial(initial)
    onReset(on: owner) { reset in try handler(try reset.state(as: State.self) ?? initial) }
  }

  /// Lets viewers hold the program still, as they hold a store: the handler gets true when a viewer
  /// locks the program, and false when one unlocks it. A game's loop, for example, waits meanwhile.
  ///
  /// Call it before `resume()`. StateSurf calls the handler on a thread of its own, and answers the
  /// viewer when it has returned. It is kept as long as the transceiver. A program with a
  /// `HistoryTransceiver` or a `StoreObserver` needs none: its store refuses actions meanwhile.
  public func onLock(_ handler: @escaping @Sendable (Bool) -> Void) { recorder?.onLock(handler) }
}

/// The reset that the current task carries out, so that it is not recorded as the program's change.
final class ResetTask: Sendable {
  @TaskLocal private static var current: ResetTask?

  private let owner: ObjectIdentifier
  /// A task that the handler has started may outlive it.
  private let isOver = Atomic(false)

  private init(_ owner: ObjectIdentifier) { self.owner = owner }

  static func isRunning(in transceiver: Transceiver) -> Bool {
    guard let current, current.owner == ObjectIdentifier(transceiver) else { return false }
    return !current.isOver.load(ordering: .relaxed)
  }

  static func during<Result>(
    _ owner: ObjectIdentifier, _ handler: () throws -> Result
  ) rethrows -> Result {
    let task = ResetTask(owner)
    defer { task.isOver.store(true, ordering: .relaxed) }
    return try $current.withValue(task, operation: handler)
  }

  static func during<Result>(
    _ owner: ObjectIdentifier, _ handler: () async throws -> Result
  ) async rethrows -> Result {
    let task = ResetTask(owner)
    defer { task.isOver.store(true, ordering: .relaxed) }
    return try await $current.withValue(task, operation: handler)
  }
}
