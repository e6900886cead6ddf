import SurfDelta
import SurfWire

/// A state that is kept whole (the keyframe), and those that came after it, each as the delta
/// from the one before.
struct StateChain: Sendable {
  /// Making the last state of a chain must not take longer than a person notices.
  static let deltaCountMax = 128
  /// Bytes to write for it: some milliseconds.
  static let applicationSizeMax = 64 * 1_024 * 1_024

  let type: String
  let keyframe: [UInt8]
  /// What makes the keyframe of a state in another chain, if that is known.
  let link: Link?
  private var deltas: [Delta] = []
  private var deltaSize = 0
  private var applicationSize = 0
  /// How many rows have a state of this chain; none of it can go before all of them have.
  private(set) var rowCount = 0

  struct Link: Sendable {
    /// It may be gone.
    let base: StateArchive.Place
    let delta: Delta
  }

  init(_ content: Content, link: Link?) {
    type = content.type
    keyframe = content.bytes
    self.link = link
  }

  var byteCount: Int { keyframe.count + linkSize + deltaSize }

  private var linkSize: Int { link?.delta.operations.count ?? 0 }

  /// The most bytes of a delta from the state at an index, if another of this type may follow
  /// there. All together are worth half a state, or a page.
  func room(after index: Int, type: String) -> Int {
    guard index == deltas.count, type == self.type, index < Self.deltaCountMax,
      applicationSize < Self.applicationSizeMax
    else { return 0 }
    return max(keyframe.count / 2, 4_096) - deltaSize
  }

  mutating func append(_ delta: Delta) {
    deltas.append(delta)
    deltaSize += delta.operations.count
    applicationSize += delta.applicationSize
  }

  mutating func retain() { rowCount += 1 }
  mutating func release() { rowCount -= 1 }

  /// The state at an index; 0 is the keyframe.
  func state(at index: Int) -> [UInt8] {
    var state = keyframe
    advance(&state, from: 0, to: index)
    return state
  }

  /// Makes the state at one index that at a later one.
  func advance(_ state: inout [UInt8], from first: Int, to last: Int) {
    for delta in deltas[first..<last] { Self.apply(delta, to: &state) }
  }

  static func apply(_ delta: Delta, to state: inout [UInt8]) {
    do throws(DeltaError) {
      try delta.apply(inPlace: &state)
    } catch {
      preconditionFailure("a chain holds only deltas to its own states: \(error)")
    }
  }

  /// What makes a state of this chain of another one; nil if that takes none or several.
  func delta(to place: StateArchive.Place, from before: StateArchive.Place) -> Delta? {
    guard place.index > 0 else { return link?.base == before ? link?.delta : nil }
    let isNext = before.chain == place.chain && before.index + 1 == place.index
    return isNext ? deltas[place.index - 1] : nil
  }

  /// The cost of `state(at:)`.
  func cost(at index: Int) -> (deltaCount: Int, byteCount: Int) {
    (index, deltas[..<index].reduce(keyframe.count) { $0 + $1.applicationSize })
  }

  var recountedByteCount: Int {
    deltas.reduce(keyframe.count + linkSize) { $0 + $1.operations.count }
  }
}
