import SurfBasics
import SurfTransport
import SurfWire

/// Packets that windows still lack, and when to ask for them (Protocol.md §10.4).
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
    case asked(Request)
    /// Another viewer has it, and is asked instead of the app.
    case elsewhere

    var request: Request? {
      if case .asked(let request) = self { request } else { nil }
    }
  }

  /// How a run was asked for last.
  struct Request: Equatable, Sendable {
    /// A later request has a higher one.
    var number: Int
    /// That of the first request.
    var firstNumber: Int
    var isHistory: Bool
    /// How often it was asked for.
    var attempts: Int
    var askedAt: Duration
    /// Do not repeat it sooner.
    var due: Duration
  }

  /// In rising order, never touching the same sequence twice.
  private(set) var runs: [Run] = []
  private var history = HistoryProgress()

  var isEmpty: Bool { runs.isEmpty }
  var deadline: Duration? { runs.lazy.compactMap(due).min() }

  /// The place of a packet that was asked for as history; nil if it was not, or is here. It is
  /// unknown which of several requests the app will answer: the first one counts.
  func historyPlace(of sequence: SequenceNumber) -> HistoryProgress.Place? {
    guard let index = runs.position(of: sequence), let request = runs[index].state.request,
      request.isHistory
    else { return nil }
    return HistoryProgress.Place(number: request.firstNumber, sequence: sequence)
  }

  /// History has come.
  ///
  /// - Parameter place: of its packet that was asked for last; nil if none is known.
  mutating func noteHistory(_ place: HistoryProgress.Place?, at now: Duration) {
    history.note(place, at: now)
  }

  /// When to ask for a run, or ask again; nil if never.
  ///
  /// History comes in the order in which it was asked for, and at the app's leisure: a run that was
  /// not passed over is under way, unless nothing comes any more.
  private func due(_ run: Run) -> Duration? {
    switch run.state {
    case .elsewhere: return nil
    case .waiting(let due): return due
    case .asked(let request):
      guard request.isHistory else { return request.due }
      let silence = max(history.heardAt, request.askedAt) + Timers.historySilence
      return max(request.due, passed(run).map { min($0, silence) } ?? silence)
    }
  }

  /// When something that was asked for later than the run is taken to have come.
  private func passed(_ run: Run) -> Duration? {
    guard let request = run.state.request else { return nil }
    return history.passed(HistoryProgress.Place(number: request.number, sequence: run.first))
  }

  private func isAsked(_ run: Run, after now: Duration) -> Bool {
    guard run.state.request != nil, let due = due(run) else { return false }
    return due > now
  }

  /// The soonest time at which a request must be repeated.
  func nextRepetition(after now: Duration) -> Duration? {
    runs.filter { isAsked($0, after: now) }.compactMap(due).min()
  }

  /// Whether something was asked for by the request of this number, or a later one.
  func isAsked(from number: Int) -> Bool {
    runs.contains { run in run.state.request.map { $0.number >= number } ?? false }
  }

  /// The sequence after the last packet that was to be asked for by `time`, and was not.
  func overdue(at time: Duration) -> SequenceNumber? {
    runs.last { run in
      if case .waiting(let due) = run.state { due <= time } else { false }
    }?.end
  }

  /// Misses the packets of `range`. Those that were asked for stay as they are; others are due at
  /// that time, or sooner if they were.
  mutating func want(_ range: Range<SequenceNumber>, due: Duration) {
    guard !range.isEmpty else { return }
    let wanted = Run(range, .waiting(until: due))
    let touched = runs.positions(of: range)
    var parts: [Run] = []
    var next = range.lowerBound
    for run in runs[touched] {
      parts.join(Run(next..<max(next, run.first), wanted.state))
      for part in run.waits(beyond: due) ? run.adopting(wanted) : [run] { parts.join(part) }
      next = run.end
    }
    parts.join(Run(next..<max(next, range.upperBound), wanted.state))
    runs.replaceSubrange(touched, with: parts)
  }

  func contains(_ sequence: SequenceNumber) -> Bool { runs.position(of: sequence) != nil }

  /// The first from this packet on.
  func first(from sequence: SequenceNumber) -> SequenceNumber? {
    let index = runs.positionAfter(sequence)
    return index < runs.count ? max(runs[index].first, sequence) : nil
  }

  /// What of it lies in `range`.
  func part(in range: Range<SequenceNumber>) -> MissingRuns {
    var part = self
    part.keep([range])
    return part
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
    if let first = runs.first, first.first < edge { keep([kept, edge..<SequenceNumber.max]) }
  }

  /// Whether something is below `edge` that is not in `kept`.
  func hasForgotten(below edge: SequenceNumber, keeping kept: Range<SequenceNumber>) -> Bool {
    var rest = self
    rest.abandon(below: edge, keeping: kept)
    return rest.runs != runs
  }

  /// Forgets all that is in none of the ranges.
  mutating func keep(_ ranges: [Range<SequenceNumber>]) {
    var kept = SequenceRanges()
    for range in ranges where !range.isEmpty {
      kept.insert(range.lowerBound...range.upperBound.previous)
    }
    runs = runs.flatMap { run in
      kept.intersection(run.first...run.end.previous).map { Run($0.halfOpen, run.state) }
    }
  }

  mutating func abandonAll() { runs.removeAll() }

  /// How many packets were asked for and are still expected, and how many ranges of history that
  /// makes in the app's list: of those that were not passed over and may still be answered.
  func underWay(at now: Duration) -> (packets: WireCount, historyRanges: Int) {
    let asked = runs.filter { isAsked($0, after: now) }
    let queued = asked.filter { $0.state.request?.isHistory == true && passed($0) == nil }
    return (asked.lazy.map(\.length).sum, Set(queued.compactMap(\.state.request?.number)).count)
  }

  /// The oldest that was asked for, lately or long ago.
  var oldestAsked: SequenceNumber? { runs.first { $0.state.request != nil }?.first }

  /// The missing part of `range` is elsewhere from now on.
  mutating func putOff(_ range: Range<SequenceNumber>) { adopt(Run(range, .elsewhere)) }

  /// Asks for the put-off part of `range` after all.
  mutating func callBack(_ range: Range<SequenceNumber>, due: Duration) {
    for run in runs where run.state == .elsewhere {
      let part = (run.first..<run.end).clamped(to: range)
      if !part.isEmpty { adopt(Run(part, .waiting(until: due))) }
    }
  }

  /// Changes the state of what is missing of a run.
  private mutating func adopt(_ other: Run) {
    let touched = runs.positions(of: other.first..<other.end)
    runs.replaceSubrange(touched, with: runs[touched].flatMap { $0.adopting(other) })
  }

  /// Asks for what is due of `range`, from the oldest on, while the round has room. Each run is due
  /// again after a time that doubles with its attempts.
  mutating func ask(
    for range: Range<SequenceNumber> = 0..<SequenceNumber.max, in round: inout RequestRound,
    using random: inout SplitMix64
  ) {
    // Runs due within the reorder time ride along: one NAK for many gaps.
    let horizon = round.now + Timers.reorderWait
    var index = runs.positionAfter(range.lowerBound)
    while index < runs.count, runs[index].first < range.upperBound {
      if let due = due(runs[index]), due <= horizon {
        if split(index, before: range.lowerBound) { index += 1 }
        split(index, before: range.upperBound)
        split(index, before: round.historyEnd)
        let room = round.room(isHistory: runs[index].first < round.historyEnd)
        if !room.isZero {
          split(index, at: room)
          runs[index].state = .asked(round.request(for: runs[index], using: &random))
          round.take(runs[index])
        }
      }
      index += 1
    }
  }

  /// Cuts the run so that its first part is at most `count` long.
  private mutating func split(_ index: Int, at count: WireCount) {
    split(index, before: runs[index].first.advanced(by: count))
  }

  /// Cuts the run before that packet. False if it is not within.
  @discardableResult
  private mutating func split(_ index: Int, before middle: SequenceNumber) -> Bool {
    let run = runs[index]
    guard run.first < middle, middle < run.end else { return false }
    runs[index].end = middle
    runs.insert(Run(middle..<run.end, run.state), at: index + 1)
    return true
  }
}

extension MissingRuns.Run {
  fileprivate init(_ range: Range<SequenceNumber>, _ state: MissingRuns.State) {
    self.init(first: range.lowerBound, end: range.upperBound, state: state)
  }

  /// Whether it was not asked for, and is due later than that.
  fileprivate func waits(beyond due: Duration) -> Bool {
    switch state {
    case .waiting(let until): until > due
    case .asked: false
    case .elsewhere: true
    }
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
  /// Appends a run, or lengthens the last by it.
  fileprivate mutating func join(_ run: MissingRuns.Run) {
    if run.first == run.end { return }
    if let last, last.end == run.first, last.state == run.state {
      self[count - 1].end = run.end
    } else {
      append(run)
    }
  }

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
  fileprivate func positionAfter(_ sequence: SequenceNumber) -> Int {
    partitionPoint { $0.end > sequence }
  }
}
