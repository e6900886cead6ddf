import SurfWire

/// One record as a viewer keeps it. Its number is the record's sequence number, so "row 12" means
/// the same in every viewer of a session. Numbers are never reused.
package struct Row: Equatable, Sendable {
  /// Without its state, which the archive has. The payload is nil once it was dropped.
  package private(set) var record: Record
  /// Hidden in this viewer only; the app does not know.
  package internal(set) var isHidden = false
  private var stored = Stored.none

  /// Where the bytes of the state are.
  private enum Stored: Equatable, Sendable {
    /// The row has none, or the record still has them because their form is unknown.
    case none
    case archived(StateArchive.Entry)
    /// Evicted to free memory, together with the payload.
    ///
    /// - Parameter size: That of the state; nil if the archive had none.
    case dropped(size: Int?)
  }

  /// - Parameters:
  ///   - record: without its state, if the archive has that.
  ///   - state: its entry in the archive.
  init(_ record: Record, state: StateArchive.Entry?) {
    self.record = record
    if let state { stored = .archived(state) }
  }

  package var number: SequenceNumber { record.sequence }
  /// The row that caused this one, if the app named it.
  package var parent: SequenceNumber? { record.parent == 0 ? nil : record.parent }

  package var state: State {
    switch (stored, record.state) {
    case (.archived(let entry), _): .whole(type: entry.type, size: entry.size)
    case (.dropped(let size?), _): .dropped(size: size)
    case (_, .givenUp): .givenUp
    case (_, .unmade), (_, .delta): .unmade
    case (_, .reserved(let form, _)): .unreadable(form: form)
    case (_, .none), (_, .keyframe): .none
    }
  }

  /// The size of the state in bytes, even after it was dropped.
  package var stateSize: Int? {
    switch state {
    case .whole(_, let size), .dropped(let size): size
    case .none, .givenUp, .unmade, .unreadable: nil
    }
  }

  /// Whether it put the app into a state (Protocol.md §11.7), so that other rows can grow from it.
  package var isState: Bool { record.kind.movesApp && state != .none }

  /// Whether the app may be in a state that no row has (Protocol.md §11.7). An action without one
  /// led to a state that could not be encoded; of another kind, the record would say so (form 3).
  /// But around a lock or a pause the app may have acted unseen.
  package var leavesRecords: Bool {
    guard state == .none else { return false }
    switch record.kind {
    case .action, .restored: return true
    case .revision: return record.revision.map { $0.command != "describe" || $0.isPaused } ?? true
    case .update, .log, .mark, .remove, .other: return false
    }
  }

  /// Whether a state or a payload was evicted.
  package var isDropped: Bool { if case .dropped = stored { true } else { false } }

  package var holdsState: Bool { if case .whole = state { true } else { false } }

  package var isTarget: Bool { stateSize != nil && !isHidden }

  /// How much a viewer has of the state after a row.
  package enum State: Equatable, Sendable {
    case none
    /// The archive has it.
    case whole(type: String, size: Int)
    /// It was evicted for newer ones.
    case dropped(size: Int)
    /// The app did not send it: it was too busy, nobody was watching, it samples its states, or it
    /// could not encode this one.
    case givenUp
    /// The app sent it as a change of another state, which this viewer does not have, or the change
    /// is malformed.
    case unmade
    case unreadable(form: UInt8)
  }

  /// Whether the archive keeps its state as a delta.
  package var hasDelta: Bool { place.map { $0.index > 0 } ?? false }

  var place: StateArchive.Place? {
    if case .archived(let entry) = stored { entry.place } else { nil }
  }

  /// Bytes that `dropContents` would free in the row itself, not in the archive.
  var contentSize: Int { (record.payload?.bytes.count ?? 0) + unreadableSize }

  /// `contentSize` plus the full size of the state.
  var wholeContentSize: Int {
    if case .archived(let entry) = stored { contentSize + entry.size } else { contentSize }
  }

  /// Bytes that remain as long as the row does.
  var textSize: Int { record.name.utf8.count + record.source.utf8.count }

  mutating func dropContents(from archive: inout StateArchive) {
    if case .archived(let entry) = stored {
      archive.release(entry.place)
      stored = .dropped(size: entry.size)
    } else if record.payload != nil || unreadableSize > 0, stored == .none {
      stored = .dropped(size: nil)
    }
    if case .reserved(let form, let content) = record.state, !content.bytes.isEmpty {
      record.state = .reserved(form: form, Content(type: content.type, bytes: []))
    }
    record.payload = nil
  }

  private var unreadableSize: Int {
    if case .reserved(_, let content) = record.state { content.bytes.count } else { 0 }
  }
}
