package import SurfWire

/// Decides which payloads go whole, and which as a delta from an earlier one (Protocol.md §8.4).
package struct PayloadEncoder {
  private var memory = PayloadMemory()
  private var comparisonBackoff = ComparisonBackoff()

  /// Below this a payload costs hardly more than a delta.
  private static let sizeMin = 64
  /// Payloads of one kind begin alike: with the name of their action.
  private static let commonCountMin = 8
  /// Octets by which kinds are told apart.
  private static let prefixCount = 64

  package init() {}

  /// The delta to send for a record's payload, if it goes as one: never beside a whole state. Call
  /// it for every record, so that both ends remember the same.
  package mutating func delta(
    to payload: Content?, of record: SequenceNumber, beside state: RecordState
  ) -> Content? {
    switch state {
    case .delta: break
    case .keyframe: memory.begin()
    case .none, .givenUp, .reserved: return nil
    }
    defer { memory.keep(payload, of: record) }
    guard let payload, payload.bytes.count >= Self.sizeMin,
      payload.bytes.count <= Limits.keptPayloadSizeMax, let base = base(for: payload),
      comparisonBackoff.allowsTrial()
    else { return nil }
    let delta = Delta.between(
      base.content.bytes, payload.bytes, baseRecord: base.record.rawValue,
      sizeMax: payload.bytes.count / 2)
    comparisonBackoff.note(succeeded: delta != nil)
    return delta.map { Content(type: payload.type, bytes: $0.encoded()) }
  }

  /// The one that begins most like it; of several, the newest.
  private func base(for payload: Content) -> PayloadMemory.Kept? {
    var best: (kept: PayloadMemory.Kept, count: Int)?
    for kept in memory.kept.reversed() where kept.content.type == payload.type {
      let count = commonCount(kept.content.bytes, payload.bytes)
      if count > best?.count ?? Self.commonCountMin - 1 { best = (kept, count) }
      if count == Self.prefixCount { break }
    }
    return best?.kept
  }

  private func commonCount(_ first: [UInt8], _ second: [UInt8]) -> Int {
    let end = min(first.count, second.count, Self.prefixCount)
    return (0..<end).first { first[$0] != second[$0] } ?? end
  }
}

/// The payloads of which later ones may be made (Protocol.md §8.4). Both ends keep the same.
package struct PayloadMemory: Sendable {
  /// A payload, and the record that brought it.
  package struct Kept: Sendable {
    package let record: SequenceNumber
    package let content: Content
  }

  /// The oldest first.
  package private(set) var kept: [Kept] = []

  package init() {}

  /// A record with a whole state has come: later payloads are made of nothing older.
  package mutating func begin() { kept = [] }

  /// Keeps the payload of a record with a state, if it has one that is not too long.
  package mutating func keep(_ content: Content?, of record: SequenceNumber) {
    guard let content, content.bytes.count <= Limits.keptPayloadSizeMax else { return }
    if kept.count >= Limits.keptPayloadCountMax { kept.removeFirst() }
    kept.append(Kept(record: record, content: content))
  }

  package func payload(of record: SequenceNumber) -> Content? {
    kept.last { $0.record == record }?.content
  }
}
