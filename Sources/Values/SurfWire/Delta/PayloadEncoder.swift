/// Decides whether the app sends a payload whole or as a delta from an earlier one (Protocol.md
/// §8.4).
package struct PayloadEncoder {
  private var memory = PayloadMemory()
  private var comparisonBackoff = ComparisonBackoff()

  /// A smaller payload costs hardly more than a delta.
  private static let sizeMin = 64
  /// Payloads of one kind share a beginning, which contains the name of their action.
  private static let commonCountMin = 8
  /// How many octets to compare to find the most similar payload.
  private static let prefixCount = 64

  package init() {}

  /// The delta to send in place of a record's payload; nil to send it whole, as beside a whole
  /// state. Call it for every record, so that both ends keep the same payloads.
  package mutating func delta(
    to payload: Content?, of record: SequenceNumber, beside state: RecordState
  ) -> Content? {
    switch state {
    case .delta: break
    case .keyframe: memory.begin()
    case .none, .givenUp, .unmade, .reserved: return nil
    }
    defer { memory.keep(payload, of: record) }
    guard let payload, payload.bytes.count >= Self.sizeMin,
      payload.bytes.count <= Limits.keptPayloadSizeMax, let base = base(for: payload),
      comparisonBackoff.allowsTrial()
    else { return nil }
    let delta = Delta.between(
      base.content.bytes, payload.bytes, baseRecord: base.record,
      sizeMax: payload.bytes.count / 2)
    comparisonBackoff.note(succeeded: delta != nil)
    return delta.map { Content(type: payload.type, bytes: $0.encoded()) }
  }

  /// The kept payload with the longest common beginning; of several, the newest.
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

/// The payloads that can be bases of later ones (Protocol.md §8.4). Both ends keep the same.
package struct PayloadMemory: Sendable {
  /// A payload and its record.
  package struct Kept: Sendable {
    package let record: SequenceNumber
    package let content: Content
  }

  /// Oldest first.
  package private(set) var kept: [Kept] = []

  package init() {}

  /// Forgets all payloads: a record has a whole state, and later deltas refer to nothing before it.
  package mutating func begin() { kept = [] }

  /// Keeps the payload of a record with a state, unless it is too long. Evicts the oldest.
  package mutating func keep(_ content: Content?, of record: SequenceNumber) {
    guard let content, content.bytes.count <= Limits.keptPayloadSizeMax else { return }
    if kept.count >= Limits.keptPayloadCountMax { kept.removeFirst() }
    kept.append(Kept(record: record, content: content))
  }

  package func payload(of record: SequenceNumber) -> Content? {
    kept.last { $0.record == record }?.content
  }
}
