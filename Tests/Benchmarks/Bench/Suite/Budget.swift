/// The limits of a benchmark's figures, in their unit.
enum Budget: Sendable {
  case median(Double)
  /// Of many figures, 99 of 100 may not; of few, none.
  case worst(Double)

  func holds(for measurement: Measurement) -> Bool {
    switch self {
    case .median(let most): measurement.median <= most
    case .worst(let most): measurement.late <= most
    }
  }

  var most: Double {
    switch self {
    case .median(let most), .worst(let most): most
    }
  }
}
