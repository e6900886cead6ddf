internal import Redaction
package import SurfWire

/// Leaves out states of actions that differ from the one before at some places alone, as the app
/// wants it (Protocol.md §12).
package struct StateSampler {
  /// A state, and the same with marks at those places.
  private struct Sample {
    let content: Content
    let rest: [UInt8]
  }

  private let paths: RedactedPaths
  private let title: String
  private let interval: ThinningInterval
  private var newest: Sample?
  /// When a state was told, by the entries' uptime.
  private var toldAt: UInt64 = 0
  /// States left out since they were last told of.
  private var leftOutCount = 0
  private var isNewestLeftOut = false

  /// Paths that a mark names, so that its name stays a line.
  private static let namedCountMax = 3

  /// - Parameters:
  ///   - paths: Can be read.
  ///   - interval: In which one state leaves at least, and one alone if only these places change.
  package init(_ paths: [String], every interval: Duration) {
    self.paths = RedactedPaths(paths)
    self.interval = ThinningInterval(interval)
    let more = paths.count > Self.namedCountMax ? " …" : ""
    title = paths.prefix(Self.namedCountMax).joined(separator: ", ") + more
  }

  /// When `takeMark` must come, by the entries' uptime; nil while there is nothing to tell.
  package var deadline: UInt64? { leftOutCount > 0 ? end : nil }

  private var end: UInt64 { interval.end(from: toldAt) }

  /// Whether an action goes without its state.
  ///
  /// - Parameter isForeign: Whether the octets may be anything, whatever their type says.
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

  /// The app is in another state: the next one is told.
  package mutating func interrupt() { (newest, isNewestLeftOut) = (nil, false) }

  /// Nil for what is not JSON.
  private func rest(of state: Content, _ isForeign: Bool) -> [UInt8]? {
    guard state.type.hasSuffix("json") else { return nil }
    do {
      return try isForeign ? paths.redact(foreign: state.bytes) : paths.redact(state.bytes)
    } catch {
      return nil
    }
  }

  /// What tells of all that was left out, if anything was, and brings the newest state.
  ///
  /// - Parameter now: By the entries' uptime.
  package mutating func takeMark(at now: UInt64) -> Entry? {
    guard leftOutCount > 0 else { return nil }
    let states = leftOutCount == 1 ? "1 state" : "\(leftOutCount) states"
    var mark = Entry(.mark, "\(states) left out that differed in \(title) alone", source: .none)
    if isNewestLeftOut, let content = newest?.content {
      // As it was told already: marks in it stay what they are.
      mark.state = .report { _ in content }
    }
    (leftOutCount, isNewestLeftOut) = (0, false)
    toldAt = max(toldAt, now)
    return mark
  }
}
