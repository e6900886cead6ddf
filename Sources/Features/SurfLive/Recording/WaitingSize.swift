/// Counts the octets of the pieces that wait. The size of a value is unknown before it is encoded,
/// so it counts as much as recently encoded values.
struct WaitingSize: Sendable {
  private var knownSize = 0
  private var unknownCount = 0
  /// The assumed size of a piece of unknown size.
  private var usualSize: Double
  /// How many pieces `usualSize` averages. The initial guess counts as one.
  private var memory = 1.0

  /// Bounded, because a program's values change.
  private static let memoryMax = 64.0

  /// - Parameter guess: The assumed size before any is known.
  init(guess: Int = 0) { usualSize = Double(guess) }

  var total: Int { knownSize + unknownCount * Int(usualSize) }

  /// What a piece adds to `total`; `nil` if its size is unknown.
  func of(_ size: Int?) -> Int { size ?? Int(usualSize) }

  mutating func add(_ size: Int?) {
    if let size { knownSize += size } else { unknownCount += 1 }
  }

  mutating func remove(_ size: Int?) {
    if let size { knownSize -= size } else { unknownCount -= 1 }
  }

  /// Updates the assumed size with actual sizes.
  mutating func learn(_ encoded: EncodedSizes.Sum) {
    guard encoded.count > 0 else { return }
    let count = Double(encoded.count)
    usualSize += (Double(encoded.size) - usualSize * count) / (count + memory)
    memory = min(memory + count, Self.memoryMax)
  }
}

/// The actual sizes of pieces whose size was unknown before encoding.
package struct EncodedSizes: Sendable {
  package struct Sum: Sendable {
    var size = 0
    var count = 0

    package mutating func add(_ more: Int) {
      size += more
      count += 1
    }
  }

  package var states = Sum()
  /// Names and payloads.
  package var details = Sum()
  package init() {}
}
