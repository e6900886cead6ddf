import SurfTransport
import SurfWire

/// The limits and the results of the requests that a viewer makes at one time, over all windows.
struct RequestRound: Sendable {
  let now: Duration
  /// The first wait for an answer.
  let repeatMin: Duration
  /// Packets before this one are requested as history.
  let historyEnd: SequenceNumber
  /// The ranges and the packets that may still be requested.
  var historyRanges: Int
  var repairRanges: Int
  var packets: WireCount
  /// The number of the next request.
  private(set) var number: Int
  private(set) var asked: [MissingRuns.Run] = []

  init(
    at now: Duration, repeatMin: Duration, historyEnd: SequenceNumber = 0, historyRanges: Int = 0,
    repairRanges: Int = Limits.rangeCountMax, packets: WireCount, number: Int = 0
  ) {
    (self.now, self.repeatMin, self.historyEnd) = (now, repeatMin, historyEnd)
    (self.historyRanges, self.repairRanges, self.packets) = (historyRanges, repairRanges, packets)
    self.number = number
  }

  /// How many packets the next range may contain.
  func room(isHistory: Bool) -> WireCount {
    (isHistory ? historyRanges : repairRanges) > 0 ? packets : 0
  }

  func request(
    for run: MissingRuns.Run, using random: inout SplitMix64
  ) -> MissingRuns.Request {
    let attempts = (run.state.request?.attempts ?? 0) + 1
    // Doubles from the third request on: losing the packet and one repetition may be chance.
    let doubled = repeatMin * (1 << min(max(attempts - 2, 0), 8))
    let wait = min(doubled, Timers.nakRepeatMax)
    return MissingRuns.Request(
      number: number, firstNumber: run.state.request?.firstNumber ?? number,
      isHistory: run.first < historyEnd, attempts: attempts, askedAt: now,
      due: now + wait + random.duration(upTo: wait / 4))
  }

  mutating func take(_ run: MissingRuns.Run) {
    if run.state.request?.isHistory == true { historyRanges -= 1 } else { repairRanges -= 1 }
    packets.subtract(run.length)
    number += 1
    asked.append(run)
  }
}
