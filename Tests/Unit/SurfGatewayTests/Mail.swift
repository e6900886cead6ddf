/// Parcels under way, each for as long as its sender says. Those on one lane arrive in order.
struct Mail<Parcel, Lane: Hashable> {
  private var parcels: [(due: Duration, number: Int, parcel: Parcel)] = []
  private var lastDue: [Lane: Duration] = [:]
  private var count = 0

  /// When the next parcel arrives; nil if none is under way.
  var due: Duration? { next?.due }

  /// - Parameter lane: nil for a parcel that may overtake all others.
  mutating func send(_ parcel: Parcel, on lane: Lane?, due: Duration) {
    var due = due
    if let lane {
      due = max(due, lastDue[lane] ?? .zero)
      lastDue[lane] = due
    }
    count += 1
    parcels.append((due, count, parcel))
  }

  mutating func receive() -> Parcel? {
    guard let next, let index = parcels.firstIndex(where: { $0.number == next.number })
    else { return nil }
    return parcels.remove(at: index).parcel
  }

  private var next: (due: Duration, number: Int, parcel: Parcel)? {
    parcels.min { ($0.due, $0.number) < ($1.due, $1.number) }
  }
}
