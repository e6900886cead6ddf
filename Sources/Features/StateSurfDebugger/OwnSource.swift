internal import DebuggerDriver
internal import FoundationEssentials
internal import StateSurf
internal import SurfControl
internal import SurfDebugger
internal import SurfNetwork
internal import SurfThreads
internal import SurfTimeline
internal import SurfTransport
internal import SurfViewer
internal import SurfWire

#if Live
  internal import SurfLive
#endif

/// The `HistorySource` of a program's own debugger.
final class OwnSource: HistorySource {
  /// The name under which all viewers see this debugger's moves.
  static let viewerName = "its own debugger"

  var viewer: ViewerID { history.viewer }

  private let history: OwnHistory
  private let reading: Monitor<Reading>

  private struct Reading: Sendable {
    var catalog: Catalog
    var reader = OwnReader()
  }

  /// Octets of rows: what the program keeps by default.
  private static let byteCountMax = 64 << 20
  /// Octets to read at a time: adding them holds a lock that drawing needs.
  private static let sliceSize = 256 << 10

  /// Nil if the program records nothing.
  init?(_ transceiver: Transceiver) {
    guard let history = transceiver.ownHistory,
      history.packets(from: nil, sizeMax: 0) != nil
    else { return nil }
    self.history = history
    var bounds = Catalog.Bounds()
    bounds.timeline.byteCountMax = Self.byteCountMax
    reading = Monitor(Reading(catalog: Catalog(bounds: bounds)))
    _ = readSlice()
  }

  /// Reads everything recorded since the last call.
  func refresh() -> [DebuggerEvent] {
    var events: [DebuggerEvent] = []
    while let slice = readSlice() {
      events += slice.events
      guard slice.hasMore else { break }
    }
    return events
  }

  /// Reads only as much as takes a millisecond or two.
  func refreshSome() -> [DebuggerEvent] { readSlice()?.events ?? [] }

  /// Call it on one thread at a time: `surf-feed` for an open `AppDebugger`, and the thread of the
  /// program that draws for a `DebuggerPane`.
  private func readSlice() -> (events: [DebuggerEvent], hasMore: Bool)? {
    let place = reading.withLock { $0.reader.place }
    guard let packets = history.packets(from: place, sizeMax: Self.sliceSize) else { return nil }
    let events = reading.withLock { $0.reader.read(packets, into: &$0.catalog) }
    return (events, packets.hasMore)
  }

  func read<Result>(_ body: (Catalog) -> sending Result) -> sending Result {
    reading.withLock { body($0.catalog) }
  }

  func follow(_ app: SessionID) {}

  func reset(
    _ app: SessionID, to target: Position, state: Content?, from file: String?,
    completion: @escaping @Sendable (MoveAnswer) -> Void
  ) {
    // As an observer does: no state means the initial one.
    guard target == .initial || state?.bytes.isEmpty == false else {
      return completion(.failed("that state is no longer here"))
    }
    let name = file.map { URL(filePath: $0).lastPathComponent }
    history.reset(to: target, state: state, from: name, by: Self.viewerName) {
      completion(MoveAnswer($0, at: target))
    }
  }

  func command(
    _ app: SessionID, _ command: HistoryCommand<SequenceNumber>,
    completion: @escaping @Sendable (MoveAnswer) -> Void
  ) {
    history.command(command.map { $0.rawValue }.bytes, by: Self.viewerName) {
      completion(MoveAnswer($0, at: .elsewhere))
    }
  }

  /// The values arrive with the records.
  func followValues(of app: SessionID) {}

  func hide(_ row: SequenceNumber, of app: SessionID) {
    reading.withLock { _ = $0.catalog.hide(row, of: app) }
  }

  func showHidden(_ row: SequenceNumber?, of app: SessionID) {
    reading.withLock { _ = $0.catalog.showHidden(row, of: app) }
  }

  /// For a row, copies its state only. `statesurf` copies the whole row.
  func bytes(of content: CopyRequest.Content) -> [UInt8]? {
    switch content {
    case .bytes(let bytes): bytes
    case .row(let app, let number): read { $0[app]?.timeline.state(of: number)?.bytes }
    }
  }

