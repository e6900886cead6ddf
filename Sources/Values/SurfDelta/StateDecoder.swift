package import SurfWire

/// Makes the states of records whole, and their payloads, in the order in which an app sent them
/// (Protocol.md §8.3, §8.4).
///
/// Call it only when a state is wanted: a thousand deltas of a large state may come in one
/// datagram, and making them all at once would need room for as many states.
package struct StateDecoder: Sendable {
  /// The state that a record brought.
  package enum Taken: Equatable, Sendable {
    /// No state.
    case nothing
    case keyframe
    case delta(Delta)
    /// A delta from a state that is not here, or a malformed one; marked as given up.
    case unmade
  }

  /// The record that brought it; 0 before the first.
  package private(set) var record: SequenceNumber = 0
  /// States and payloads that could not be made.
  package private(set) var failureCount = 0
  private var newest = Content(type: "", bytes: [])
  private var payloads = PayloadMemory()

  package init() {}

  /// The newest state; nil before the first, and while somebody else keeps it.
  package var content: Content? { record == 0 || isResting ? nil : newest }
  /// Whether somebody else keeps what makes the newest state.
  package private(set) var isResting = false

  /// Gives up the memory of the newest state, of which deltas may still come.
  package mutating func rest() {
    guard record > 0 else { return }
    (newest, isResting) = (Content(type: newest.type, bytes: []), true)
  }

  /// Has the newest state again.
  package mutating func wake(with content: Content) {
    (newest, isResting) = (content, false)
  }

  /// Takes the state of the next record into `content`, and makes its payload whole; a payload that
  /// cannot be made is left out.
  ///
  /// If no other owner holds the newest state, this costs no more than the changes.
  ///
  /// - Parameter leavesState: whether the record holds the whole state afterwards; none otherwise.
  package mutating func take(_ record: inout Record, leavesState: Bool) -> Taken {
    switch record.state {
    case .none, .givenUp, .reserved: return .nothing
    case .keyframe(let content):
      wake(with: content)
      if !leavesState { record.state = .none }
      payloads.begin()
      finish(record)
      return .keyframe
    case .delta(let change):
      guard record.base == self.record, !isResting, let delta = apply(change) else {
        failureCount += 1
        // The bases of payloads came with the states that are missing.
        record.replace(payload: record.payloadIsDelta ? nil : record.payload, state: .givenUp)
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

  /// - Returns: nil if it is not a delta from the newest state, which then stays.
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
      guard let base = payloads.payload(of: SequenceNumber(decoded.base)) else { return nil }
      return Content(type: delta.type, bytes: try decoded.apply(to: base.bytes))
    } catch {
      return nil
    }
  }
}
