import SurfWire

/// How many records came in the last second.
struct Meter {
  /// The moment of the last event.
  var now = Duration.zero
  private var moments: [(moment: Duration, count: WireCount)] = []
  private var first = 0

  /// So that a flood costs bounded memory; beyond it the rate is "at least".
  private static let momentCountMax = 100_000

  var perSecond: WireCount {
    let start = now - .seconds(1)
    return moments[first...].reversed().prefix { $0.moment > start }
      .reduce(0) { $0.adding($1.count) }
  }

  mutating func count(_ count: WireCount, at moment: Duration) {
    let start = moment - .seconds(1)
    while first < moments.count, moments[first].moment <= start { first += 1 }
    // Taking from the front costs as much as what is left, so it waits until half can go.
    if first > moments.count / 2 || moments.count >= Self.momentCountMax {
      moments.removeFirst(max(first, moments.count - Self.momentCountMax / 2))
      first = 0
    }
    moments.append((moment, count))
  }
}
