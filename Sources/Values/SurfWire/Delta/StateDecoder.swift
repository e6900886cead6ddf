/// Turns the deltas of records back into whole states and payloads, in the order that an app sent
/// them (Protocol.md §8.3, §8.4). Viewers archive states with it, and an app rebuilds a state from
/// its own packets.
///
/// Whole states only when wanted: one datagram may carry a thousand deltas of a large state, and
/// all their states together would not fit into memory.
package struct StateDecoder: Sendable {
  /// The contents of a record.
  package enum Taken: Equatable, Sendable {
    case nothing
    case keyframe
    case delta(Delta)
    /// A malformed delta, or one whose base is missing. The record's state is now `.unmade`.
    case unmade
  }

  /// The record of the newest state; 0 before the first.
  package private(set) var record: SequenceNumber = 0
  /// How many states and payloads could not be rebuilt.
  package private(set) var failureCount = 0
  private var newest = Content(type: "", bytes: [])
  private var payloads = PayloadMemory()

  package init() {}

  /// The newest state; nil before the first, and while resting.
  package var content: Content? { record == 0 || isResting ? nil : newest }
  /// Whether the newest state was released; see `rest`.
  package private(set) var isResting = false

  /// Releases the memory of the newest state. The caller keeps what it takes to rebuild it, and
  /// calls `wake` before the next delta.
  package mutating func rest() {
    guard record > 0 else { return }
    (newest, isResting) = (Content(type: newest.type, bytes: []), true)
  }

  /// Takes the newest state back after a rest.
  package mutating func wake(with content: Content) {
    (newest, isResting) = (content, false)
  }

  /// Takes the next record: rebuilds its state into `content`, and its payload in place. A payload
  /// that cannot be rebuilt is removed.
  ///
  /// Costs no more than the changes if the newest state has no other owner.
  ///
  /// - Parameter leavesState: whether the record keeps its whole state; otherwise it has none
  ///   after.
  package mutating func take(_ record: inout Record, leavesState: Bool) -> Taken {
    switch record.state {
    case .none, .givenUp, .unmade, .reserved: return .nothing
    case .keyframe(let content):
      wake(with: content)
      if !leavesState { record.state = .none }
      payloads.begin()
      finish(record)
      return .keyframe
    case .delta(let change):
      guard record.base == self.record, !isResting, let delta = apply(change) else {
        failureCount += 1
        // The payload's base was lost with the missing states.
        record.replace(payload: record.payloadIsDelta ? nil : record.payload, state: .unmade)
        return .unmade
      }
      let payload = record.payloadIsDelta ? made(record.payload) : record.payload
      if payload == nil, record.payload != nil { failureCount += 1 }
      record.replace(payload: payload, state: leavesState ? .keyframe(newest) : .none)
      finish(record)
      return .delta(delta)
    }
  }

  private mutating func finish(_ record: Record) {
    self.record = record.sequence
    payloads.keep(record.payload, of: record.sequence)
  }

  /// - Returns: nil if it is not a delta from the newest state, which then stays unchanged.
  private mutating func apply(_ change: Content) -> Delta? {
    do throws(DeltaError) {
      let delta = try Delta(decoding: change.bytes, sizeMax: Limits.contentSizeMax)
      try delta.apply(inPlace: &newest.bytes)
      newest.type = change.type
      return delta
    } catch {
      return nil
    }
  }

  private func made(_ delta: Content?) -> Content? {
    guard let delta else { return nil }
    do throws(DeltaError) {
      let decoded = try Delta(decoding: delta.bytes, sizeMax: Limits.keptPayloadSizeMax)
      guard let base = payloads.payload(of: decoded.base) else { return nil }
      return Content(type: delta.type, bytes: try decoded.apply(to: base.bytes))
    } catch {
      return nil
    }
  }
}
