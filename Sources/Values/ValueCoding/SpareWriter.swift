import Synchronization

/// A writer that nobody is using, so that its memory is used again.
final class SpareWriter: Sendable {
  /// More memory than this in a spare would be kept for few values.
  private static let byteCountMax = 8 << 20

  /// The address of a writer that is held for it; 0 is none.
  private let slot = Atomic<UInt>(0)

  deinit { _ = writer(slot.exchange(0, ordering: .acquiring)) }

  /// The spare, or another if somebody has it: values may encode others meanwhile.
  func take() -> ValueWriter {
    writer(slot.exchange(0, ordering: .acquiring)) ?? ValueWriter()
  }

  /// Not one that a container still refers to, which a value may have kept.
  func put(_ writer: inout ValueWriter) {
    guard isKnownUniquelyReferenced(&writer), writer.byteCount <= Self.byteCountMax else { return }
    let address = UInt(bitPattern: Unmanaged.passRetained(writer).toOpaque())
    _ = self.writer(slot.exchange(address, ordering: .acquiringAndReleasing))
  }

  /// The writer that was held at an address, now held by the caller.
  private func writer(_ address: UInt) -> ValueWriter? {
    UnsafeRawPointer(bitPattern: address).map {
      Unmanaged<ValueWriter>.fromOpaque($0).takeRetainedValue()
    }
  }
}
