/// Finds the common runs of a base and a target, in one pass, and writes them as operations.
///
/// Where the two differ, it looks for the next common octets first at the same distance (a
/// replacement), then nearby (an insertion or deletion), then anywhere (a move). Each step is
/// bounded, so the total work is proportional to the sizes, whatever the octets are.
struct Matcher {
  /// A run of octets common to both.
  struct Match {
    var base: Int
    var target: Int
    var count: Int
  }

  let base: Octets
  let target: Octets
  /// The most octets that all operations may have together.
  let sizeMax: Int
  /// The work so far: words compared and blocks looked up.
  var stepCount = 0
  var index: BlockIndex?
  private var writer: OperationWriter

  init(_ base: Octets, _ target: Octets, sizeMax: Int) {
    self.base = base
    self.target = target
    self.sizeMax = sizeMax
    writer = OperationWriter(baseSize: base.count)
  }

  /// The operations; nil as soon as they exceed `sizeMax`.
  mutating func operations() -> [UInt8]? {
    let countMax = min(base.count, target.count)
    let prefix = base.commonCount(from: 0, with: target, from: 0, countMax: countMax)
    let suffix = base.commonCount(
      before: base.count, with: target, before: target.count, countMax: countMax - prefix)
    stepCount += (prefix + suffix) / 8
    writer.copy(0..<prefix)
    let last = Match(base: base.count - suffix, target: target.count - suffix, count: suffix)
    guard writeMiddle(from: prefix, to: last) else { return nil }
    writer.copy(last.base..<base.count)
    writer.flush()
    return writer.bytes.count <= sizeMax ? writer.bytes : nil
  }

  /// The operations if the base or the target is empty.
  static func insertion(of target: UnsafeRawBufferPointer, sizeMax: Int) -> [UInt8]? {
    guard target.count <= sizeMax else { return nil }
    var writer = OperationWriter(baseSize: 0)
    writer.insert(target)
    return writer.bytes.count <= sizeMax ? writer.bytes : nil
  }

  /// - Returns: false if the operations exceed `sizeMax`.
  private mutating func writeMiddle(from start: Int, to last: Match) -> Bool {
    let end = last.target
    var place = Match(base: start, target: start, count: 0)
    while place.target < end {
      let room = sizeMax - writer.bytes.count
      guard room >= 0 else { return false }
      guard let match = nextMatch(after: place, to: end, insertionMax: room) else { break }
      write(from: place, to: match)
      writer.copy(match.base..<(match.base + match.count))
      place = Match(base: match.base + match.count, target: match.target + match.count, count: 0)
    }
    guard end - place.target <= sizeMax - writer.bytes.count else { return false }
    write(from: place, to: last)
    return true
  }

  /// Writes the operations between two matches.
  private mutating func write(from place: Match, to match: Match) {
    var start = place.target
    if match.base - place.base == match.target - place.target {
      // Some octets within a replacement may be unchanged.
      while let run = equalRun(from: start, to: match.target, distance: match.base - match.target) {
        writer.insert(target.buffer(start..<run.target))
        writer.copy(run.base..<(run.base + run.count))
        start = run.target + run.count
      }
    }
    writer.insert(target.buffer(start..<match.target))
  }

  /// The next run at a fixed distance that is worth an operation of its own.
  private func equalRun(from start: Int, to end: Int, distance: Int) -> Match? {
    var run = Match(base: start + distance, target: start, count: 0)
    while run.target + Self.runCountMin <= end {
      run.count = base.commonCount(
        from: run.base, with: target, from: run.target, countMax: end - run.target)
      if run.count >= Self.runCountMin { return run }
      run.base += run.count + 1
      run.target += run.count + 1
    }
    return nil
  }

  /// The next run to copy, at its full length.
  ///
  /// - Parameters:
  ///   - end: where the part of the target to search ends.
  ///   - insertionMax: the most octets of the target that may be skipped.
  private mutating func nextMatch(after place: Match, to end: Int, insertionMax: Int) -> Match? {
    let replaced = resumptions(after: place, to: end)
    if let near = replaced.convincing, near.target - place.target <= Self.nearCount {
      return lengthened(near, after: place, to: end)
    }
    let nearby = matchNearby(after: place, to: end)
    if let nearby, nearby.count >= Self.longCount || nearby.target + nearby.count == end {
      return lengthened(nearby, after: place, to: end)
    }
    if let convincing = replaced.convincing {
      return lengthened(convincing, after: place, to: end)
    }
    let known = better(replaced.first, nearby, after: place)
    // A search may find a run only some octets after its beginning.
    let reach = insertionMax + Self.distanceMax * BlockIndex.stride(for: base)
    let last = min(end, known?.target ?? end, place.target + reach)
    let anywhere = matchAnywhere(after: place, to: last, limit: end)
    return better(known, anywhere, after: place).map { lengthened($0, after: place, to: end) }
  }

  /// The match that needs fewer insertions, relative to the octets that it copies.
  func better(_ first: Match?, _ second: Match?, after place: Match) -> Match? {
    guard let first else { return second }
    guard let second else { return first }
    return second.count - second.target > first.count - first.target ? second : first
  }

  /// The run around the part that was found: everything before it, and after it until the run has
  /// `countMax` octets.
  mutating func lengthened(
    _ match: Match, after place: Match, to end: Int, countMax: Int = .max
  ) -> Match {
    let before = base.commonCount(
      before: match.base, with: target, before: match.target,
      countMax: min(match.base, match.target - place.target))
    let behind = base.commonCount(
      from: match.base + match.count, with: target, from: match.target + match.count,
      countMax: min(
        base.count - match.base - match.count, end - match.target - match.count,
        max(0, countMax - match.count)))
    stepCount += 2 + (before + behind) / 8
    return Match(
      base: match.base - before, target: match.target - before,
      count: before + match.count + behind)
  }
}
