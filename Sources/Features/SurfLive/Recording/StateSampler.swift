internal import Redaction
package import SurfValues
package import SurfWire

/// Leaves out states that differ from the one before only at sampled paths (Protocol.md §12).
/// `RecordWriter` asks it, on the encoding thread.
package struct StateSampler {
  /// A state, and its JSON with marks at those paths.
  private struct Sample {
    let content: Content
    let rest: [UInt8]
  }

  private let paths: RedactedPaths
  private let title: String
  private let interval: ThinningInterval
  private var newest: Sample?
  /// When a state was last sent, by the entries' uptime.
  private var toldAt: UInt64 = 0
  /// States left out since the last mark.
  private var leftOutCount = 0
  private var isNewestLeftOut = false

  /// How many paths a mark names at most, to remain one line.
  private static let namedCountMax = 3

  /// - Parameter thinning: Its `sampled` paths are valid. While states differ only at them, one is
  ///   sent in each of its intervals.
  package init(_ thinning: TransceiverConfiguration.Thinning) {
    let paths = thinning.sampled
    self.paths = RedactedPaths(paths)
    interval = ThinningInterval(thinning.interval)
    let more = paths.count > Self.namedCountMax ? " …" : ""
    title = paths.prefix(Self.namedCountMax).joined(separator: ", ") + more
  }

  /// When to call `takeMark`, by the entries' uptime; nil if no state was left out.
  package var deadline: UInt64? { leftOutCount > 0 ? end : nil }

  private var end: UInt64 { interval.end(from: toldAt) }

  /// Whether to leave out the state of an action.
  ///
  /// - Parameter isForeign: Whether the app's author supplied the octets, which may be anything.
  package mutating func leavesOut(
    _ state: Content, isForeign: Bool = false, at moment: Moment
  ) -> Bool {
    let before = newest
    newest = rest(of: state, isForeign).map { Sample(content: state, rest: $0) }
    guard let before, let newest, before.rest == newest.rest, before.content != state,
      before.content.type == state.type, moment.uptime < end
    else {
      (toldAt, isNewestLeftOut) = (moment.uptime, false)
      return false
    }
    leftOutCount += 1
    isNewestLeftOut = true
    return true
  }

  /// Notes that the app is in another state, so that the next one is sent.
  package mutating func interrupt() { (newest, isNewestLeftOut) = (nil, false) }

  /// The state with marks; nil if it is not JSON.
  private func rest(of state: Content, _ isForeign: Bool) -> [UInt8]? {
    guard state.type.hasSuffix("json") else { return nil }
    do {
      return try isForeign ? paths.redact(foreign: state.bytes) : paths.redact(state.bytes)
    } catch {
      return nil
    }
  }

  /// A mark that counts the states left out, with the newest state; nil if none was left out.
  ///
  /// - Parameter now: By the entries' uptime.
  package mutating func takeMark(at now: UInt64) -> Entry? {
    guard leftOutCount > 0 else { return nil }
    let states = leftOutCount == 1 ? "1 state" : "\(leftOutCount) states"
    var mark = Entry(.mark, "\(states) left out that differed only in \(title)", source: .none)
    if isNewestLeftOut, let content = newest?.content {
      // A report, so that it is not redacted again: its marks stay as they are.
      mark.state = .report { _ in content }
    }
    (leftOutCount, isNewestLeftOut) = (0, false)
    toldAt = max(toldAt, now)
    return mark
  }
}
