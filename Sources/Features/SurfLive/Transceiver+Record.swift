public import FoundationEssentials
internal import SurfWire

extension Transceiver {
  /// Records an action, and the state after it.
  ///
  /// The action shows as `String(describing:)` has it, and also as JSON if it is `Encodable`. The
  /// state becomes JSON with sorted keys, so that equal states are equal bytes (except for a `Set`,
  /// whose order is random). A state that cannot be encoded, or is nested more than 500 deep,
  /// becomes an error record.
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
    entry.payload = .valueIfEncodable(action)
    entry.state = .value(state())
    return recorder.mailbox.add(entry)
  }

  /// Records an action, and the state after it in bytes, which viewers send back unchanged.
  ///
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

  /// Shows a value under a name, outside of the state; only the newest under a name counts.
  @discardableResult
  public func update<Value: Encodable & Sendable>(
    _ name: @autoclosure () -> String, _ value: @autoclosure () -> Value,
    parent: RecordID? = nil, file: StaticString = #fileID, line: UInt = #line
  ) -> RecordID? {
    guard let recorder = openRecorder else { return nil }
    var entry = Entry(
      .update, name(), source: .call(file: file, line: line), parent: parent)
    entry.payload = .value(value())
    return recorder.mailbox.add(entry)
  }

  /// Puts a line of the program's log among the actions.
  @discardableResult
  public func log(
    _ message: @autoclosure () -> String, level: Level = .info,
    attributes: @autoclosure () -> [String: String] = [:], parent: RecordID? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) -> RecordID? {
    guard let recorder = openRecorder else { return nil }
    var entry = Entry(
      .log(level.wire), message(), source: .call(file: file, line: line), parent: parent)
    let attributes = attributes()
    if !attributes.isEmpty { entry.payload = .value(attributes) }
    return recorder.mailbox.add(entry)
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

extension Transceiver {
  /// How much a log line matters.
  public enum Level: String, CaseIterable, Sendable {
    case trace, debug, info, warning, error

    /// The level of that name, in upper or lower case; `info` for any other, so no line is lost.
    public init(named name: String) {
      self = Level(rawValue: name.lowercased()) ?? .info
    }

    fileprivate var wire: LogLevel {
      switch self {
      case .trace: .trace
      case .debug: .debug
      case .info: .info
      case .warning: .warning
      case .error: .error
      }
    }
  }
}
