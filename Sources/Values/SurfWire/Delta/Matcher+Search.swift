extension Matcher {
  /// Take a match of this many octets without looking for a better one.
  static let longCount = 128
  /// Try a replacement of this many octets before anything else.
  static let nearCount = 64
  /// How far to look for the end of a replacement. Longer ones are rare, and the index finds
  /// theirs.
  private static let replacementCountMax = 512
  /// How far to look for insertions and deletions, word by word.
  private static let insertionCountMax = 128
  private static let deletionCountMax = 192
  /// The most octets to advance between index lookups after many misses. Odd; see `matchAnywhere`.
  static let distanceMax = 31
  /// How many octets decide between resumptions or candidates.
  private static let probeCount = 256
  /// A shorter run between two replacements is not worth the operations to copy it.
  static let runCountMin = 4

  /// Runs at the distance of the last match: the first one, and the first convincing one.
  mutating func resumptions(after place: Match, to end: Int) -> (first: Match?, convincing: Match?)
  {
    let countMax = isPatient(at: place) ? Self.replacementCountMax : Self.nearCount
    let count = min(countMax, end - place.target, base.count - place.base)
    var first: Match?
    var offset = 0
    while offset + 8 <= count {
      stepCount += 1
      let unequal =
        base.word(at: place.base + offset) ^ target.word(at: place.target + offset)
      guard unequal == 0 else {
        // Continue after the last octet that differs: no run of eight can begin before.
        offset += 8 - unequal.leadingZeroBitCount / 8
        continue
      }
      let found = lengthened(
        Match(base: place.base + offset, target: place.target + offset, count: 8), after: place,
        to: end, countMax: Self.probeCount)
      first = first ?? found
      if isConvincing(found, to: end) { return (first, found) }
      offset = found.target - place.target + found.count
    }
    return (first, nil)
  }

  /// Whether most octets after a resumption are equal, too.
  ///
  /// In repetitive text, some words are equal at any distance.
  private mutating func isConvincing(_ match: Match, to end: Int) -> Bool {
    if match.count >= Self.longCount { return true }
    let count = min(Self.probeCount, end - match.target, base.count - match.base)
    var equalCount = 0
    var offset = 0
    while offset + 8 <= count {
      let unequal =
        base.word(at: match.base + offset) ^ target.word(at: match.target + offset)
      equalCount += unequal.zeroOctetCount
      offset += 8
      if offset == Self.nearCount, equalCount * 8 >= offset * 7 { return true }
    }
    stepCount += count / 8
    // Two different list items may agree in three quarters of their octets.
    return equalCount * 8 >= offset * 7
  }

  /// A run that begins a few words later in the target and the base.
  ///
  /// It takes the longest run of the first target word that it finds. In text with many changes, a
  /// later word sometimes has a longer run, but then the octets before it must be sent.
  mutating func matchNearby(after place: Match, to end: Int) -> Match? {
    guard isPatient(at: place) else { return nil }
    let last = min(place.target + Self.insertionCountMax, end - 8)
    var start = place.target
    while start <= last {
      if let found = matchOfWord(at: start, after: place, to: end) { return found }
      start += 8
    }
    return nil
  }

  /// The longest run that begins with the word at `start` in the target.
  private mutating func matchOfWord(at start: Int, after place: Match, to end: Int) -> Match? {
    let word = target.word(at: start)
    let last = min(place.base + Self.deletionCountMax, base.count - 8)
    var longest: Match?
    var offset = place.base
    while let found = base.firstOffset(of: word, from: offset, through: last) {
      let countMax = min(Self.probeCount, base.count - found, end - start)
      let count = base.commonCount(from: found, with: target, from: start, countMax: countMax)
      stepCount += found - offset + 1 + count / 8
      if count > longest?.count ?? 0 {
        longest = Match(base: found, target: start, count: count)
      }
      if count == countMax { return longest }
      offset = found + 1
    }
    stepCount += max(0, last - offset + 1)
    return longest
  }

  /// The best of the first runs that the index finds in a part of the target.
  ///
  /// After many misses it looks up only some offsets, because octets with little in common must not
  /// cost much. The steps between offsets are odd, so that it hits an indexed block sooner or
  /// later.
  mutating func matchAnywhere(after place: Match, to last: Int, limit end: Int) -> Match? {
    guard end - place.target >= Self.insertionCountMax, last > place.target else { return nil }
    let index = preparedIndex()
    let lookahead = lookahead(at: place)
    var last = min(last, end - BlockIndex.blockSize)
    var best: Match?
    var missCount = 0
    var offset = place.target
    while offset <= last {
      stepCount += 1
      let found = candidate(index, at: offset, after: place, to: end, than: best)
      if let found {
        if best == nil { last = min(last, offset + lookahead) }
        best = better(best, found, after: place)
        if found.count >= Self.longCount { break }
      }
      missCount += best == nil ? 1 : 0
      offset += 1 + min(missCount / 512 * 2, Self.distanceMax - 1)
    }
    return best
  }

  /// The best run through the block at `offset` in the target.
  private mutating func candidate(
    _ index: BlockIndex, at offset: Int, after place: Match, to end: Int, than known: Match?
  ) -> Match? {
    var best: Match?
    for candidate in index.candidates(for: target, at: offset) {
      stepCount += 1
      // The same run as `known`, found again by its next block.
      if let known, candidate - offset == known.base - known.target { continue }
      guard isBlock(at: candidate, equalTo: offset) else { continue }
      let found = lengthened(
        Match(base: candidate, target: offset, count: BlockIndex.blockSize), after: place,
        to: end, countMax: Self.probeCount)
      best = better(best, found, after: place)
    }
    return best
  }

  /// Whether there is still time to look for the best run instead of any run.
  ///
  /// The first milliseconds are free. More work is allowed in proportion to the octets done.
  func isPatient(at place: Match) -> Bool { stepCount < 1 << 20 + 4 * place.target }

  /// How far beyond the first match to look for a better one. The first may be only one block that
  /// happens to occur in another list item.
  func lookahead(at place: Match) -> Int { isPatient(at: place) ? 96 : 0 }

  private func isBlock(at offset: Int, equalTo targetOffset: Int) -> Bool {
    base.word(at: offset) == target.word(at: targetOffset)
      && base.word(at: offset + 8) == target.word(at: targetOffset + 8)
  }

  private mutating func preparedIndex() -> BlockIndex {
    if let index { return index }
    let made = BlockIndex(base)
    stepCount += made.blockCount
    index = made
    return made
  }
}

extension UInt64 {
  /// How many of the eight octets are zero.
  fileprivate var zeroOctetCount: Int {
    let low: UInt64 = 0x7F7F_7F7F_7F7F_7F7F
    // Sets the highest bit of each octet unless the octet is zero. No sum overflows its octet.
    let marks = ((self & low) &+ low) | self | low
    return (~marks).nonzeroBitCount
  }
}
