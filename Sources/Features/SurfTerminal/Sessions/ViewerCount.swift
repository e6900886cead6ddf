import SurfViewer

/// The counters that `watch` and `doctor` show, and their meaning for the help of both.
enum ViewerCount: String, CaseIterable {
  case records, repairs, lost, drops, overflows
  case givenUp = "given up"

  var meaning: String {
    switch self {
    case .records: "rows of history that came"
    case .repairs: "packets that came on request: lost ones, or those of the past"
    case .lost: "records that did not come, and are no longer available"
    case .drops: "datagrams that came but were useless, with the reason"
    case .overflows: "datagrams and records that found no room: this end is slow"
    case .givenUp: "states and records that an app had no time or room to send"
    }
  }

  static let notes =
    ["", "What it counts:"] + allCases.map { "  " + padded($0.rawValue, 12) + $0.meaning } + [
      "Each viewer counts for itself, since it started. An app counts what it gave up, since it",
      "started.",
    ]
}

extension ViewerCounters {
  var repairs: Int { network.repairsReceived }
  var lost: Int { network.recordsLost.clamped(to: .max) }
  var drops: Int { network.drops.values.reduce(0, &+) }

  /// `2 foreign, 1 truncated`; empty without drops.
  var dropReasons: String {
    network.drops.filter { $0.value > 0 }.sorted { $0.key < $1.key }
      .map { "\($0.value) \($0.key)" }.joined(separator: ", ")
  }

  var allOverflows: Int { network.socketOverflows &+ overflows }

  /// Which buffers overflowed; empty if none did.
  var overflowPlaces: String {
    [
      network.socketOverflows == 0
        ? nil : "\(countText(network.socketOverflows, "datagram")) found the socket full",
      overflows == 0 ? nil : "\(countText(overflows, "record")) found no room here",
    ].compactMap(\.self).joined(separator: ", ")
  }
}
