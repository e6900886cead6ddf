import SurfBasics

/// One run of one instance's stream: random, new at each start (Protocol.md §4).
package struct SessionID: Hashable, Comparable, Sendable, RawRepresentable {
  package let rawValue: UInt64
  package init(rawValue: UInt64) { self.rawValue = rawValue }
  package static func < (left: SessionID, right: SessionID) -> Bool {
    left.rawValue < right.rawValue
  }
  /// In a probe, which goes to all sessions.
  package static let none = SessionID(rawValue: 0)
}

/// One instrumented store: 128 random bits, written as 32 hexadecimal digits (Protocol.md §4).
package struct InstanceID: Hashable, Sendable, CustomStringConvertible {
  package let high: UInt64
  package let low: UInt64

  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  package var description: String { high.digits(16, radix: 16) + low.digits(16, radix: 16) }
}

/// One viewer process, at random (Protocol.md §4).
package struct ViewerID: Hashable, Sendable, RawRepresentable {
  package let rawValue: UInt64
  package init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// Proves that the sender receives at the address that it asks from (Protocol.md §11.1).
package struct Cookie: Hashable, Sendable, RawRepresentable {
  package let rawValue: UInt64
  package init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// When an app was at a position. Of two reports, the one with the greater stamp is newer
/// (Protocol.md §11.7).
package struct PositionStamp: Hashable, Comparable, Sendable {
  /// The newest record that the app had made.
  package var newestRecord: SequenceNumber
  /// How many times something other than a record had moved the app.
  package var moveCount: WireCount

  package init(newestRecord: SequenceNumber = 0, moveCount: WireCount = 0) {
    self.newestRecord = newestRecord
    self.moveCount = moveCount
  }

  package static func < (left: PositionStamp, right: PositionStamp) -> Bool {
    (left.newestRecord, left.moveCount) < (right.newestRecord, right.moveCount)
  }
}

/// The state that an app is in, named by one of its own records (Protocol.md §4).
package enum Position: Hashable, Sendable {
  /// The state before the first record: row 0.
  case initial
  /// The state that the record with this sequence number carries.
  case record(SequenceNumber)
  /// A state that no record of the session carries, such as one from a file.
  case elsewhere

  /// The number of its row, 0 for the initial state; nil if it has no row.
  package var row: SequenceNumber? {
    switch self {
    case .initial: 0
    case .record(let number): number
    case .elsewhere: nil
    }
  }

  package init(wire: SequenceNumber) {
    switch wire {
    case 0: self = .initial
    case .max: self = .elsewhere
    default: self = .record(wire)
    }
  }

  package var wire: SequenceNumber {
    switch self {
    case .initial: 0
    case .record(let sequence): sequence
    case .elsewhere: .max
    }
  }
}

/// The viewer that is driving an app: that has its wheel (Protocol.md §11.9).
package struct WheelDriver: Equatable, Sendable {
  package let viewer: ViewerID
  /// For display only; do not trust it.
  package let name: String

  package init(viewer: ViewerID, name: String) {
    self.viewer = viewer
    self.name = name
  }

  package var title: String { name.isEmpty ? "somebody" : name }
}
