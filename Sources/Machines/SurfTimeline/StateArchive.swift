import SurfWire

/// Stores a timeline's states. Most states differ little from the one before and are kept as
/// deltas, which either arrived from the app or were found by comparison.
///
/// States arrive in two runs, each in ascending order: the live run, and meanwhile the backlog. The
/// archive keeps the end of each run, its *head*, as a whole state: the next delta applies to it,
/// and most reads want it.
struct StateArchive: Sendable {
  struct Place: Equatable, Sendable {
    var chain: UInt64
    var index: Int
  }

  /// A state that `take` kept.
  struct Entry: Equatable, Sendable {
    let place: Place
    let type: String
    let size: Int
  }

  private var chains: [UInt64: StateChain] = [:]
  /// The live run's and the backlog's, at `RecordOrigin.index`.
  private var heads = [Head(), Head()]
  /// Finds the chain of an equal keyframe, so that a repeated state is stored once.
  private var chainsByFingerprint: [UInt64: UInt64] = [:]
  private var nextChain: UInt64 = 0
  /// States compared with the one before.
  private(set) var comparisonCount = 0
  /// Whether the app sends deltas. Such an app knows best which states to send whole, so the
  /// archive no longer compares them.
  private var appSendsDeltas = false

  /// Bytes of keyframes and deltas, without the heads.
  private(set) var byteCount = 0

  /// Bytes of the heads: two states at most. A delta of a few bytes can make a state of 64 MiB.
  var headByteCount: Int { heads.reduce(0) { $0 + ($1.decoder.content?.bytes.count ?? 0) } }

  /// Releases the memory of the heads. The archive rebuilds a head when the next delta arrives.
  ///
  /// - Parameter all: also release heads that no chain keeps. Then deltas of that run fail until a
  ///   whole state arrives.
  mutating func restHeads(all: Bool) {
    for index in heads.indices where all || heads[index].place != nil {
      heads[index].decoder.rest()
    }
  }

  /// Takes in a record's contents: rebuilds its payload, and makes its state the head of its run.
  ///
  /// - Parameter keeps: whether to store the state until it is released. If not, returns nil, as it
  ///   does if there is no state or the state could not be rebuilt.
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
      appSendsDeltas = true
      delta = made
    }
    // The new state may never get a place.
    heads[index].place = nil
    return keeps ? keep(delta, from: before, index) : nil
  }

  /// States and payloads that could not be rebuilt, because their base is missing or of another
  /// size.
  var failureCount: Int { heads.reduce(0) { $0 + $1.decoder.failureCount } }

  /// The newest state of a run.
  func newest(of origin: RecordOrigin) -> Content? { heads[origin.index].decoder.content }

  /// Must be called once for each kept state. Frees a chain when no row needs any of its states.
  mutating func release(_ place: Place) {
    chains[place.chain]?.release()
    guard let chain = chains[place.chain], chain.rowCount == 0 else { return }
    // A resting head must be rebuilt before its chain goes, because the next state may be a delta
    // of it.
    for index in heads.indices where heads[index].decoder.isResting {
      guard let own = heads[index].place, own.chain == place.chain else { continue }
      heads[index].decoder.wake(with: content(at: own))
    }
    chains[place.chain] = nil
    byteCount -= chain.byteCount
    for index in heads.indices where heads[index].place?.chain == place.chain {
      heads[index].place = nil
    }
    let fingerprint = Self.fingerprint(of: Content(type: chain.type, bytes: chain.keyframe))
    if chainsByFingerprint[fingerprint] == place.chain { chainsByFingerprint[fingerprint] = nil }
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

  /// Turns the state at `before`, in `bytes`, into the state at `place`, by deltas where they lead
  /// there.
  ///
  /// - Returns: the delta, if exactly one was applied.
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

  var recountedByteCount: Int { chains.values.reduce(0) { $0 + $1.recountedByteCount } }
}

/// The newest state of a run.
private struct Head: Sendable {
  var decoder = StateDecoder()
  /// Where a chain has it; nil if no row needs it.
  var place: StateArchive.Place?
  var patience = ComparisonBackoff()
}

extension RecordOrigin {
  fileprivate var index: Int { self == .live ? 0 : 1 }
}

extension StateArchive {
  /// The delta from the head to a state, if the app sends no deltas and it is worth keeping.
  private mutating func delta(to content: Content, _ index: Int) -> Delta? {
    guard !appSendsDeltas, let place = heads[index].place,
      let head = heads[index].decoder.content,
      let room = chains[place.chain]?.room(after: place.index, type: content.type), room > 0,
      heads[index].patience.allowsTrial()
    else { return nil }
    let worth = max(content.bytes.count / 2, 1)
    comparisonCount += 1
    let delta = Delta.between(
      head.bytes, content.bytes, baseRecord: heads[index].decoder.record,
      sizeMax: min(worth, room))
    // If the chain was nearly full, a failure means nothing.
    if delta != nil || room >= worth {
      heads[index].patience.note(succeeded: delta != nil)
    }
    return delta
  }
}

extension StateArchive {
  /// - Parameters:
  ///   - delta: from the state before to the newest one; nil if unknown.
  ///   - before: where the state before is.
  private mutating func keep(_ delta: Delta?, from before: Place?, _ index: Int) -> Entry? {
    guard let content = heads[index].decoder.content else { return nil }
    let place =
      extend(by: delta, from: before, type: content.type)
      ?? store(content, link: link(by: delta, from: before, to: content))
    chains[place.chain]?.retain()
    heads[index].place = place
    // Share the chain's copy of the string among its rows.
    let type = chains[place.chain]?.type ?? content.type
    return Entry(place: place, type: type, size: content.bytes.count)
  }

  /// Adds a delta to its base's chain; nil if the chain is full.
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

  /// Even when the chain is full, keeping the delta saves a reader from parsing the whole next
  /// state.
  private func link(by delta: Delta?, from place: Place?, to content: Content) -> StateChain.Link? {
    guard let delta, let place, delta.operations.count <= content.bytes.count / 2 else {
      return nil
    }
    return StateChain.Link(base: place, delta: delta)
  }

  /// Stores a state as a keyframe, unless an equal keyframe exists.
  private mutating func store(_ content: Content, link: StateChain.Link?) -> Place {
    let fingerprint = Self.fingerprint(of: content)
    if let known = chainsByFingerprint[fingerprint], let chain = chains[known],
      chain.type == content.type,
      chain.keyframe == content.bytes
    {
      return Place(chain: known, index: 0)
    }
    defer { nextChain += 1 }
    let chain = StateChain(content, link: link)
    chains[nextChain] = chain
    chainsByFingerprint[fingerprint] = nextChain
    byteCount += chain.byteCount
    return Place(chain: nextChain, index: 0)
  }

  /// A hash of the type, the size and 64 evenly spaced octets: most states differ in these.
  private static func fingerprint(of content: Content) -> UInt64 {
    let count = content.bytes.count
    var fingerprint = UInt64(count)
    func mix(_ octet: UInt8) {
      fingerprint = (fingerprint ^ UInt64(octet)) &* 0x9E37_79B9_7F4A_7C15
      fingerprint ^= fingerprint >> 29
    }
    content.type.utf8.forEach(mix)
    // Multiply before dividing, to spread the octets evenly. At 64 MiB this cannot overflow.
    for step in 0..<min(64, count) { mix(content.bytes[step * count / 64]) }
    return fingerprint
  }
}
