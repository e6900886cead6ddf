import SurfWire

/// The records of an app's live values, in order and within limits, for a `Sender` (Protocol.md
/// §10.10).
struct KeptValues: Sendable {
  private var values: BoundedValues<[UInt8]>
  /// The newest record that the app has made.
  private(set) var newestRecord: SequenceNumber = 0
  private(set) var leftOutCount: WireCount = 0
  /// Whether there has ever been a value.
  private(set) var isUsed = false

  init(countMax: Int = Limits.valueCountMax, sizeMax: Int = Limits.valueTableSizeMax) {
    values = BoundedValues(countMax: countMax, sizeMax: sizeMax)
  }

  /// Octets of the records.
  var size: Int { values.size }

  /// Takes any record that is newer than all earlier ones.
  mutating func note(_ record: Record) {
    newestRecord = record.sequence
    switch record.kind {
    case .update:
      isUsed = true
      let bytes = record.withoutState.encoded()
      let lost = values.set(
        ValueName(record.name), to: bytes, size: bytes.count, by: record.sequence)
      leftOutCount.add(WireCount(lost))
    case .remove: values.remove(ValueName(record.name), by: record.sequence)
    case .action, .log, .mark, .revision, .restored, .other: break
    }
  }

  /// Changes the size limit, in octets.
  mutating func bound(size: Int) {
    values.sizeMax = size
    leftOutCount.add(WireCount(values.shrink(to: size)))
  }

  /// The first live record after `record`.
  func first(after record: SequenceNumber) -> (record: SequenceNumber, value: [UInt8])? {
    values.first(after: record)
  }
}
