import Synchronization

/// The newest values that a recorder has encoded as reflection sees them.
package final class SeenValues: Sendable {
  /// The bounds of a generation. At least one generation is kept, and at most two.
  private static let countMax = 4_096
  private static let byteCountMax = 16 << 20

  private struct Key: Hashable {
    let type: ObjectIdentifier
    /// A hash of 64 bits with a seed of this process's, so that a collision is negligible.
    let look: Int
  }

  private struct Generation {
    var values: [Key: any Sendable] = [:]
    /// Octets of JSON. The values may take more memory, because reflection does not see all of it.
    var byteCount = 0
  }

  private let generations = Mutex((young: Generation(), old: Generation()))

  package init() {}

  package func keep<Value: Sendable>(_ value: Value, as look: some Hashable, byteCount: Int) {
    let key = Key(type: ObjectIdentifier(Value.self), look: look.hashValue)
    // Release former values after unlocking: that may run the app's code.
    _ = generations.withLock { generations in
      let former = generations.young.values.updateValue(value, forKey: key)
      generations.young.byteCount += former == nil ? byteCount : 0
      guard
        generations.young.values.count == Self.countMax
          || generations.young.byteCount > Self.byteCountMax
      else { return (former, Generation()) }
      let old = generations.old
      generations = (Generation(), generations.young)
      return (former, old)
    }
  }

  package func value<Value>(_ type: Value.Type, _ look: some Hashable) -> Value? {
    let key = Key(type: ObjectIdentifier(type), look: look.hashValue)
    let seen = generations.withLock { generations -> (any Sendable)? in
      generations.young.values[key] ?? generations.old.values[key]
    }
    // A cast of nil to an optional type would succeed.
    guard let seen else { return nil }
    return seen as? Value
  }
}
