/// Keeps the compiler from removing results that nobody reads.
@inline(never)
func keep<Value>(_ value: borrowing Value) {}

/// Times `body`, which does `batch` of something, again and again; nanoseconds for one of them.
///
/// The first calls fill caches and pools, and are not counted. `prepare` makes what each call works
/// on, outside of the measured time; `clock` tells nanoseconds.
func measure<Input>(
  batch: Int = 1, warmUps: Int = 3, repetitions: Int = 15, unit: Unit = .nanoseconds,
  of kind: String? = nil, by clock: () -> UInt64 = nanoseconds,
  prepare: (Int) throws -> Input, _ body: (inout Input) throws -> Void
) rethrows -> Measurement {
  var figures: [Double] = []
  for index in 0..<(warmUps + repetitions) {
    var input = try prepare(index)
    let before = clock()
    try body(&input)
    let elapsed = clock() - before
    keep(input)
    if index >= warmUps { figures.append(Double(elapsed) / unit.nanoseconds / Double(batch)) }
  }
  return Measurement(
    figures, unit: unit.rawValue,
    of: kind ?? (batch == 1 ? "calls" : "batches of \(batch)"))
}

/// The same for what needs nothing made for it.
func measure(
  batch: Int = 1, warmUps: Int = 3, repetitions: Int = 15, unit: Unit = .nanoseconds,
  _ body: () throws -> Void
) rethrows -> Measurement {
  try measure(batch: batch, warmUps: warmUps, repetitions: repetitions, unit: unit) {
    $0
  } _: { _ in
    try body()
  }
}

/// The unit of a figure.
enum Unit: String {
  case nanoseconds = "ns"
  case microseconds = "us"
  case milliseconds = "ms"

  var nanoseconds: Double {
    switch self {
    case .nanoseconds: 1
    case .microseconds: 1_000
    case .milliseconds: 1_000_000
    }
  }
}
