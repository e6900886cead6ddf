import SurfDelta
import SurfWire

/// The states of a timeline. Most differ little from the one before, and are kept as deltas: those
/// that came, or those found by comparison.
///
/// States come in two runs, each of ascending numbers: the live ones, and meanwhile the backlog.
/// The end of each run, its *head*, is kept whole: the next state is made of it, and most reads
/// want it.
struct StateArchive: Sendable {
  /// Where a state is.
  struct Place: Equatable, Sendable {
    var chain: UInt64
    var index: Int
  }

  /// A state that was put in.
  struct Entry: Equatable, Sendable {
    let place: Place
    let type: String
    let size: Int
  }

  private var chains: [UInt64: StateChain] = [:]
  /// Of the live run and of the backlog.
  private var heads = [Head(), Head()]
  /// Chains by the look of their keyframes, so that a repeated state is not kept twice.
  private var chainsByLook: [UInt64: UInt64] = [:]
  private var nextChain: UInt64 = 0
  /// States that were compared with the one before.
  private(set) var comparisonCount = 0
  /// Whether the app sends deltas. It knows best which states are worth sending whole: these are no
  /// longer compared.
  private var comeAsDeltas = false

  /// Bytes held: keyframes and deltas. The heads come on top.
  private(set) var byteCount = 0

  /// Bytes of the heads: two states at most. A delta of some octets makes a state of 64 MiB.
  var headByteCount: Int { heads.reduce(0) { $0 + ($1.decoder.content?.bytes.count ?? 0) } }

  /// Gives up the memory of the heads: they are made again of what is kept when the next state
  /// comes.
  ///
  /// - Parameter all: also those of which nothing is kept, so that no later state can be made
  ///   before one comes whole.
  mutating func restHeads(all: Bool) {
    for index in heads.indices where all || heads[index].place != nil {
      heads[index].decoder.rest()
    }
  }

  /// Takes a record's contents: makes its payload whole, and the run's newest state of its state.
  ///
  /// - Parameter keeps: whether to keep the state until it is released. It returns nothing
  ///   otherwise, nor if there is no state or it could not be made.
  mutating func take(_ record: inout Record, from origin: RecordOrigin, keeps: Bool) -> Entry? {
    let index = origin.index
    let before = heads[index].place
    if case .delta = record.state, heads[index].decoder.isResting, let before {
      heads[index].decoder.wake(with: content(at: before))
    }
    var delta: Delta?
    if keeps, case .keyframe(let content) = record.state {
      delta = self.delta(to: content, index)
    }
    switch heads[index].decoder.take(&record, leavesState: false) {
    case .nothing, .unmade: return nil
    case .keyframe: break
    case .delta(let made):
      comeAsDeltas = true
      delta = made
    }
    // The new state's place is not known yet, and may never be.
    heads[index].place = nil
    return keeps ? keep(delta, from: before, index) : nil
  }

  /// States and payloads that could not be made: their bases are not here, or not what they should
  /// be.
  var failureCount: Int { heads.reduce(0) { $0 + $1.decoder.failureCount } }

  /// The newest state of a run.
  func newest(of origin: RecordOrigin) -> Content? { heads[origin.index].decoder.content }

  /// A row no longer needs its state.
  mutating func release(_ place: Place) {
    chains[place.chain]?.release()
    guard let chain = chains[place.chain], chain.rowCount == 0 else { return }
    // Of what is kept no longer, the next state may still be made.
    for index in heads.indices where heads[index].decoder.isResting {
      guard let own = heads[index].place, own.chain == place.chain else { continue }
      heads[index].decoder.wake(with: content(at: own))
    }
    chains[place.chain] = nil
    byteCount -= chain.byteCount
    for index in heads.indices where heads[index].place?.chain == place.chain {
      heads[index].place = nil
    }
    let look = Self.look(of: Content(type: chain.type, bytes: chain.keyframe))
    if chainsByLook[look] == place.chain { chainsByLook[look] = nil }
  }

  func content(at place: Place) -> Content {
    guard let chain = chains[place.chain] else {
      preconditionFailure("a row holds its place until it is released")
    }
    for head in heads where head.place == place {
      if let content = head.decoder.content { return content }
    }
    return Content(type: chain.type, bytes: chain.state(at: place.index))
  }

  /// Makes a state of another one, if deltas lead to it.
  ///
  /// - Returns: what made it, if that was one delta.
  func read(_ place: Place, from before: Place?, into bytes: inout [UInt8]) -> Delta? {
    guard let chain = chains[place.chain] else {
      preconditionFailure("a row holds its place until it is released")
    }
    if let before, let delta = chain.delta(to: place, from: before) {
      StateChain.apply(delta, to: &bytes)
      return delta
    }
    if let before, before.chain == place.chain, before.index <= place.index {
      chain.advance(&bytes, from: before.index, to: place.index)
    } else {
      bytes = chain.state(at: place.index)
    }
    return nil
  }

