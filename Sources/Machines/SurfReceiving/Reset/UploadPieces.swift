import SurfWire

/// The pieces of one upload, by number: which are here, which are under way, and which must be
/// sent, or sent again (Protocol.md §11.3).
struct UploadPieces: Sendable {
  /// Octets of all.
  let total: Int
  /// Octets of each but the last.
  private let pieceSize: Int
  /// Octets from the first on that are here.
  private(set) var received = 0
  /// Pieces that are here beyond a hole.
  private var ahead: Set<Int> = []
  /// Pieces that were sent and are not here, and when each may be sent again.
  private var underWay: [Int: Duration] = [:]
  /// Those under way before this one are lost, because a later one is here.
  private var lostEnd = 0
  /// The first that was never sent.
  private var next = 0
  /// Whether there was no news since everything was called back. Then time alone repeats nothing:
  /// the app may be gone.
  private var isSilent = false

  init(total: Int, pieceSize: Int) {
    (self.total, self.pieceSize) = (total, pieceSize)
  }

  private var count: Int { (total + pieceSize - 1) / pieceSize }
  private var isWhole: Bool { received == total }
  /// The first that is not here.
  private var firstMissing: Int { isWhole ? count : received / pieceSize }
  /// Pieces that are here.
  var arrivedCount: Int { firstMissing + ahead.count }
  /// The first that may not be sent yet.
  private var windowEnd: Int {
    min(count, received / pieceSize + Limits.aheadPieceCountMax)
  }

  /// Where a piece lies.
  func range(of piece: Int) -> Range<Int> {
    piece * pieceSize..<min(total, (piece + 1) * pieceSize)
  }

  /// When to send something; nil if that depends on what comes.
  var due: Duration? {
    if next < windowEnd { return .zero }
    return underWay.filter { $0.key < lostEnd && mayRepeat($0.value) }.values.min()
  }

  private func mayRepeat(_ time: Duration) -> Bool { !isSilent || time == .zero }

  /// The pieces to send now, none of them again within `wait` unless everything is called back.
  mutating func take(at now: Duration, wait: Duration) -> [Int] {
    let lost = underWay.filter { $0.key < lostEnd && $0.value <= now && mayRepeat($0.value) }
      .keys.sorted()
    let new = Array(next..<max(next, windowEnd))
    next = max(next, windowEnd)
    for piece in lost + new { underWay[piece] = now + wait }
    return lost + new
  }

  /// Nothing came for so long that every piece under way is taken for lost. When all that was sent
  /// is here, the last of it asks how things stand.
  mutating func callBack() {
    if underWay.isEmpty, next > 0 { underWay[next - 1] = .zero }
    underWay = underWay.mapValues { _ in .zero }
    lostEnd = next
    isSilent = true
  }

  /// - Parameter mayForget: whether it lacks pieces known to be here only because the app forgot
  ///   them.
  /// - Returns: whether this is news.
  mutating func note(_ progress: ResetProgress, mayForget: Bool) -> Bool {
    let isNews = learn(progress, mayForget: mayForget)
    if isNews { isSilent = false }
    return isNews
  }

  private mutating func learn(_ progress: ResetProgress, mayForget: Bool) -> Bool {
    let newlyReceived = progress.received.clamped(to: .max)
    guard newlyReceived <= total else { return false }
    if mayForget, !isWhole, lacks(progress, received: newlyReceived) {
      beginAnew(from: newlyReceived)
      return true
    }
    guard newlyReceived >= received else { return false }
    let isMore = newlyReceived > received
    received = newlyReceived
    let first = firstMissing
    next = max(next, first)
    let isNews = progress.ahead.map { note($0) } ?? false
    // An app that keeps nothing beyond a hole repeats its progress for every piece in vain.
    if progress.ahead == nil, !isMore { lostEnd = next }
    ahead = ahead.filter { $0 >= first }
    underWay = underWay.filter { $0.key >= first && !ahead.contains($0.key) }
    return isMore || isNews
  }

  /// Whether it omits a piece that earlier progress named.
  private func lacks(_ progress: ResetProgress, received newlyReceived: Int) -> Bool {
    guard newlyReceived >= received else { return true }
    guard let ranges = progress.ahead else { return false }
    return ahead.contains { piece in
      let octets = range(of: piece)
      return octets.upperBound > newlyReceived && !ranges.contains { $0.contains(octets) }
    }
  }

  /// Pieces beyond a hole are named again, and sent ones count as never sent.
  private mutating func beginAnew(from received: Int) {
    self.received = received
    (ahead, underWay) = ([], [:])
    next = received / pieceSize
    lostEnd = next
  }

  private mutating func note(_ ranges: [Range<Int>]) -> Bool {
    let known = ahead.count
    for range in ranges {
      let begin = (range.lowerBound + pieceSize - 1) / pieceSize
      // The last piece may be shorter than the others.
      let end = min(next, range.upperBound >= total ? count : range.upperBound / pieceSize)
      guard begin < end else { continue }
      ahead.formUnion(begin..<end)
      lostEnd = max(lostEnd, end)
    }
    return ahead.count > known
  }
}
