import SurfWire

/// One record as a viewer keeps it. Its number is the record's sequence, so that every viewer of a
/// session means the same thing by "row 12"; numbers are never used twice.
package struct Row: Equatable, Sendable {
  /// Without payload and state once they were dropped.
  package private(set) var record: Record
  /// Taken out of sight by this viewer; the app knows nothing of it.
  package internal(set) var isHidden = false
  /// Bytes of the state that memory had no room for.
  private var droppedSize: Int?

  init(_ record: Record) { self.record = record }

  package var number: UInt64 { record.sequence }
  /// The row that caused this one, if the app said so.
  package var parent: UInt64? { record.parent == 0 ? nil : record.parent }

  package var state: State {
    if let droppedSize { return .dropped(size: droppedSize) }
    switch record.state {
    case .none: return .none
    case .whole(let content): return .whole(content)
    case .givenUp: return .givenUp
    case .reserved(let form, _): return .unreadable(form: form)
    }
  }

  /// The size of the state in bytes, also when they are gone.
  package var stateSize: Int? {
    switch state {
    case .whole(let content): content.bytes.count
    case .dropped(let size): size
    case .none, .givenUp, .unreadable: nil
    }
  }

  /// Whether one can surf to this row.
  package var isTarget: Bool { stateSize != nil && !isHidden }

  /// What a viewer has of the state after a record.
  package enum State: Equatable, Sendable {
    /// The record has none.
    case none
    case whole(Content)
    /// It was here, and had to make room for newer ones.
    case dropped(size: Int)
    /// The app was too busy to send it.
    case givenUp
    /// In a form that this version does not read.
    case unreadable(form: UInt8)
  }

  /// Bytes that `dropContents` would free.
  var contentSize: Int {
    (record.payload?.bytes.count ?? 0) + storedStateSize
  }

  /// Bytes that stay as long as the row does.
  var textSize: Int { record.name.utf8.count + record.source.utf8.count }

  mutating func dropContents() {
    if case .whole(let content) = record.state { droppedSize = content.bytes.count }
    if storedStateSize > 0 { record.state = .none }
    record.payload = nil
  }

  private var storedStateSize: Int {
    switch record.state {
    case .whole(let content), .reserved(_, let content): content.bytes.count
    case .none, .givenUp: 0
    }
  }
}