  func cost(of place: Place) -> (deltaCount: Int, byteCount: Int) {
    let isAtHand = heads.contains { $0.place == place }
    return isAtHand ? (0, 0) : chains[place.chain]?.cost(at: place.index) ?? (0, 0)
  }

  var recountedByteCount: Int { chains.values.reduce(0) { $0 + $1.recountedByteCount } }
}

/// The newest state of a run.
private struct Head: Sendable {
  var decoder = StateDecoder()
  /// Where the archive has it; nil if no row needs it.
  var place: StateArchive.Place?
  var patience = ComparisonBackoff()
}

extension RecordOrigin {
  fileprivate var index: Int { self == .live ? 0 : 1 }
}

// Taking states.
extension StateArchive {
  /// The delta of a state from the head, if the app sends none and it is worth keeping.
  private mutating func delta(to content: Content, _ index: Int) -> Delta? {
    guard !comeAsDeltas, let place = heads[index].place,
      let head = heads[index].decoder.content,
      let room = chains[place.chain]?.room(after: place.index, type: content.type), room > 0,
      heads[index].patience.allowsTrial()
    else { return nil }
    let worth = max(content.bytes.count / 2, 1)
    comparisonCount += 1
    let delta = Delta.between(
      head.bytes, content.bytes, baseRecord: heads[index].decoder.record.rawValue,
      sizeMax: min(worth, room))
    // Where the chain had little room left, a failure means nothing.
    if delta != nil || room >= worth {
      heads[index].patience.note(succeeded: delta != nil)
    }
    return delta
  }
}

// Keeping them.
extension StateArchive {
  /// - Parameters:
  ///   - delta: makes the newest state of the one before; nil if unknown.
  ///   - before: where that state is.
  private mutating func keep(_ delta: Delta?, from before: Place?, _ index: Int) -> Entry? {
    guard let content = heads[index].decoder.content else { return nil }
    let place =
      extend(by: delta, from: before, type: content.type)
      ?? store(content, link: link(by: delta, from: before, to: content))
    chains[place.chain]?.retain()
    heads[index].place = place
    // The chain's own copy of the word, shared by all its rows.
    let type = chains[place.chain]?.type ?? content.type
    return Entry(place: place, type: type, size: content.bytes.count)
  }

  /// Adds a delta to the chain of its base; nil if there is no room.
  private mutating func extend(
    by delta: Delta?, from place: Place?, type: String
  ) -> Place? {
    guard let delta, let place,
      let room = chains[place.chain]?.room(after: place.index, type: type),
      delta.operations.count <= room
    else { return nil }
    if delta.isEmpty { return place }
    chains[place.chain]?.append(delta)
    byteCount += delta.operations.count
    return Place(chain: place.chain, index: place.index + 1)
  }

  /// A delta for which a chain has no room still spares a reader the whole of the next one.
  private func link(by delta: Delta?, from place: Place?, to content: Content) -> StateChain.Link? {
    guard let delta, let place, delta.operations.count <= content.bytes.count / 2 else {
      return nil
    }
    return StateChain.Link(base: place, delta: delta)
  }

  /// Keeps a state whole, unless it is a keyframe already.
  private mutating func store(_ content: Content, link: StateChain.Link?) -> Place {
    let look = Self.look(of: content)
    if let known = chainsByLook[look], let chain = chains[known], chain.type == content.type,
      chain.keyframe == content.bytes
    {
      return Place(chain: known, index: 0)
    }
    defer { nextChain += 1 }
    let chain = StateChain(content, link: link)
    chains[nextChain] = chain
    chainsByLook[look] = nextChain
    byteCount += chain.byteCount
    return Place(chain: nextChain, index: 0)
  }

  /// The type, the size and sixty-four octets, mixed: most states differ in these.
  private static func look(of content: Content) -> UInt64 {
    let count = content.bytes.count
    var look = UInt64(count)
    func mix(_ octet: UInt8) {
      look = (look ^ UInt64(octet)) &* 0x9E37_79B9_7F4A_7C15
      look ^= look >> 29
    }
    content.type.utf8.forEach(mix)
    // Multiplied before it is divided, so that the octets are spread evenly; 64 MiB leave room.
    for step in 0..<min(64, count) { mix(content.bytes[step * count / 64]) }
    return look
  }
}
