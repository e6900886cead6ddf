/// Octets of the pieces that wait. A piece of unknown size counts as much as those encoded
/// recently, because nothing tells a value's size before it is encoded.
struct WaitingSize: Sendable {
  private var knownSize = 0
  private var unknownCount = 0
  /// What a piece of unknown size counts.
  private var usualSize: Double
  /// The number of pieces that have decided the usual size. The guess counts as one of them.
  private var memory = 1.0

  /// Bounded, because what a program does changes.
  private static let memoryMax = 64.0

  /// - Parameter guess: Octets of a piece of unknown size, before any is known.
  init(guess: Int = 0) { usualSize = Double(guess) }

  var total: Int { knownSize + unknownCount * Int(usualSize) }

  /// What a piece adds to `total`; `nil` stands for a size that is not known.
  func of(_ size: Int?) -> Int { size ?? Int(usualSize) }

  mutating func add(_ size: Int?) {
    if let size { knownSize += size } else { unknownCount += 1 }
  }

  mutating func remove(_ size: Int?) {
    if let size { knownSize -= size } else { unknownCount -= 1 }
  }

  /// Learns the sizes that pieces of unknown size turned out to have.
  mutating func learn(_ encoded: EncodedSizes.Sum) {
    guard encoded.count > 0 else { return }
    let count = Double(encoded.count)
    usualSize += (Double(encoded.size) - usualSize * count) / (count + memory)
    memory = min(memory + count, Self.memoryMax)
  }
}

/// The sizes that encoded pieces turned out to have.
package struct EncodedSizes: Sendable {
  /// Of some pieces.
  package struct Sum: Sendable {
    var size = 0
    var count = 0

    package mutating func add(_ more: Int) {
      size += more
      count += 1
    }
  }

  /// Of states.
  package var states = Sum()
  /// Of names and payloads.
  package var details = Sum()
  package init() {}
}
