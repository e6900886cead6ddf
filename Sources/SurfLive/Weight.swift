/// Octets of the pieces that wait: counted where they are known, and otherwise as many as those
/// that were encoded of late had, because nothing tells a value's size before that.
struct Weight: Sendable {
  private var knownSize = 0
  private var unknownCount = 0
  /// What a piece of unknown size counts; at first, nothing.
  private var usualSize = 0.0

  /// So many pieces decide about the usual size: one that is much larger than the others should
  /// not let these seem large, too.
  private static let memory = 64.0

  var total: Int { knownSize + unknownCount * Int(usualSize) }

  /// What a piece adds to `total`; `nil` stands for a size that is not known.
  func of(_ size: Int?) -> Int { size ?? Int(usualSize) }

  mutating func add(_ size: Int?) {
    if let size { knownSize += size } else { unknownCount += 1 }
  }

  mutating func remove(_ size: Int?) {
    if let size { knownSize -= size } else { unknownCount -= 1 }
  }

  /// Learns what pieces of unknown size turned out to have.
  mutating func learn(_ encoded: EncodedSizes.Sum) {
    guard encoded.count > 0 else { return }
    let count = Double(encoded.count)
    usualSize += (Double(encoded.size) - usualSize * count) / (count + Self.memory)
  }
}

/// What the encoding of pieces has told of their size.
package struct EncodedSizes: Sendable {
  /// Of some pieces.
  package struct Sum: Sendable {
    var size = 0
    var count = 0

    mutating func add(_ more: Int) {
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
