/// Identifies a record of one transceiver, so that a later record can name it as its parent.
/// Another transceiver ignores it.
public struct RecordID: Hashable, Sendable {
  /// The transceiver's number in this process.
  package let owner: UInt64
  /// 1, 2, 3 … in the order of recording. It is not the sequence on the wire. The writer assigns
  /// that later, because it may have to insert an error record between two waiting records.
  package let ticket: UInt64

  package init(owner: UInt64, ticket: UInt64) { (self.owner, self.ticket) = (owner, ticket) }
}

/// The record that caused what the current task does.
package enum TaskCause {
  @TaskLocal package static var record: RecordID?

  /// Runs `body` as if in a task with this cause.
  package static func during<Result>(_ cause: RecordID?, _ body: () -> Result) -> Result {
    // Setting a value of the task costs more than reading it.
    if cause == record { return body() }
    return $record.withValue(cause, operation: body)
  }
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
