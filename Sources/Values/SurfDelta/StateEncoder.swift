package import SurfWire

/// Decides which states go whole, and which as a delta from the state before (Protocol.md
/// §8.3).
package struct StateEncoder {
  private var newest: (record: SequenceNumber, content: Content)?
  /// The records since the last whole state.
  private var chain = Chain()
  private var comparisonBackoff = ComparisonBackoff()

  /// Below this a state costs hardly more than a delta, and fits a packet.
  private static let stateSizeMin = 512

  package init() {}

  /// All that a newcomer needs besides the whole state in order to see the newest, and that the
  /// sender keeps for it.
  private struct Chain {
    private var recordCount = 0
    /// Each record has packets of its own, as in an app that does one thing after the other.
    private var packetCount = 0

    private static let recordCountMax = 512
    /// Packets that the whole state need not outweigh: they leave in two turns. Otherwise a small
    /// state would go whole every few records.
    private static let packetCountMin = 64
    /// Octets of a record that a packet has room for, a little less than most have.
    private static let roomSize = 1_400

    mutating func add(_ recordSize: Int) {
      recordCount += 1
      packetCount += Self.packetCount(of: recordSize)
    }

    /// A late joiner has the newest state in at most twice the time that the whole one takes.
    func hasRoom(beside stateSize: Int) -> Bool {
      recordCount < Self.recordCountMax
        && packetCount < max(Self.packetCount(of: stateSize), Self.packetCountMin)
    }

    private static func packetCount(of size: Int) -> Int { size / roomSize + 1 }
  }

  /// A record took this many octets besides its state.
  package mutating func note(detailSize size: Int, form: RecordState) {
    switch form {
    case .keyframe: chain = Chain()
    case .delta(let delta): chain.add(size + delta.bytes.count)
    case .none, .givenUp, .reserved: chain.add(size)
    }
  }

  /// The state of a record, in the form to send.
  package mutating func form(_ content: Content, of record: SequenceNumber) -> RecordState {
    defer { newest = (record, content) }
    guard let bytes = delta(to: content, of: record) else { return .keyframe(content) }
    return .delta(Content(type: content.type, bytes: bytes))
  }

  private mutating func delta(to content: Content, of record: SequenceNumber) -> [UInt8]? {
    let size = content.bytes.count
    guard let newest, size >= Self.stateSizeMin, newest.content.type == content.type,
      chain.hasRoom(beside: size), comparisonBackoff.allowsTrial()
    else { return nil }
    // More than half is not worth the work at the other end.
    let delta = Delta.between(
      newest.content.bytes, content.bytes, baseRecord: newest.record.rawValue, sizeMax: size / 2)
    comparisonBackoff.note(succeeded: delta != nil)
    return delta?.encoded()
  }
}

/// When to compare, if comparing did not pay: each failure doubles the number of states to let
/// pass.
package struct ComparisonBackoff: Sendable {
  private static let pauseMax = 64

  private var pause = 0
  private var restCount = 0

  package init() {}

  /// Whether the next state is worth a trial. Each question counts.
  package mutating func allowsTrial() -> Bool {
    guard restCount > 0 else { return true }
    restCount -= 1
    return false
  }

  /// The result of the trial.
  package mutating func note(succeeded: Bool) {
    pause = succeeded ? 0 : min(max(1, 2 * pause), Self.pauseMax)
    restCount = pause
  }
}
