package import SurfWire

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
