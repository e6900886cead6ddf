import SurfWire

/// A keyframe, and the states after it, each as the delta from the one before. `StateArchive`
/// consists of these.
struct StateChain: Sendable {
  /// Bounds the time to rebuild a chain's last state to what a person does not notice.
  static let deltaCountMax = 128
  /// Bytes written to rebuild it: a few milliseconds.
  static let applicationSizeMax = 64 * 1_024 * 1_024

  let type: String
  let keyframe: [UInt8]
  /// The delta to the keyframe from a state in another chain, if known.
  let link: Link?
  private var deltas: [Delta] = []
  private var deltaSize = 0
  private var applicationSize = 0
  /// Rows with a state in this chain. The chain is freed only when this is zero.
  private(set) var rowCount = 0

  struct Link: Sendable {
    /// Its chain may have been freed.
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

  /// The largest delta, in bytes, that may follow the state at `index`; 0 for none. A chain's
  /// deltas may add up to half of its keyframe, or 4 KiB if that is more.
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

  /// Index 0 is the keyframe.
  func state(at index: Int) -> [UInt8] {
    var state = keyframe
    advance(&state, from: 0, to: index)
    return state
  }

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

  /// The delta from `before` to `place`; nil if there is not exactly one.
  func delta(to place: StateArchive.Place, from before: StateArchive.Place) -> Delta? {
    guard place.index > 0 else { return link?.base == before ? link?.delta : nil }
    let isNext = before.chain == place.chain && before.index + 1 == place.index
    return isNext ? deltas[place.index - 1] : nil
  }

  var recountedByteCount: Int {
    deltas.reduce(keyframe.count + linkSize) { $0 + $1.operations.count }
  }
}
