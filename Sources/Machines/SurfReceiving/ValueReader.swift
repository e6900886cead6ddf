import SurfBasics
import SurfTransport
import SurfWire

/// What `Receiver` reports about an app's live values.
package enum ValueNews: Equatable, Sendable {
  /// The viewer has requested all values. Until `complete`, values that are known may be gone.
  case asked
  case value(Record)
  /// All values are here. A value of a record up to `horizon` that has not arrived since `asked` is
  /// gone.
  ///
  /// - Parameter leftOut: values that the app left out for lack of space since its session began.
  case complete(horizon: SequenceNumber, leftOut: WireCount)
}

/// Requests an app's live values, for a `Receiver`, until all of them are here (Protocol.md
/// §10.10).
struct ValueReader {
  /// A record that arrives in pieces.
  private struct Part: Sendable {
    var whole: PartialRecord
    /// Pieces after a missing one, by offset.
    private var ahead: [WireCount: [UInt8]] = [:]

    init(_ fragment: FragmentView) {
      whole = PartialRecord(record: fragment.record, total: fragment.total)
    }

    var record: SequenceNumber { whole.record }
    var size: WireCount { WireCount(whole.size) }

    mutating func take(_ fragment: FragmentView) {
      if fragment.offset > size, ahead.count < Limits.valueReplyCountMax {
        ahead[fragment.offset] = Array(fragment.bytes)
      }
      guard whole.take(fragment) != .misfit else { return }
      while let next = ahead.removeValue(forKey: size) {
        next.withUnsafeBytes { whole.append($0) }
      }
    }
  }

  private let session: SessionID
  private let sink: EventSink
  private var covered = SequenceRanges()
  private var part: Part?
  /// The newest record of the app when it first answered.
  private var horizon: SequenceNumber?
  private var horizonMin: SequenceNumber = 0
  private var leftOut: WireCount = 0
  /// When to send a request; nil if all values are here or nobody wants them.
  private(set) var due: Duration?
  private var wait = Timers.valueRepeatMin
  /// Whether anybody has asked for the values.
  private(set) var isWanted = false
  /// Whether the app has announced values. Without that, it is not asked.
  private var appHasValues = false
  /// Invalid replies, by reason.
  private(set) var drops: [String: Int] = [:]

  var unfinishedSize: Int { part?.whole.size ?? 0 }

  init(of session: SessionID, into sink: EventSink) {
    self.session = session
    self.sink = sink
  }

  private func report(_ news: ValueNews) { sink.append(.values(session, news)) }

  /// Requests all values again.
  ///
  /// - Parameter horizonMin: ignore replies from before the app made this record.
  mutating func begin(at now: Duration, from horizonMin: SequenceNumber = 0) {
    isWanted = true
    (covered, part, horizon) = (SequenceRanges(), nil, nil)
    self.horizonMin = horizonMin
    report(.asked)
    if appHasValues {
      (due, wait) = (now, Timers.valueRepeatMin)
    } else {
      report(.complete(horizon: 0, leftOut: 0))
    }
  }

  /// Discards all answers. If the values were wanted, they still are.
  mutating func beginAnew(at now: Duration) {
    if isWanted { begin(at: now) }
  }

  /// A heartbeat says whether the app has values. Viewers hear of the first value live.
  mutating func note(_ heartbeat: Heartbeat) {
    appHasValues = heartbeat.control.contains(.hasValues)
  }

  /// Lost records beyond the horizon may have contained values.
  mutating func note(lost newest: SequenceNumber) {
    guard isWanted, appHasValues, newest > horizon ?? 0 else { return }
    begin(at: .zero, from: newest)
  }

  mutating func forgetUnfinished() -> Int {
    defer { part = nil }
    return part == nil ? 0 : 1
  }

  // MARK: Asking

  /// Whether several requests went unanswered, so that the interval has reached its maximum.
  var isUnheard: Bool { wait >= Timers.valueRepeatMax }

