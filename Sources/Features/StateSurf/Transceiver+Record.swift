#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

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
    return recorder.record(
      action: action(), state: state(), parent: parent, at: .call(file: file, line: line))
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
    return recorder.record(
      name: action(), bytes: state(), contentType: contentType, parent: parent,
      at: .call(file: file, line: line))
  }

  /// The same for `Data`.
  @discardableResult
  public func record(
    action: @autoclosure () -> String, state: @autoclosure () -> Data, contentType: String,
    parent: RecordID? = nil, file: StaticString = #fileID, line: UInt = #line
  ) -> RecordID? {
    guard let recorder = openRecorder else { return nil }
    return recorder.record(
      name: action(), data: state(), contentType: contentType, parent: parent,
      at: .call(file: file, line: line))
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
      message(), level, attributes: attributes.isEmpty ? nil : attributes, parent: parent,
      at: .call(file: file, line: line))
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
      message(), level, attributes: attributes(), parent: parent,
      at: .call(file: file, line: line))
  }

  /// Marks a point in time, to find it again later.
  @discardableResult
  public func mark(
    _ name: @autoclosure () -> String, file: StaticString = #fileID, line: UInt = #line
  ) -> RecordID? {
    openRecorder?.mark(name(), at: .call(file: file, line: line))
  }
}
