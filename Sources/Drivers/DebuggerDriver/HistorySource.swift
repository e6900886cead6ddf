import Glibc
import SurfControl
import SurfDebugger
import SurfTimeline
import SurfWire

/// Gives a `DebuggerRunner` its histories and carries requests to their apps: over the network in
/// `statesurf`, or within the program in `OwnSource`. Any thread may call any member.
package protocol HistorySource: Sendable {
  /// Calls `body` with the current catalog, under a lock. Take milliseconds at most.
  func read<Result>(_ body: (Catalog) -> sending Result) -> sending Result

  /// Loads an app's whole history into the catalog and keeps following it.
  func follow(_ app: SessionID)

  /// Loads rows again that the catalog has evicted, or whose contents it has. Each call replaces
  /// the one before.
  func refetch(_ rows: ClosedRange<SequenceNumber>, of app: SessionID)

  /// Moves an app to a state. `completion` is called once, on any thread.
  func reset(
    _ app: SessionID, to target: Position, state: Content?, from file: String?,
    completion: @escaping @Sendable (MoveAnswer) -> Void)

  /// Sends a history command to an app. `completion` is called once, on any thread.
  func command(
    _ app: SessionID, _ command: HistoryCommand<SequenceNumber>,
    completion: @escaping @Sendable (MoveAnswer) -> Void)

  /// Loads an app's live values into the catalog and keeps following them.
  func followValues(of app: SessionID)

  /// Hides a row in this viewer only.
  func hide(_ row: SequenceNumber, of app: SessionID)

  /// Shows the row again that `hide` hid, or all of them.
  func showHidden(_ row: SequenceNumber?, of app: SessionID)

  /// The bytes to copy; nil if they are no longer here.
  func bytes(of content: CopyRequest.Content) -> [UInt8]?

  /// Reads a state from a file; an empty file is an error. May take long.
  func loadState(from path: String) throws(FileFault) -> Content

  /// Writes a state to a file. May take long.
  func saveState(_ bytes: [UInt8], to path: String) throws(FileFault)

  /// Throws unless the file has a history that `importHistory` can read. May take long.
  func checkHistory(at path: String) throws(FileFault)

  /// Replaces an app's history with a file. `completion` is called once, on any thread. May take
  /// long.
  func importHistory(
    from path: String, into app: SessionID, completion: @escaping @Sendable (MoveAnswer) -> Void)

  /// Writes an app's history to a file. May take long.
  ///
  /// - Returns: the number of actions.
  func exportHistory(of app: SessionID, to path: String) throws(FileFault) -> Int

  /// Changes one of the person's settings and returns all of them.
  func set(_ name: String, to value: String) throws(FileFault) -> PersonalSettings
}

/// Defaults for a program's own debugger: only `statesurf` can do these.
extension HistorySource {
  package func refetch(_ rows: ClosedRange<SequenceNumber>, of app: SessionID) {}

  package func checkHistory(at path: String) throws(FileFault) {
    throw FileFault("only `statesurf` imports a history")
  }

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

package struct FileFault: Error, Equatable, Sendable {
  /// One line for people.
  package let text: String

  package init(_ text: String) { self.text = text }

  /// Appends the text of `errno`.
  static func cannotWrite(_ path: String) -> FileFault {
    FileFault("cannot write '\(path)': \(String(cString: strerror(errno)))")
  }
}

extension HistorySource {
  /// Loads a state. If a row has it, the app moves to that row. Otherwise the app records a new row
  /// that names the file.
  func put(
    _ state: Content, from file: String?, into app: SessionID,
    completion: @escaping @Sendable (MoveAnswer) -> Void
  ) {
    let spellings = StateSpellings(of: state)
    if let row = read({ $0[app]?.timeline.row(holding: spellings) }) {
      reset(app, to: .record(row.number), state: row.state, from: nil, completion: completion)
    } else {
      reset(app, to: .elsewhere, state: state, from: file, completion: completion)
    }
  }
}