  /// The next request; nil if none is due.
  mutating func ask(at now: Duration) -> (span: RecordSpan, offset: WireCount)? {
    guard let due, due <= now else { return nil }
    self.due = now + wait
    wait = min(wait * 2, Timers.valueRepeatMax)
    guard let span = covered.firstHole(through: horizon ?? .max.previous) else { return nil }
    guard let part, part.record == span.after.next else { return (span, 0) }
    return (span, part.size)
  }

  // MARK: Answers

  /// - Returns: whether the reply was expected.
  mutating func receive(_ reply: ValueReply, at now: Duration) -> Bool {
    guard due != nil, reply.newestRecord >= horizonMin else { return false }
    horizon = horizon ?? reply.newestRecord
    leftOut = reply.leftOut
    wait = Timers.valueRepeatMin
    due = reply.rest.isZero ? now : now + Timers.valueRepeatMin
    read(reply)
    forgetCovered()
    guard let horizon, covered.end >= horizon else { return true }
    due = nil
    report(.complete(horizon: horizon, leftOut: leftOut))
    return true
  }

  private mutating func read(_ reply: ValueReply) {
    do throws(WireError) {
      let isWhole = try reply.frames.span.withUnsafeBytes { bytes throws(WireError) in
        try read(bytes, of: reply.range)
      }
      if isWhole { covered.cover(reply.range) }
    } catch {
      drops.count(error.reason)
    }
  }

  /// - Returns: whether the whole range is here.
  private mutating func read(
    _ frames: UnsafeRawBufferPointer, of range: RecordSpan
  ) throws(WireError) -> Bool {
    var reader = FrameReader(frames)
    var isWhole = true
    while let frame = try reader.next() {
      switch frame.kind {
      case .record: report(try Record(decoding: frame.body), in: range)
      case .fragment:
        isWhole = try take(FragmentView(decoding: frame.body), in: range)
      case .restored: break
      }
    }
    return isWhole
  }

  private mutating func forgetCovered() {
    if let part, part.record <= covered.end { self.part = nil }
  }

  private mutating func report(_ record: Record, in range: RecordSpan) {
    guard record.kind == .update, range.contains(record.sequence) else { return }
    report(.value(record))
  }

  /// - Returns: whether the record is complete.
  private mutating func take(
    _ fragment: FragmentView, in range: RecordSpan
  ) throws(WireError) -> Bool {
    guard fragment.record == range.through else { throw .invalid(field: "fragment record") }
    if let before = RecordSpan(after: range.after, through: fragment.record.previous) {
      covered.cover(before)
    }
    forgetCovered()
    // The oldest record goes first. Pieces of a later one are sent again.
    if fragment.record > covered.end, fragment.record < part?.record ?? .max {
      part = Part(fragment)
    }
    guard part?.whole.has(fragment) == true else { return false }
    part?.take(fragment)
    guard part?.whole.isComplete == true, var whole = part?.whole else { return false }
    part = nil
    report(try whole.finish(), in: range)
    return true
  }
}

// The records whose values are known.
extension SequenceRanges {
  /// More runs than an app sends before the viewer requests the first hole again.
  private static var aheadCountMax: Int { 4 * Limits.valueReplyCountMax }

  /// All records up to this one are known.
  fileprivate var end: SequenceNumber {
    runs.first.flatMap { $0.contains(1) ? $0.upperBound : nil } ?? 0
  }

  fileprivate mutating func cover(_ span: RecordSpan) {
    guard span.after <= end || runs.count <= Self.aheadCountMax else { return }
    insert(span.after.next...span.through)
  }

  /// The first records that are not known; nil if all up to `last` are.
  fileprivate func firstHole(through last: SequenceNumber) -> RecordSpan? {
    let next = runs.first { $0.lowerBound > end.next }?.lowerBound.previous
    return RecordSpan(after: end, through: min(next ?? last, last))
  }
}
