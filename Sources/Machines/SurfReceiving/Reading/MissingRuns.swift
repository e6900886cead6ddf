import SurfBasics
import SurfTransport
import SurfWire

/// Missing packets, and when to request them (Protocol.md §10.4). `PacketStore` has one for all
/// windows, and `PacketBatch` has one for its block.
struct MissingRuns: Sendable {
  struct Run: Equatable, Sendable {
    var first: SequenceNumber
    /// The sequence number after the last.
    var end: SequenceNumber
    var state: State

    var length: WireCount { first.distance(to: end) }
  }

  enum State: Equatable, Sendable {
    /// Not requested yet: the packet may be late, or another viewer may request it.
    case waiting(until: Duration)
    case asked(Request)
    /// Requested from another viewer instead of the app.
    case elsewhere

    var request: Request? {
      if case .asked(let request) = self { request } else { nil }
    }
  }

  /// The last request for a run.
  struct Request: Equatable, Sendable {
    /// Increases from request to request.
    var number: Int
    /// The number of the first request.
    var firstNumber: Int
    var isHistory: Bool
    /// The number of requests so far.
    var attempts: Int
    var askedAt: Duration
    /// The earliest time to repeat the request.
    var due: Duration
  }

  /// In rising order, without overlaps.
  private(set) var runs: [Run] = []
  private var history = HistoryProgress()

  var isEmpty: Bool { runs.isEmpty }
  var deadline: Duration? { runs.lazy.compactMap(due).min() }

  /// The place of a missing packet that was requested as history; nil for any other. If there were
  /// several requests, the first one counts: which of them the app answers is unknown.
  func historyPlace(of sequence: SequenceNumber) -> HistoryProgress.Place? {
    guard let index = runs.position(of: sequence), let request = runs[index].state.request,
      request.isHistory
    else { return nil }
    return HistoryProgress.Place(number: request.firstNumber, sequence: sequence)
  }

  /// Notes that history packets arrived.
  ///
  /// - Parameter place: the place of the one that was requested last; nil if unknown.
  mutating func noteHistory(_ place: HistoryProgress.Place?, at now: Duration) {
    history.note(place, at: now)
  }

  /// When to request a run, or request it again; nil if never.
  ///
  /// The app sends history in the order of the requests, and at its own pace. So a run is in flight
  /// until a later one has arrived, or until history stops.
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

  /// When a later request counts as answered, which means that the run was passed over.
  private func passed(_ run: Run) -> Duration? {
    guard let request = run.state.request else { return nil }
    return history.passed(HistoryProgress.Place(number: request.number, sequence: run.first))
  }

  private func isAsked(_ run: Run, after now: Duration) -> Bool {
    guard run.state.request != nil, let due = due(run) else { return false }
    return due > now
  }

  /// The earliest time after `now` to repeat a request.
  func nextRepetition(after now: Duration) -> Duration? {
    runs.filter { isAsked($0, after: now) }.compactMap(due).min()
  }

  /// Whether a run was requested with this number or a higher one.
  func isAsked(from number: Int) -> Bool {
    runs.contains { run in run.state.request.map { $0.number >= number } ?? false }
  }

  /// The sequence number after the last packet that was due by `time` and was not requested.
  func overdue(at time: Duration) -> SequenceNumber? {
    runs.last { run in
      if case .waiting(let due) = run.state { due <= time } else { false }
    }?.end
  }

  /// Adds the packets of `range` as missing. Requested ones keep their state. The others are due at
  /// `due`, or earlier if they already were.
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

  /// The first missing packet from this one on.
  func first(from sequence: SequenceNumber) -> SequenceNumber? {
    let index = runs.positionAfter(sequence)
    return index < runs.count ? max(runs[index].first, sequence) : nil
  }

  /// The missing packets within `range`.
  func part(in range: Range<SequenceNumber>) -> MissingRuns {
    var part = self
    part.keep([range])
    return part
  }

  /// Notes that a packet arrived. False if it was not missing.
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

