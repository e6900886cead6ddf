public import SurfStore
internal import Synchronization

/// One of several states of a program, which viewers see as one state: an object with a member for
/// each part. `Transceiver.part` makes it.
public final class StatePart<State: Codable & Sendable>: Sendable {
  private let name: String
  fileprivate let id: Int
  // Without a lock: it is set once, and Swift reads weak references atomically. Weak, because the
  // object that `restore` captures may own the part.
  private nonisolated(unsafe) weak var transceiver: Transceiver?

  fileprivate init(_ name: String, _ id: Int, of transceiver: Transceiver) {
    (self.name, self.id, self.transceiver) = (name, id, transceiver)
  }

  /// Records an action and the state of this part after it, with the newest states of all others.
  /// The row's name begins with that of the part: `cart: add(2)`.
  ///
  /// While recording is suspended, the state is only kept for the rows of the other parts.
  ///
  /// - Parameter parent: The record that led to this one, such as the request of a response.
  /// - Returns: `nil` if nothing was recorded: off, suspended, or too much is waiting.
  @discardableResult
  public func record<Action: Sendable>(
    action: @autoclosure () -> Action, state: @autoclosure () -> State, parent: RecordID? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) -> RecordID? {
    guard let transceiver, transceiver.recorder != nil else { return nil }
    let action = action()
    return add(state(), to: transceiver) { recorder, states in
      recorder.record(
        action: action, ofPart: name, state: states, parent: parent,
        at: .call(file: file, line: line))
    }
  }

  /// Records that this part has changed, as `Transceiver.record(changeFrom:to:)` does, for a
  /// `didSet`. The row's name says where: `changed cart.items`.
  @discardableResult
  public func record(
    changeFrom former: @autoclosure () -> State, to state: @autoclosure () -> State,
    parent: RecordID? = nil, file: StaticString = #fileID, line: UInt = #line
  ) -> RecordID? {
    guard let transceiver, transceiver.recorder != nil,
      !ResetTask.isRunning(in: transceiver)
    else { return nil }
    let former = former()
    return add(state(), to: transceiver) { recorder, states in
      recorder.record(
        changeFrom: states.replacing(name, by: former), to: states, parent: parent,
        at: .call(file: file, line: line))
    }
  }

  fileprivate func record<Action>(_ step: Step<Action, State>, parent: RecordID?) -> RecordID? {
    guard let transceiver else { return nil }
    return add(step.state, to: transceiver) { recorder, states in
      recorder.record(
        action: step.action, ofPart: name, state: states, parent: parent, at: .step(step.source))
    }
  }

  private func add(
    _ state: State, to transceiver: Transceiver,
    _ record: (Recorder, CombinedState) -> RecordID?
  ) -> RecordID? {
    transceiver.parts.update(id, to: state) { states in
      transceiver.openRecorder.flatMap { record($0, states) }
    }
  }
}

extension Transceiver {
  /// Shows one of several states that the program has. Viewers see all parts as one state and
  /// restore them together.
  ///
  ///     let cart = transceiver.part("cart", initial: Cart()) { shop.replace(with: $0) }
  ///     let user = transceiver.part("user", initial: User()) { await accounts.set($0) }
  ///     transceiver.resume()
  ///     cart.record(action: "add milk", state: shop.cart)
  ///
  /// Call it before `resume()`. Such a program records its states only through its parts, and does
  /// not call `onReset`. Another part of the same name takes the place of the first, which then
  /// records nothing. Each record encodes the states of all parts.
  ///
  /// - Parameters:
  ///   - initial: The state that the part starts in.
  ///   - restore: Sets the part's state, as a handler of `onReset` does. It is called when the
  ///     states of all parts have been decoded, and one part after the other. If one throws, those
  ///     before it get back the states that they had. It is kept as long as the transceiver.
  public func part<State: Codable & Sendable>(
    _ name: String, initial: State, restore: @escaping @Sendable (State) async throws -> Void
  ) -> StatePart<State> {
    let (id, initial) = parts.add(name, initial, restore)
    recorder?.setInitial(initial)
    onReset { [parts] reset async throws in
      let states = try parts.decoding { try reset.state(as: CombinedState.self) }
      try await parts.restore(states ?? initial)
    }
    return StatePart(name, id, of: self)
  }

  /// Shows every step of a store as a part. When the token is cancelled or dropped, the part ends.
  /// If an effect or a middleware dispatched an action, viewers show the action that caused it.
  ///
  /// A viewer restores the store's state. To skip and dispatch actions as well, a program needs a
  /// `HistoryTransceiver`, whose store is the only one.
  public func part<Action, State: Codable & Sendable>(
    _ name: String, of store: Store<Action, State>
  ) -> Subscription {
    guard recorder != nil else { return Subscription {} }
    let part = part(name, initial: store.state) { [weak store] state in
      // The restore still reaches the other parts.
      guard let store else { return }
      await withCheckedContinuation { done in store.restore(state) { done.resume() } }
    }
    let steps = store.observe(Recorder.tracing(store) { part.record($0, parent: $1) })
    // A step may have come between the two lines above.
    store.revise { [parts] state in
      parts.update(part.id, to: state)
      return nil
    }
    return Subscription { [parts] in
      steps.cancel()
      parts.remove(part.id)
    }
  }
}

