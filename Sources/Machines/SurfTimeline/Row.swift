import SurfWire

/// One record as a viewer keeps it. Its number is the record's sequence, so that every viewer of a
/// session means the same thing by "row 12"; numbers are never used twice.
package struct Row: Equatable, Sendable {
  /// Without its state, which the timeline has; without its payload once that was dropped.
  package private(set) var record: Record
  /// Hidden by this viewer; the app knows nothing of it.
  package internal(set) var isHidden = false
  private var stored = Stored.none

  /// Where the bytes of the state are.
  private enum Stored: Equatable, Sendable {
    /// Nowhere, or still in the record if it is in an unknown form.
    case none
    case archived(StateArchive.Entry)
    /// Memory had no room for this many bytes.
    case dropped(size: Int)
  }

  /// - Parameters:
  ///   - record: its state is in the archive, if it has one that can be read.
  ///   - state: where.
  init(_ record: Record, state: StateArchive.Entry?) {
    self.record = record
    if let state { stored = .archived(state) }
  }

  package var number: SequenceNumber { record.sequence }
  /// The row that caused this one, if the app said so.
  package var parent: SequenceNumber? { record.parent == 0 ? nil : record.parent }

  package var state: State {
    switch (stored, record.state) {
    case (.archived(let entry), _): .whole(type: entry.type, size: entry.size)
    case (.dropped(let size), _): .dropped(size: size)
    case (.none, .givenUp), (.none, .delta): .givenUp
    case (.none, .reserved(let form, _)): .unreadable(form: form)
    case (.none, .none), (.none, .keyframe): .none
    }
  }

  /// The size of the state in bytes, even after they were dropped.
  package var stateSize: Int? {
    switch state {
    case .whole(_, let size), .dropped(let size): size
    case .none, .givenUp, .unreadable: nil
    }
  }

  /// Whether it put the app into the state after it (Protocol.md §11.7): others can grow from it.
  package var isState: Bool { record.kind.movesApp && state != .none }

  /// Whether the bytes of its state are here.
  package var holdsState: Bool { if case .whole = state { true } else { false } }

  /// Whether a viewer can surf to this row.
  package var isTarget: Bool { stateSize != nil && !isHidden }

  /// What a viewer has of the state after a record.
  package enum State: Equatable, Sendable {
    /// The record has none.
    case none
    /// It is in the timeline, with this many bytes of a media type.
    case whole(type: String, size: Int)
    /// It was here, and had to make room for newer ones.
    case dropped(size: Int)
    /// The app was too busy to send it, nobody watched, or it samples its states.
    case givenUp
    /// In a form that this version does not read.
    case unreadable(form: UInt8)
  }

  /// Whether its state is made of the one before.
  package var hasDelta: Bool { place.map { $0.index > 0 } ?? false }

  /// Where the archive has the state.
  var place: StateArchive.Place? {
    if case .archived(let entry) = stored { entry.place } else { nil }
  }

  /// Bytes that `dropContents` would free in the row itself.
  var contentSize: Int { (record.payload?.bytes.count ?? 0) + unreadableSize }

  /// Bytes of the contents if nothing were kept as a delta.
  var wholeContentSize: Int {
    if case .archived(let entry) = stored { contentSize + entry.size } else { contentSize }
  }

  /// Bytes that stay while the row does.
  var textSize: Int { record.name.utf8.count + record.source.utf8.count }

  mutating func dropContents(from archive: inout StateArchive) {
    if case .archived(let entry) = stored {
      archive.release(entry.place)
      stored = .dropped(size: entry.size)
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