  /// Drops everything below `edge` that is not in `kept`, because it will never arrive.
  mutating func abandon(below edge: SequenceNumber, keeping kept: Range<SequenceNumber>) {
    if let first = runs.first, first.first < edge { keep([kept, edge..<SequenceNumber.max]) }
  }

  /// Whether `abandon` with the same arguments would drop anything.
  func hasForgotten(below edge: SequenceNumber, keeping kept: Range<SequenceNumber>) -> Bool {
    var rest = self
    rest.abandon(below: edge, keeping: kept)
    return rest.runs != runs
  }

  /// Drops everything outside the ranges.
  mutating func keep(_ ranges: [Range<SequenceNumber>]) {
    var kept = SequenceRanges()
    for case let range? in ranges.lazy.map(\.closed) { kept.insert(range) }
    runs = runs.flatMap { run in
      kept.intersection(run.first...run.end.previous).map { Run($0.halfOpen, run.state) }
    }
  }

  mutating func abandonAll() { runs.removeAll() }

  /// How many packets were requested and are still expected, and how many ranges of history they
  /// occupy in the app's queue. Ranges that were passed over do not count.
  func underWay(at now: Duration) -> (packets: WireCount, historyRanges: Int) {
    let asked = runs.filter { isAsked($0, after: now) }
    let queued = asked.filter { $0.state.request?.isHistory == true && passed($0) == nil }
    return (asked.lazy.map(\.length).sum, Set(queued.compactMap(\.state.request?.number)).count)
  }

  /// The oldest requested packet, however long ago that was.
  var oldestAsked: SequenceNumber? { runs.first { $0.state.request != nil }?.first }

  /// Marks the missing part of `range` as requested from another viewer.
  mutating func putOff(_ range: Range<SequenceNumber>) { adopt(Run(range, .elsewhere)) }

  /// Takes the part of `range` back from another viewer: the app is asked for it at `due`.
  mutating func callBack(_ range: Range<SequenceNumber>, due: Duration) {
    for run in runs where run.state == .elsewhere {
      let part = (run.first..<run.end).clamped(to: range)
      if !part.isEmpty { adopt(Run(part, .waiting(until: due))) }
    }
  }

  /// Sets the state of the missing packets within `other` to that of `other`.
  private mutating func adopt(_ other: Run) {
    let touched = runs.positions(of: other.first..<other.end)
    runs.replaceSubrange(touched, with: runs[touched].flatMap { $0.adopting(other) })
  }

  /// Requests the runs of `range` that are due, from the oldest on, within the limits of the round.
  /// Each is due again after a time that grows with its attempts.
  mutating func ask(
    for range: Range<SequenceNumber> = 0..<SequenceNumber.max, in round: inout RequestRound,
    using random: inout SeededGenerator
  ) {
    // Runs due within the reorder wait are included: one NAK for many gaps.
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

  /// Splits the run so that its first part has at most `count` packets.
  private mutating func split(_ index: Int, at count: WireCount) {
    split(index, before: runs[index].first.advanced(by: count))
  }

  /// Splits the run before `middle`. False if that is not inside the run.
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

  /// Whether it was not requested and is due after `due`.
  fileprivate func waits(beyond due: Duration) -> Bool {
    switch state {
    case .waiting(let until): until > due
    case .asked: false
    case .elsewhere: true
    }
  }

  /// Nil if the run is too long for one request.
  var range: PacketRange? {
    PacketRange(first: first, count: length)
  }

  /// The run in up to three parts. The part that overlaps `other` has its state.
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
  /// Appends a run, or extends the last one by it.
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

  /// The indices of the runs that overlap `range`.
  ///
  /// - Precondition: `range` is not empty.
  fileprivate func positions(of range: Range<SequenceNumber>) -> Range<Int> {
    let first = positionAfter(range.lowerBound)
    let last = positionAfter(range.upperBound.previous)
    let isTouched = last < count && self[last].first < range.upperBound
    return first..<(isTouched ? last + 1 : last)
  }

  /// The index of the first run that ends after `sequence`.
  fileprivate func positionAfter(_ sequence: SequenceNumber) -> Int {
    partitionPoint { $0.end > sequence }
  }
}
