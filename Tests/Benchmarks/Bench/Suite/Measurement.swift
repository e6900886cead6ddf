/// Figures of one benchmark, sorted.
struct Measurement: Sendable {
  let unit: String
  let figures: [Double]
  /// The thing that each figure measures: "calls", "batches of 100".
  let kind: String

  init(_ figures: [Double], unit: String, of kind: String) {
    self.figures = figures.sorted()
    self.unit = unit
    self.kind = kind
  }

  func quantile(_ share: Double) -> Double {
    figures.isEmpty ? 0 : figures[Int(Double(figures.count - 1) * share)]
  }

  var median: Double { quantile(0.5) }

  /// With fewer than 100 figures the worst is used for the 99th percentile.
  var late: Double { figures.count < 100 ? quantile(1) : quantile(0.99) }
  var lateName: String { figures.count < 100 ? "max" : "p99" }
}

extension Measurement {
  /// A value that was measured once.
  static func single(_ value: Double, unit: String, of kind: String) -> Measurement {
    Measurement([value], unit: unit, of: kind)
  }
}
