import SurfWire

// What is missing in the three windows, and is to be asked for.
extension Following {
  var deadline: Duration? {
    windows.compactMap(\.missing.deadline).min()
  }

  /// Packets that were asked for and are still expected, each counted once.
  func outstandingCount(at now: Duration) -> WireCount {
    windows.flatMap { $0.missing.outstanding(at: now) }.unionCount
  }

  /// The soonest time at which something that was asked for is to be asked for again.
  func nextRepetition(after now: Duration) -> Duration? {
    windows.compactMap { $0.missing.nextRepetition(after: now) }.min()
  }

  /// The oldest packet that was asked for and has not come.
  var oldestAsked: SequenceNumber? {
    windows.compactMap(\.missing.oldestAsked).min()
  }

  /// A packet of history has come.
  mutating func noteHistory(_ sequence: SequenceNumber, at now: Duration) {
    let ownPacket = ownPacket
    forEachWindow { $0.missing.noteHistory(sequence, upTo: ownPacket, at: now) }
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
    if isHeard { closeVainNewestState(at: now) }
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
    let ranges = asked.compactMap(\.range)
    return (
      ranges.filter { $0.first <= ownPacket }, ranges.filter { $0.first > ownPacket }
    )
  }

  private mutating func closeVainNewestState(at now: Duration) {
    let attemptMax =
      liveChain.isEmpty ? Self.newestStateAttemptMax : Self.awaitedStateAttemptMax
    if newestState?.window.missing.isInVain(after: attemptMax, at: now) == true {
      closeNewestState()
    }
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

  private var windows: [Window] {
    [live, newestState?.window, backlog, recovery.window].compactMap { $0 }
  }

  /// In the order of their importance.
  private mutating func forEachWindow(_ change: (inout Window) -> Void) {
    newestState.update { change(&$0.window) }
    change(&live)
    backlog.update(change)
    recovery.window.update(change)
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
