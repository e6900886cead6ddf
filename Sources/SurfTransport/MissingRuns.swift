import SurfWire

/// The packets that a window still lacks, and when to ask for them (Protocol.md §10.4).
struct MissingRuns: Sendable {
  struct Run: Equatable, Sendable {
    var first: SequenceNumber
    /// The sequence after the last.
    var end: SequenceNumber
    var state: State

    var length: WireCount { first.distance(to: end) }
  }

  enum State: Equatable, Sendable {
    /// Not asked for yet: a straggler may come, or another viewer's repair.
    case waiting(until: Duration)
    /// Asked for so many times, the last time at `since`; to be repeated at `due`.
    case asked(due: Duration, attempts: Int, since: Duration)
    /// Another viewer has it, and is asked instead of the app.
    case elsewhere

    /// Nil if it is not to be asked for.
    var due: Duration? {
      switch self {
      case .waiting(let due), .asked(let due, _, _): due
      case .elsewhere: nil
      }
    }

    var attempts: Int {
      if case .asked(_, let attempts, _) = self { attempts } else { 0 }
    }
  }

  /// In rising order, never touching the same sequence twice.
  private(set) var runs: [Run] = []
  /// The last packet of history that came, and up to where packets are history.
  private var history: (last: SequenceNumber, at: Duration, end: SequenceNumber)?

  var isEmpty: Bool { runs.isEmpty }
  var first: SequenceNumber? { runs.first?.first }
  var deadline: Duration? { runs.lazy.compactMap(due).min() }

  /// - Parameter newest: up to it, packets are asked for as history.
  mutating func noteHistory(
    _ sequence: SequenceNumber, upTo newest: SequenceNumber, at now: Duration
  ) {
    history = (sequence, now, newest.next)
  }

  /// When a run is to be asked for, or again; nil if it is not.
  ///
  /// History comes in the order in which it was asked for, and at the app's leisure: what was not
  /// passed over is under way, unless nothing comes any more.
  private func due(_ run: Run) -> Duration? {
    guard case .asked(let due, _, let since) = run.state, let history, run.first < history.end
    else {
      return run.state.due
    }
    let isPassed = run.first < history.last && since < history.at
    return isPassed ? due : max(due, history.at + Timers.historySilence)
  }

  private func isAsked(_ run: Run, after now: Duration) -> Bool {
    guard case .asked = run.state, let due = due(run) else { return false }
    return due > now
  }

  /// The soonest time at which something that was asked for is to be asked for again.
  func nextRepetition(after now: Duration) -> Duration? {
    runs.filter { isAsked($0, after: now) }.compactMap(due).min()
  }

  /// Whether something was asked for so often, and should be asked for once more.
  func isInVain(after attempts: Int, at now: Duration) -> Bool {
    runs.contains { run in
      run.state.attempts >= attempts && due(run).map { $0 <= now } == true
    }
  }

  /// Notes a run beyond all others.
  mutating func append(_ first: SequenceNumber, _ end: SequenceNumber, due: Duration) {
    guard first < end else { return }
    runs.append(Run(first: first, end: end, state: .waiting(until: due)))
  }

  /// Notes that a packet came. False if it was not missing.
  mutating func remove(_ sequence: SequenceNumber) -> Bool {
    guard let index = runs.position(of: sequence) else { return false }
    let run = runs[index]
    switch (run.first == sequence, run.end == sequence.next) {
    case (true, true): runs.remove(at: index)
    case (true, false): runs[index].first = sequence.next
    case (false, true): runs[index].end = sequence
    case (false, false):
      runs[index].end = sequence
      runs.insert(Run(sequence.next..<run.end, run.state), at: index + 1)
    }
    return true
  }

  /// Forgets all below `edge` that is not in `kept`: it will never come.
  mutating func abandon(below edge: SequenceNumber, keeping kept: Range<SequenceNumber>) {
    guard hasForgotten(below: edge, keeping: kept) else { return }
    runs = runs.flatMap { run in
      let kept = (run.first..<min(run.end, edge)).meeting(kept)
      let rest = max(run.first, edge)..<max(run.end, edge)
      return [kept, rest].filter { !$0.isEmpty }.map { Run($0, run.state) }
    }
  }

  /// Whether something is below `edge` that is not in `kept`.
  func hasForgotten(below edge: SequenceNumber, keeping kept: Range<SequenceNumber>) -> Bool {
    runs.prefix { $0.first < edge }.contains { run in
      run.first < kept.lowerBound || min(run.end, edge) > kept.upperBound
    }
  }

  mutating func abandonAll() { runs.removeAll() }

  /// Packets that were asked for and are still expected.
  func outstanding(at now: Duration) -> [Range<SequenceNumber>] {
    runs.filter { isAsked($0, after: now) }.map { $0.first..<$0.end }
  }

