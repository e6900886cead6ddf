import SurfBasics
import SurfTransport
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
  var first: SequenceNumber? { runs.first?.first }
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

  /// Notes a run beyond all others.
  mutating func append(_ first: SequenceNumber, _ end: SequenceNumber, due: Duration) {
    guard first < end else { return }
    runs.append(Run(first: first, end: end, state: .waiting(until: due)))
  }

  func contains(_ sequence: SequenceNumber) -> Bool { runs.position(of: sequence) != nil }

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

  /// The numbers of requests for history that were not passed over and may still be answered.
  func queuedRequests(at now: Duration) -> [Int] {
    runs.compactMap { run in
      guard let request = run.state.request, request.isHistory, passed(run) == nil,
        isAsked(run, after: now)
      else { return nil }
      return request.number
    }
  }

  /// The oldest that was asked for, lately or long ago.
  var oldestAsked: SequenceNumber? { runs.first { $0.state.request != nil }?.first }

  /// The missing part of `range` is elsewhere from now on.
  mutating func putOff(_ range: Range<SequenceNumber>) { adopt([Run(range, .elsewhere)]) }

  /// Asks for the put-off part of `range` after all.
  mutating func callBack(_ range: Range<SequenceNumber>, due: Duration) {
    for run in runs where run.state == .elsewhere {
      let part = (run.first..<run.end).clamped(to: range)
      if !part.isEmpty { adopt([Run(part, .waiting(until: due))]) }
    }
  }

  /// Takes over all that another window has asked for and not got.
  mutating func adoptRequests(of other: MissingRuns) {
    history = other.history
    adopt(other.runs.filter { $0.state.request != nil })
  }

  /// Takes over the state of another window's requests: one packet, one request.
  mutating func adopt(_ asked: [Run]) {
    for other in asked where other.first < other.end {
      let touched = runs.positions(of: other.first..<other.end)
      guard runs[touched].contains(where: { $0.state != other.state }) else { continue }
      runs.replaceSubrange(touched, with: runs[touched].flatMap { $0.adopting(other) })
    }
  }

  /// Asks for due runs, from the oldest on, while the round has room. Each run is due again after a
  /// time that doubles with its attempts.
  mutating func ask(in round: inout RequestRound, using random: inout SplitMix64) {
    // Runs due within the reorder time ride along: one NAK for many gaps.
    let horizon = round.now + Timers.reorderWait
    var index = 0
    while index < runs.count {
      if let due = due(runs[index]), due <= horizon {
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

  /// Cuts the run where history ends, if it does so within.
  private mutating func split(_ index: Int, before end: SequenceNumber) {
    if runs[index].first < end { split(index, at: runs[index].first.distance(to: end)) }
  }

  /// Cuts the run so that its first part is at most `count` long.
  private mutating func split(_ index: Int, at count: WireCount) {
    let run = runs[index]
    guard run.length > count else { return }
    let middle = run.first.advanced(by: count)
    runs[index].end = middle
    runs.insert(Run(first: middle, end: run.end, state: run.state), at: index + 1)
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
    partitionPoint { $0.end > sequence }
  }
}
