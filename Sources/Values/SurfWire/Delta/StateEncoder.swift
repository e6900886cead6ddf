/// Decides whether a state is sent whole or as a delta from the previous one (Protocol.md §8.3).
/// The app's `RecordWriter` uses it, and so does the gateway for its guests.
package struct StateEncoder {
  private var newest: (record: SequenceNumber, content: Content)?
  /// The records since the last whole state.
  private var chain = Chain()
  private var comparisonBackoff = ComparisonBackoff()

  /// A smaller state fits into one packet and costs hardly more than a delta.
  private static let stateSizeMin = 512

  package init() {}

  /// The records since the last whole state. A newcomer needs all of them to see the newest state,
  /// and the sender keeps them for it.
  private struct Chain {
    private var recordCount = 0
    /// Counts each record as if in packets of its own, as when an app does one thing at a time.
    private var packetCount = 0

    private static let recordCountMax = 512
    /// A chain may always have this many packets, however small the state: they leave in two turns.
    /// Otherwise a small state would be sent whole every few records.
    private static let packetCountMin = 64
    /// Octets of a record in one packet; most packets take slightly more.
    private static let packetRecordSize = 1_400

    mutating func add(_ recordSize: Int) {
      recordCount += 1
      packetCount += Self.packetCount(of: recordSize)
    }

    /// Whether to send one more delta. A late joiner thus needs at most twice the packets of a
    /// large state.
    func allowsDelta(stateSize: Int) -> Bool {
      recordCount < Self.recordCountMax
        && packetCount < max(Self.packetCount(of: stateSize), Self.packetCountMin)
    }

    private static func packetCount(of size: Int) -> Int { size / packetRecordSize + 1 }
  }

  /// Call it for each record, with its size without the state, after `form` if it has a state.
  package mutating func note(detailSize size: Int, form: RecordState) {
    switch form {
    case .keyframe: chain = Chain()
    case .delta(let delta): chain.add(size + delta.bytes.count)
    case .none, .givenUp, .unmade, .reserved: chain.add(size)
    }
  }

  /// How to send a record's state.
  package mutating func form(_ content: Content, of record: SequenceNumber) -> RecordState {
    defer { newest = (record, content) }
    guard let bytes = delta(to: content, of: record) else { return .keyframe(content) }
    return .delta(Content(type: content.type, bytes: bytes))
  }

  private mutating func delta(to content: Content, of record: SequenceNumber) -> [UInt8]? {
    let size = content.bytes.count
    guard let newest, size >= Self.stateSizeMin, newest.content.type == content.type,
      chain.allowsDelta(stateSize: size), comparisonBackoff.allowsTrial()
    else { return nil }
    // A longer delta is not worth the viewer's work.
    let delta = Delta.between(
      newest.content.bytes, content.bytes, baseRecord: newest.record, sizeMax: size / 2)
    comparisonBackoff.note(succeeded: delta != nil)
    return delta?.encoded()
  }
}

/// Skips comparisons after they did not pay, for states, payloads and a viewer's archive: each
/// failure doubles the number to skip.
package struct ComparisonBackoff: Sendable {
  private static let pauseMax = 64

  private var pause = 0
  private var restCount = 0

  package init() {}

  /// Whether to compare the next state. Each call counts as one state.
  package mutating func allowsTrial() -> Bool {
    guard restCount > 0 else { return true }
    restCount -= 1
    return false
  }

  package mutating func note(succeeded: Bool) {
    pause = succeeded ? 0 : min(max(1, 2 * pause), Self.pauseMax)
    restCount = pause
  }
}