  /// The oldest that was asked for, lately or long ago.
  var oldestAsked: SequenceNumber? { runs.first { $0.state.attempts > 0 }?.first }

  /// What of `range` is missing is elsewhere from now on.
  mutating func putOff(_ range: Range<SequenceNumber>) { adopt([Run(range, .elsewhere)]) }

  /// What was put off of `range` is to be asked for after all.
  mutating func callBack(_ range: Range<SequenceNumber>, due: Duration) {
    for run in runs where run.state == .elsewhere {
      let part = (run.first..<run.end).clamped(to: range)
      if !part.isEmpty { adopt([Run(part, .waiting(until: due))]) }
    }
  }

  /// Takes over the state of what another window has asked for: one packet, one request.
  mutating func adopt(_ asked: [Run]) {
    for other in asked where other.first < other.end {
      let touched = runs.positions(of: other.first..<other.end)
      guard runs[touched].contains(where: { $0.state != other.state }) else { continue }
      runs.replaceSubrange(touched, with: runs[touched].flatMap { $0.adopting(other) })
    }
  }

  /// What to ask for now: at most `rangeMax` runs and `budget` packets, from the oldest on. Each is
  /// due again after a time that doubles with its attempts.
  mutating func ask(
    at now: Duration, rangeMax: Int, budget: WireCount, repeatMin: Duration,
    using random: inout SplitMix64
  ) -> [Run] {
    var asked: [Run] = []
    var left = budget
    var index = 0
    // What is due within the reorder time rides along: one NAK for many gaps.
    let horizon = now + Timers.reorderWait
    while index < runs.count, asked.count < rangeMax, !left.isZero {
      if let due = due(runs[index]), due <= horizon {
        split(index, at: left)
        let run = runs[index]
        left.subtract(run.length)
        let attempts = run.state.attempts + 1
        let wait = Self.repetition(after: attempts, from: repeatMin, using: &random)
        runs[index].state = .asked(due: now + wait, attempts: attempts, since: now)
        asked.append(runs[index])
      }
      index += 1
    }
    return asked
  }

  /// Cuts the run so that its first part is at most `count` long.
  private mutating func split(_ index: Int, at count: WireCount) {
    let run = runs[index]
    guard run.length > count else { return }
    let middle = run.first.advanced(by: count)
    runs[index].end = middle
    runs.insert(Run(first: middle, end: run.end, state: run.state), at: index + 1)
  }

  private static func repetition(
    after attempts: Int, from repeatMin: Duration, using random: inout SplitMix64
  ) -> Duration {
    // The first repetition may have been lost like the packet; from the third on it is no chance.
    let doubled = repeatMin * (1 << min(max(attempts - 2, 0), 8))
    let wait = min(doubled, Timers.nakRepeatMax)
    return wait + random.duration(upTo: wait / 4)
  }
}

extension Range<SequenceNumber> {
  /// What both have; empty if that is nothing.
  fileprivate func meeting(_ other: Self) -> Self {
    let first = Swift.max(lowerBound, other.lowerBound)
    return first..<Swift.max(first, Swift.min(upperBound, other.upperBound))
  }
}

extension MissingRuns.Run {
  fileprivate init(_ range: Range<SequenceNumber>, _ state: MissingRuns.State) {
    self.init(first: range.lowerBound, end: range.upperBound, state: state)
  }

  /// Nil if it is longer than one request may be.
  var range: PacketRange? {
    PacketRange(first: first, count: length)
  }

  /// The run in up to three parts, of which the one that overlaps `other` has its state.
  fileprivate func adopting(_ other: Self) -> [Self] {
    let start = max(first, other.first)
    let stop = min(end, other.end)
    guard start < stop else { return [self] }
    return [
      Self(first: first, end: start, state: state),
      Self(first: start, end: stop, state: other.state),
      Self(first: stop, end: end, state: state),
    ].filter { $0.first < $0.end }
  }
}

extension [MissingRuns.Run] {
  fileprivate func position(of sequence: SequenceNumber) -> Int? {
    let index = positionAfter(sequence)
    return index < count && self[index].first <= sequence ? index : nil
  }

  /// Of the runs that overlap `range`.
  ///
  /// - Precondition: `range` is not empty.
  fileprivate func positions(of range: Range<SequenceNumber>) -> Range<Int> {
    let first = positionAfter(range.lowerBound)
    let last = positionAfter(range.upperBound.previous)
    let isTouched = last < count && self[last].first < range.upperBound
    return first..<(isTouched ? last + 1 : last)
  }

  /// Of the first run that ends behind `sequence`.
  private func positionAfter(_ sequence: SequenceNumber) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if self[middle].end <= sequence { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
