/// Identifies a record of one transceiver, so that a later record can name it as its parent.
public struct RecordID: Hashable, Sendable {
  /// 1, 2, 3 … in the order of recording. It is not the sequence on the wire. The writer assigns
  /// that later, because it may have to insert an error record between two waiting records.
  package let ticket: UInt64

  package init(ticket: UInt64) { self.ticket = ticket }
}

/// How much a transceiver recorded and gave up, counted since it was created.
public struct TransceiverCounters: Equatable, Sendable {
  /// Records accepted, marks included.
  public package(set) var recordCount = 0
  /// Records sent without their state, because too much was waiting.
  public package(set) var stateGivenUpCount = 0
  /// Records not sent, because too much was waiting. A mark in the history says where.
  public package(set) var recordGivenUpCount = 0
  /// Records with a part that could not be encoded. An error record says why.
  public package(set) var failureCount = 0

  package init() {}
}

/// The severity of a log line.
public enum TransceiverLevel: Hashable, Sendable {
  case trace, debug, info, warning, error
  /// A level of the program's own logger. The line is recorded as `info`, or as `error` for
  /// `critical` and `fatal`. Its text begins with the level's name: `[notice] saved`.
  case other(String)

  /// The level with this name, in upper or lower case; `warn` is `warning`.
  public init(named name: String) {
    self =
      switch name.lowercased() {
      case "trace": .trace
      case "debug": .debug
      case "info", "": .info
      case "warning", "warn": .warning
      case "error": .error
      default: .other(name)
      }
  }
}
