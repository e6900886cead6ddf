import SurfTransport
import SurfWire

/// The requests of one moment, of one window after the other.
struct RequestRound: Sendable {
  let now: Duration
  /// The first wait for an answer.
  let repeatMin: Duration
  /// Packets before it are requested as history.
  let historyEnd: SequenceNumber
  /// How many ranges, of history and others, and packets may still be asked for.
  var historyRanges: Int
  var repairRanges: Int
  var packets: WireCount
  /// Of the next request.
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

  /// How many packets one more range may ask for.
  func room(isHistory: Bool) -> WireCount {
    (isHistory ? historyRanges : repairRanges) > 0 ? packets : 0
  }

  func request(
    for run: MissingRuns.Run, using random: inout SplitMix64
  ) -> MissingRuns.Request {
    let attempts = (run.state.request?.attempts ?? 0) + 1
    // The first repetition may have been lost like the packet; from the third on that is not
    // chance.
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
