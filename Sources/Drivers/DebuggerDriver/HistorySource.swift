import Glibc
import SurfControl
import SurfDebugger
import SurfTimeline
import SurfWire

/// Where a debugger has its histories from, and the way to their apps: a network, or the program
/// that the debugger is in. Any thread may call any member.
package protocol HistorySource: Sendable {
  /// Looks at what is known by now. It changes meanwhile for nobody, so look for milliseconds.
  func read<Result>(_ body: (Catalog) -> sending Result) -> sending Result

  /// All of an app's history, and what is new from then on, comes into the catalog.
  func follow(_ app: SessionID)

  /// Puts an app into a state. `completion` is called once, on any thread.
  func reset(
    _ app: SessionID, to target: Position, state: Content?, from file: String?,
    completion: @escaping @Sendable (MoveAnswer) -> Void)

  /// Has an app do something with its history. `completion` is called once, on any thread.
  func command(
    _ app: SessionID, _ command: HistoryCommand<SequenceNumber>,
    completion: @escaping @Sendable (MoveAnswer) -> Void)

  /// The live values of an app come into the catalog, too.
  func followValues(of app: SessionID)

  /// Takes a row of this viewer out of sight; no other viewer and no app hears of it.
  func hide(_ row: SequenceNumber, of app: SessionID)

  /// Brings back the rows that `hide` took away.
  func showHidden(of app: SessionID)

  /// What a person wants to have elsewhere; nil if it is no longer here.
  func bytes(of content: CopyRequest.Content) -> [UInt8]?

  /// The state in a file; an empty one has none. May take its time.
  func loadState(from path: String) throws(FileFault) -> Content

  /// Writes a state to a file. May take its time.
  func saveState(_ bytes: [UInt8], to path: String) throws(FileFault)

  /// Puts the history in a file in the place of an app's own. `completion` is called once, on any
  /// thread. May take its time.
  func importHistory(
    from path: String, into app: SessionID, completion: @escaping @Sendable (MoveAnswer) -> Void)

  /// Writes an app's history to a file. May take its time.
  ///
  /// - Returns: how many rows.
  func exportHistory(of app: SessionID, to path: String) throws(FileFault) -> Int

  /// Changes one of the person's settings, and returns all.
  func set(_ name: String, to value: String) throws(FileFault) -> PersonalSettings
}

/// What `statesurf` alone has.
extension HistorySource {
  package func importHistory(
    from path: String, into app: SessionID, completion: @escaping @Sendable (MoveAnswer) -> Void
  ) { completion(.failed("only `statesurf` imports a history")) }

  package func exportHistory(of app: SessionID, to path: String) throws(FileFault) -> Int {
    throw FileFault("only `statesurf` exports a history")
  }

  package func set(_ name: String, to value: String) throws(FileFault) -> PersonalSettings {
    throw FileFault("only `statesurf` has settings")
  }
}

/// Why a file could not be read or written.
package struct FileFault: Error, Equatable, Sendable {
  /// One line for people.
  package let text: String

  package init(_ text: String) { self.text = text }

  /// By the system's words for `errno`.
  static func cannotWrite(_ path: String) -> FileFault {
    FileFault("cannot write '\(path)': \(String(cString: strerror(errno)))")
  }
}

extension HistorySource {
  /// Puts an app into a state. One that a row has leads to that row; any other makes a row, which
  /// names the file.
  func put(
    _ state: Content, from file: String?, into app: SessionID,
    completion: @escaping @Sendable (MoveAnswer) -> Void
  ) {
    let row = read { $0[app]?.timeline.row(holding: state) }
    reset(
      app, to: row.map(Position.record) ?? .elsewhere, state: state, from: row == nil ? file : nil,
      completion: completion)
  }
}