/// The newest states of all parts of a program.
final class StateParts: Sendable {
  private struct Part: Sendable {
    let id: Int
    let name: String
    let initial: any Codable & Sendable
    var state: any Codable & Sendable
    let decode: CombinedState.Decode
    let restore: @Sendable (any Codable & Sendable) async throws -> Void
  }

  private let parts = Mutex<(all: [Part], count: Int)>(([], 0))

  /// Returns the part's id, and the initial state of all parts.
  func add<State: Codable & Sendable>(
    _ name: String, _ initial: State, _ restore: @escaping @Sendable (State) async throws -> Void
  ) -> (id: Int, initial: CombinedState) {
    parts.withLock { parts in
      parts.count += 1
      let part = Part(id: parts.count, name: name, initial: initial, state: initial) {
        try $0.decode(State.self, forKey: $1)
      } restore: {
        // Always of this type, because `decode` made it.
        if let state = $0 as? State { try await restore(state) }
      }
      parts.all.removeAll { $0.name == name }
      parts.all.append(part)
      return (part.id, CombinedState(members: parts.all.map { ($0.name, $0.initial) }))
    }
  }

  func remove(_ id: Int) { parts.withLock { $0.all.removeAll { $0.id == id } } }

  /// Calls `record` with the states after a change, one call at a time.
  @discardableResult
  func update(
    _ id: Int, to state: any Codable & Sendable,
    _ record: (CombinedState) -> RecordID? = { _ in nil }
  ) -> RecordID? {
    parts.withLock { parts in
      guard let index = parts.all.firstIndex(where: { $0.id == id }) else { return nil }
      parts.all[index].state = state
      return record(CombinedState(members: parts.all.map { ($0.name, $0.state) }))
    }
  }

  /// Decodes a state within `body`.
  func decoding<Result>(_ body: () throws -> Result) rethrows -> Result {
    let members = parts.withLock { $0.all.map { ($0.name, $0.decode) } }
    return try CombinedState.$decoded.withValue(members, operation: body)
  }

  /// Restores all parts. If one throws, it puts those before it back.
  ///
  /// A part's state is kept before the part restores it, so that what the part records meanwhile is
  /// kept as well.
  func restore(_ states: CombinedState) async throws {
    let parts = parts.withLock(\.all)
    for (index, part) in parts.enumerated() {
      guard let state = states[part.name] else { continue }
      update(part.id, to: state)
      do {
        try await part.restore(state)
      } catch {
        update(part.id, to: part.state)
        // The task of this reset may have been cancelled; that must not keep the others from it.
        let stuck = await Task { await putBack(parts[..<index]) }.value
        throw PartFault(part: part.name, reason: "\(error)", stuck: stuck)
      }
    }
  }

  /// Gives parts the states that they had, and returns those that throw.
  private func putBack(_ parts: ArraySlice<Part>) async -> [String] {
    var stuck: [String] = []
    for part in parts {
      update(part.id, to: part.state)
      do { try await part.restore(part.state) } catch { stuck.append(part.name) }
    }
    return stuck
  }
}

private struct PartFault: Error, CustomStringConvertible {
  let part: String
  let reason: String
  /// Parts that kept the state which the whole program should have had.
  let stuck: [String]

  var description: String {
    let rest = stuck.isEmpty ? "" : "; not put back: \(stuck.joined(separator: ", "))"
    return "\(part): \(reason)\(rest)"
  }
}

/// The states of all parts, as an object.
struct CombinedState: Codable, Sendable {
  typealias Decode =
    @Sendable (KeyedDecodingContainer<Name>, Name) throws -> any Codable & Sendable

  /// The members to decode, which only the program knows.
  @TaskLocal static var decoded: [(name: String, decode: Decode)] = []

  private var members: [(name: String, state: any Codable & Sendable)]

  init(members: [(name: String, state: any Codable & Sendable)]) { self.members = members }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Name.self)
    members = try Self.decoded.map { name, decode in
      (name, try decode(container, Name(stringValue: name)))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Name.self)
    for (name, state) in members { try container.encode(state, forKey: Name(stringValue: name)) }
  }

  subscript(name: String) -> (any Codable & Sendable)? {
    members.first { $0.name == name }?.state
  }

  func replacing(_ name: String, by state: any Codable & Sendable) -> CombinedState {
    CombinedState(members: members.map { $0.name == name ? (name, state) : $0 })
  }

  struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
}
