import SurfWire

/// Counts the records of the last second, for the status line of `watch`.
struct Meter {
  /// The time of the last event.
  var now = Duration.zero
  private var moments: [(moment: Duration, count: WireCount)] = []
  private var first = 0

  /// Bounds the memory that a flood takes. Beyond it, the rate is a lower bound.
  private static let momentCountMax = 100_000

  var perSecond: WireCount {
    let start = now - .seconds(1)
    return moments[first...].reversed().prefix { $0.moment > start }
      .reduce(0) { $0.adding($1.count) }
  }

  mutating func count(_ count: WireCount, at moment: Duration) {
    let start = moment - .seconds(1)
    while first < moments.count, moments[first].moment <= start { first += 1 }
    // Removing from the front costs as much as what is left, so it waits until half can go.
    if first > moments.count / 2 || moments.count >= Self.momentCountMax {
      moments.removeFirst(max(first, moments.count - Self.momentCountMax / 2))
      first = 0
    }
    moments.append((moment, count))
  }
}
