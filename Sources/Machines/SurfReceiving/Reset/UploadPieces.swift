import SurfWire

/// The pieces of one upload, by number, for `ResetUpload`: which the app has, which are in flight,
/// and which must be sent or resent (Protocol.md §11.3).
struct UploadPieces: Sendable {
  /// Octets of all pieces.
  let total: Int
  /// Octets of each piece except the last.
  private let pieceSize: Int
  /// Octets that the app has without a gap.
  private(set) var received = 0
  /// Pieces that the app has beyond a gap.
  private var ahead: Set<Int> = []
  /// Pieces that were sent and not acknowledged, and when each may be resent.
  private var underWay: [Int: Duration] = [:]
  /// Pieces in flight before this one are lost, because a later one has arrived.
  private var lostEnd = 0
  /// The first piece that was never sent.
  private var next = 0
  /// Whether nothing new was heard since everything was called back. Then time alone repeats
  /// nothing: the app may be gone.
  private var isSilent = false

  init(total: Int, pieceSize: Int) {
    (self.total, self.pieceSize) = (total, pieceSize)
  }

  private var count: Int { (total + pieceSize - 1) / pieceSize }
  private var isWhole: Bool { received == total }
  /// The first piece that the app lacks.
  private var firstMissing: Int { isWhole ? count : received / pieceSize }
  /// Pieces that the app has.
  var arrivedCount: Int { firstMissing + ahead.count }
  /// The first piece beyond the window.
  private var windowEnd: Int {
    min(count, received / pieceSize + Limits.aheadPieceCountMax)
  }

  /// The octets of a piece.
  func range(of piece: Int) -> Range<Int> {
    piece * pieceSize..<min(total, (piece + 1) * pieceSize)
  }

  /// When to send something; nil if that depends on the next answer.
  var due: Duration? {
    if next < windowEnd { return .zero }
    return underWay.filter { $0.key < lostEnd && mayRepeat($0.value) }.values.min()
  }

  private func mayRepeat(_ time: Duration) -> Bool { !isSilent || time == .zero }

  /// The pieces to send now. None is sent again within `wait`, unless everything is called back.
  mutating func take(at now: Duration, wait: Duration) -> [Int] {
    let lost = underWay.filter { $0.key < lostEnd && $0.value <= now && mayRepeat($0.value) }
      .keys.sorted()
    let new = Array(next..<max(next, windowEnd))
    next = max(next, windowEnd)
    for piece in lost + new { underWay[piece] = now + wait }
    return lost + new
  }

  /// Takes every piece in flight for lost, after a long silence. If all pieces that were sent have
  /// arrived, resends the last one to make the app report its progress.
  mutating func callBack() {
    if underWay.isEmpty, next > 0 { underWay[next - 1] = .zero }
    underWay = underWay.mapValues { _ in .zero }
    lostEnd = next
    isSilent = true
  }

  /// - Parameter mayForget: whether a missing piece that was acknowledged means that the app has
  ///   dropped it, and not that the progress is an older one.
  /// - Returns: whether the progress is new.
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
    // An app that keeps nothing beyond a gap repeats its progress for every piece that it drops.
    if progress.ahead == nil, !isMore { lostEnd = next }
    ahead = ahead.filter { $0 >= first }
    underWay = underWay.filter { $0.key >= first && !ahead.contains($0.key) }
    return isMore || isNews
  }

  /// Whether the progress omits a piece that an earlier one named.
  private func lacks(_ progress: ResetProgress, received newlyReceived: Int) -> Bool {
    guard newlyReceived >= received else { return true }
    guard let ranges = progress.ahead else { return false }
    return ahead.contains { piece in
      let octets = range(of: piece)
      return octets.upperBound > newlyReceived && !ranges.contains { $0.contains(octets) }
    }
  }

  /// The app has dropped pieces: it will name those beyond a gap again. Later ones count as never
  /// sent.
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
      let end = min(next, range.upperBound >= total ? count : range.upperBound / pieceSize)
      guard begin < end else { continue }
      ahead.formUnion(begin..<end)
      lostEnd = max(lostEnd, end)
    }
    return ahead.count > known
  }
}
