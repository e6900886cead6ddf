public import FoundationEssentials
internal import SurfWire

extension Transceiver {
  /// Records an action, and the state after it.
  ///
  /// The action shows as `String(describing:)` has it, an enum inside an enum by its path:
  /// `count.add(2)`. It shows also as JSON: by `Encodable` if it conforms, otherwise by reflection.
  ///
  /// The state becomes JSON with sorted keys, so that equal states are equal bytes. A state that
  /// cannot be encoded, or is nested more than 500 deep, becomes an error record.
  ///
  /// - Parameter parent: The record that led to this one, such as the request of a response.
  /// - Returns: `nil` if nothing was recorded: off, suspended, or no room.
  @discardableResult
  public func record<Action: Sendable, State: Encodable & Sendable>(
    action: @autoclosure () -> Action, state: @autoclosure () -> State, parent: RecordID? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) -> RecordID? {
    guard let recorder = openRecorder else { return nil }
    let action = action()
    var entry = Entry(
      kind: .action, subject: action, source: .call(file: file, line: line), parent: parent)
    entry.payload = .action(action)
    entry.state = .value(state())
    return recorder.mailbox.add(entry)
  }

  /// Records an action, and the state after it in bytes, which viewers send back unchanged.
  ///
  /// - Parameter state: An array of more than 60 KB is not copied for the history, which refers to
  ///   it as long as it holds the row. If the program then changes its array in place, Swift copies
  ///   it.
  /// - Parameter contentType: A media type of at most 63 bytes; any other becomes
  ///   `application/octet-stream`.
  @discardableResult
  public func record(
    action: @autoclosure () -> String, state: @autoclosure () -> [UInt8], contentType: String,
    parent: RecordID? = nil, file: StaticString = #fileID, line: UInt = #line
  ) -> RecordID? {
    guard let recorder = openRecorder else { return nil }
    var entry = Entry(
      .action, action(), source: .call(file: file, line: line), parent: parent)
    entry.state = .bytes(state(), contentType: contentType)
    return recorder.mailbox.add(entry)
  }

  /// The same, for bytes in Foundation's type.
  @discardableResult
  public func record(
    action: @autoclosure () -> String, state: @autoclosure () -> Data, contentType: String,
    parent: RecordID? = nil, file: StaticString = #fileID, line: UInt = #line
  ) -> RecordID? {
    guard let recorder = openRecorder else { return nil }
    var entry = Entry(
      .action, action(), source: .call(file: file, line: line), parent: parent)
    entry.state = .data(state(), contentType: contentType)
    return recorder.mailbox.add(entry)
  }

  /// Puts a line of the program's log among the actions, with names and values beside it.
  @discardableResult
  public func log(
    _ message: @autoclosure () -> String, level: Level = .info,
    attributes: @autoclosure () -> [String: String] = [:], parent: RecordID? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) -> RecordID? {
    guard let recorder = openRecorder else { return nil }
    let attributes = attributes()
    return recorder.log(
      message(), level, with: attributes.isEmpty ? nil : attributes,
      source: .call(file: file, line: line), parent: parent)
  }

  /// The same, with any value beside it, which viewers show as JSON.
  ///
  /// The line of a value that cannot be encoded, or is nested more than 500 deep, goes without it,
  /// and an error record says why.
  @discardableResult
  public func log(
    _ message: @autoclosure () -> String, level: Level = .info,
    attributes: @autoclosure () -> any Encodable & Sendable, parent: RecordID? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) -> RecordID? {
    guard let recorder = openRecorder else { return nil }
    return recorder.log(
      message(), level, with: attributes(), source: .call(file: file, line: line), parent: parent)
  }

  /// Marks a point in time, to find it again.
  @discardableResult
  public func mark(
    _ name: @autoclosure () -> String, file: StaticString = #fileID, line: UInt = #line
  ) -> RecordID? {
    guard let recorder = openRecorder else { return nil }
    return recorder.mailbox.add(
      Entry(.mark, name(), source: .call(file: file, line: line)))
  }
}

/// Names a record of one transceiver, so that a later one can name it as its parent.
public struct RecordID: Hashable, Sendable {
  /// 1, 2, 3 … in the order of recording. Not the sequence on the wire, which the writer gives
  /// later: it may have to put an error record between two that wait.
  package let ticket: UInt64

  /// The record with this ticket.
  package init(ticket: UInt64) { self.ticket = ticket }
}
