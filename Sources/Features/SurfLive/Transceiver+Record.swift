public import FoundationEssentials
internal import SurfWire

extension Transceiver {
  /// Records an action and the state after it.
  ///
  /// Viewers show the action as `String(describing:)` does, and an enum inside an enum by its path:
  /// `count.add(2)`. They also show it as JSON, encoded if it is `Encodable`, otherwise by
  /// reflection.
  ///
  /// The state becomes JSON with sorted keys, so that equal states are equal bytes. A state that
  /// cannot be encoded, or is nested more than 500 deep, becomes an error record.
  ///
  /// - Parameter parent: The record that led to this one, such as the request of a response.
  /// - Returns: `nil` if nothing was recorded: off, suspended, or too much is waiting.
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

  /// Records an action and the state after it as bytes, which viewers send back unchanged.
  ///
  /// - Parameter state: An array of more than 60 KB is not copied. The history refers to it as long
  ///   as it holds the row, so Swift copies the array if the program then changes it in place.
  /// - Parameter contentType: A media type of at most 63 bytes. Any other becomes
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

  /// The same for `Data`.
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

  /// Records a log line, with names and values as its attributes.
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

  /// Records a log line with any value as its attributes, which viewers show as JSON.
  ///
  /// If the value cannot be encoded, or is nested more than 500 deep, the line is recorded without
  /// it, and an error record says why.
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

  /// Marks a point in time, to find it again later.
  @discardableResult
  public func mark(
    _ name: @autoclosure () -> String, file: StaticString = #fileID, line: UInt = #line
  ) -> RecordID? {
    guard let recorder = openRecorder else { return nil }
    return recorder.mailbox.add(
      Entry(.mark, name(), source: .call(file: file, line: line)))
  }
}

/// Identifies a record of one transceiver, so that a later record can name it as its parent.
public struct RecordID: Hashable, Sendable {
  /// 1, 2, 3 … in the order of recording. It is not the sequence on the wire. The writer assigns
  /// that later, because it may have to insert an error record between two waiting records.
  package let ticket: UInt64

  package init(ticket: UInt64) { self.ticket = ticket }
}