  func loadState(from path: String) throws(FileFault) -> Content {
    do {
      let file = URL(filePath: path).resolvingSymlinksInPath()
      let facts = try FileManager.default.attributesOfItem(atPath: file.path)
      guard facts[.type] as? FileAttributeType == .typeRegular else {
        throw FileFault("'\(path)' is not a file")
      }
      guard facts[.size] as? Int ?? .max <= Limits.contentSizeMax else {
        throw FileFault("'\(path)' is too large: a state has at most 67.1 MB (64 MiB)")
      }
      let bytes = [UInt8](try Data(contentsOf: file))
      guard let content = Content(state: bytes) else {
        throw FileFault("'\(path)' is empty, so it is not a state")
      }
      return content
    } catch let fault as FileFault {
      throw fault
    } catch {
      throw FileFault("cannot read '\(path)': \(error)")
    }
  }

  func saveState(_ bytes: [UInt8], to path: String) throws(FileFault) {
    do {
      let file = URL(filePath: path).resolvingSymlinksInPath()
      let isThere = FileManager.default.fileExists(atPath: file.path)
      let type = isThere ? try FileManager.default.attributesOfItem(atPath: file.path)[.type] : nil
      // Write into a device or a pipe, but replace a file atomically.
      let isReplaced = !isThere || type as? FileAttributeType == .typeRegular
      try Data(bytes).write(to: file, options: isReplaced ? .atomic : [])
    } catch {
      throw FileFault("cannot write '\(path)': \(error)")
    }
  }
}

extension MoveAnswer {
  fileprivate init(_ result: Outcome.Result, at target: Position) {
    self =
      switch result {
      case .applied: .applied(target)
      case .rejected(let reason): .refused("the program refused: \(reason)")
      case .forbidden: .failed("the program takes no such requests")
      case .busy: .failed("the program is busy with other requests")
      case .unavailable, .mismatch: .failed("the program could not make the state")
      }
  }
}

/// Reads a program's own packets into a catalog, for `OwnSource`.
struct OwnReader: Sendable {
  /// Where to continue reading; nil before the first read.
  private(set) var place: SequenceNumber?
  private var records = OwnRecords()
  /// The newest record that was read or is known to be lost.
  private var newest: SequenceNumber = 0

  /// - Returns: the events for the debugger.
  mutating func read(_ packets: OwnPackets, into catalog: inout Catalog) -> [DebuggerEvent] {
    let session = packets.session
    let isNew = place == nil
    place = packets.next
    let before = catalog[session].map { ($0.heartbeat.control, $0.heartbeat.position) }
    catalog.hear(session, packets.heartbeat)
    if isNew, let oldest = packets.oldestRecord, oldest > 1 {
      catalog.lose(1...oldest.previous, of: session)
      newest = oldest.previous
    }
    var changed: SequenceRanges = SequenceRanges()
    var hasNews =
      before.map { $0 != (packets.heartbeat.control, packets.heartbeat.position) } ?? true
    for item in packets.packets.flatMap({ records.items(in: $0[...]) }) {
      switch item {
      case .restored(let restored): hasNews = catalog.note(restored, by: session) != nil || hasNews
      case .record(let record): add(record, of: session, to: &catalog).map { changed.insert($0) }
      }
    }
    return changed.runs.map { .rows(session, $0) } + (hasNews ? [.news] : [])
  }

  private mutating func add(
    _ record: Record, of session: SessionID, to catalog: inout Catalog
  ) -> ClosedRange<SequenceNumber>? {
    let number = record.sequence
    guard number > newest else {
      // Only a base of later states.
      catalog.add(ArrivedRecord(record, isBase: true), to: session)
      return nil
    }
    // The program dropped the records between before they could be read.
    if number > newest.next { catalog.lose(newest.next...number.previous, of: session) }
    newest = number
    catalog.add(ArrivedRecord(record), to: session)
    return number...number
  }
}
