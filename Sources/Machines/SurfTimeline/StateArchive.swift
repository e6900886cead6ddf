import SurfDelta
import SurfWire

/// The states of a timeline. Most differ little from the one before, and are kept as differences.
///
/// States come in runs of ascending numbers: the live ones, and meanwhile the backlog. The end of
/// each run, its *head*, is kept whole, because the next state is compared with it, and because it
/// is what one mostly asks for.
struct StateArchive: Sendable {
  /// Where a state is.
  struct Place: Equatable, Sendable {
    var chain: UInt64
    var index: Int
  }

  private struct Head: Sendable {
    var place: Place
    var number: SequenceNumber
    var bytes: [UInt8]
    var patience = Patience()
    /// A keyframe is the same array as in its chain.
    var copySize: Int { place.index > 0 ? bytes.count : 0 }
  }

  /// One for the live states and one for the backlog.
  private static let headCountMax = 2

  private var chains: [UInt64: StateChain] = [:]
  private var heads: [Head] = []
  /// Chains by the look of their keyframes, so that a state that comes again is not kept again.
  private var chainsByLook: [UInt64: UInt64] = [:]
  private var nextChain: UInt64 = 0
  private var chainByteCount = 0

  /// Bytes held: keyframes, differences, and the states of heads.
  var byteCount: Int { heads.reduce(chainByteCount) { $0 + $1.copySize } }

  /// Keeps the state of the row with this number until it is released.
  mutating func append(_ content: Content, of number: SequenceNumber) -> Place {
    let index = headIndex(before: number)
    let place = index.flatMap { extend($0, by: content) } ?? store(content, at: index, of: number)
    chains[place.chain]?.retain()
    if let index, heads[index].place == place { heads[index].number = number }
    return place
  }

  /// A row does not need its state any more.
  mutating func release(_ place: Place) {
    chains[place.chain]?.release()
    guard let chain = chains[place.chain], chain.rowCount == 0 else { return }
    chains[place.chain] = nil
    chainByteCount -= chain.byteCount
    heads.removeAll { $0.place.chain == place.chain }
    let look = Self.look(of: Content(type: chain.type, bytes: chain.keyframe))
    if chainsByLook[look] == place.chain { chainsByLook[look] = nil }
  }

  /// Forgets the copies at the heads if there is nothing else left to give up.
  ///
  /// - Returns: whether that freed anything.
  mutating func giveUpCopies() -> Bool {
    guard chains.count <= heads.count, heads.contains(where: { $0.copySize > 0 }) else {
      return false
    }
    heads.removeAll { $0.copySize > 0 }
    return true
  }

  func content(at place: Place) -> Content {
    guard let chain = chains[place.chain] else {
      preconditionFailure("a row holds its place until it is released")
    }
    if let head = heads.first(where: { $0.place == place }) {
      return Content(type: chain.type, bytes: head.bytes)
    }
    return Content(type: chain.type, bytes: chain.state(at: place.index))
  }

  func type(at place: Place) -> String? { chains[place.chain]?.type }

  func cost(of place: Place) -> (differenceCount: Int, byteCount: Int) {
    let isAtHand = heads.contains { $0.place == place }
    return isAtHand ? (0, 0) : chains[place.chain]?.cost(at: place.index) ?? (0, 0)
  }

  var recountedByteCount: Int {
    chains.values.reduce(heads.reduce(0) { $0 + $1.copySize }) { $0 + $1.recountedByteCount }
  }
}

extension StateArchive {
  /// The nearest head in front of a number.
  private func headIndex(before number: SequenceNumber) -> Int? {
    heads.indices.filter { heads[$0].number < number }.max { heads[$0].number < heads[$1].number }
  }

  /// Adds the difference from a head to its chain; nil if that does not pay.
  private mutating func extend(_ index: Int, by content: Content) -> Place? {
    let place = heads[index].place
    guard let room = chains[place.chain]?.room(after: place.index, type: content.type), room > 0,
      heads[index].patience.allowsTrial()
    else { return nil }
    let worth = max(content.bytes.count / 2, 1)
    let difference = Difference.between(
      heads[index].bytes, content.bytes, baseRecord: heads[index].number.rawValue,
      sizeMax: min(worth, room))
    // Where the chain had little room left, a failure tells nothing.
    if difference != nil || room >= worth {
      heads[index].patience.note(succeeded: difference != nil)
    }
    guard let difference else { return nil }
    if difference.isEmpty { return place }
    chains[place.chain]?.append(difference)
    chainByteCount += difference.operations.count
    heads[index].place.index += 1
    heads[index].bytes = content.bytes
    return heads[index].place
  }

  /// Keeps a state whole, unless it is a keyframe already, and makes it a head.
  private mutating func store(_ content: Content, at index: Int?, of number: SequenceNumber)
    -> Place
  {
    let look = Self.look(of: content)
    var place = Place(chain: nextChain, index: 0)
    var bytes = content.bytes
    if let known = chainsByLook[look], let chain = chains[known], chain.type == content.type,
      chain.keyframe == content.bytes
    {
      place.chain = known
      bytes = chain.keyframe
    } else {
      nextChain += 1
      chains[place.chain] = StateChain(content)
      chainsByLook[look] = place.chain
      chainByteCount += content.bytes.count
    }
    setHead(Head(place: place, number: number, bytes: bytes), at: index)
    return place
  }

  /// Replaces a head; the oldest, if there is none in front of it and no room for another.
  private mutating func setHead(_ head: Head, at index: Int?) {
    var head = head
    let oldest = heads.indices.min { heads[$0].number < heads[$1].number }
    guard let index = index ?? (heads.count < Self.headCountMax ? nil : oldest) else {
      heads.append(head)
      return
    }
    head.patience = heads[index].patience
    heads[index] = head
  }

  /// The type, the size and sixty-four octets, mixed: what most states differ in.
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
