import SurfWire

// What is missing in the three windows, and is to be asked for.
extension Following {
  var deadline: Duration? {
    [live.missing.deadline, newestState?.window.missing.deadline, backlog?.missing.deadline]
      .compactMap { $0 }.min()
  }

  /// Packets that were asked for and are still expected, each counted once.
  func outstandingCount(at now: Duration) -> WireCount {
    [live, newestState?.window, backlog].flatMap { $0?.missing.outstanding(at: now) ?? [] }
      .unionCount
  }

  /// The soonest time at which something that was asked for is to be asked for again.
  func nextRepetition(after now: Duration) -> Duration? {
    [live, newestState?.window, backlog].compactMap { $0 }
      .flatMap { $0.missing.runs }
      .filter { $0.state.isAsked(after: now) }
      .compactMap(\.state.due).min()
  }

  /// The oldest packet that was asked for and has not come.
  var oldestAsked: SequenceNumber? {
    [live, newestState?.window, backlog].compactMap { $0?.missing.oldestAsked }.min()
  }

  /// What is due to be asked for: of history, and of what everybody may have lost. The newest state
  /// comes first, then the live stream, then the backlog; what several windows lack is asked for
  /// once.
  ///
  /// - Parameter isHeard: false while nothing at all is answered, which says nothing of what is
  ///   asked for.
  mutating func ask(
    at now: Duration, budget: WireCount, repeatMin: Duration, isHeard: Bool,
    using random: inout SplitMix64
  ) -> (history: [PacketRange], repair: [PacketRange]) {
    var left = min(budget, WireCount(Limits.rangePacketCountMax))
    var asked: [MissingRuns.Run] = []
    forEachWindow { window in
      window.missing.adopt(asked)
      let more = window.missing.ask(
        at: now, rangeMax: Limits.rangeCountMax - asked.count, budget: left,
        repeatMin: repeatMin, using: &random)
      left.subtract(more.lazy.map(\.length).sum)
      asked += more
    }
    forEachWindow { $0.missing.adopt(asked) }
    let attempts = newestState?.window.missing.runs.map(\.state.attempts).max() ?? 0
    let attemptMax =
      liveChain.isEmpty ? Self.newestStateAttemptMax : Self.awaitedStateAttemptMax
    if attempts > attemptMax, isHeard { closeNewestState() }
    let ranges = asked.compactMap(\.range)
    return (
      ranges.filter { $0.first <= ownPacket }, ranges.filter { $0.first > ownPacket }
    )
  }

  // MARK: From another viewer (Protocol.md §10.9)

  /// What of the backlog no other window asks for, all of it missing; nil if there is nothing.
  var soughtPackets: Range<SequenceNumber>? {
    guard let backlog, let run = backlog.missing.runs.first, run.first == backlog.next else {
      return nil
    }
    let end = min(run.end, boundaryPacket, newestState?.window.next ?? boundaryPacket)
    return run.first < end ? run.first..<end : nil
  }

  mutating func putOff(_ packets: Range<SequenceNumber>) {
    backlog.update { $0.missing.putOff(packets) }
  }

  mutating func callBack(_ packets: Range<SequenceNumber>, due: Duration) {
    backlog.update { $0.missing.callBack(packets, due: due) }
  }

  // MARK: Windows

  /// In the order of their importance.
  private mutating func forEachWindow(_ change: (inout Window) -> Void) {
    newestState.update { change(&$0.window) }
    change(&live)
    backlog.update(change)
  }
}

extension Optional {
  /// Changes the value, if there is one, where it lies.
  fileprivate mutating func update(_ change: (inout Wrapped) -> Void) {
    if var value = take() {
      change(&value)
      self = value
    }
  }
}
