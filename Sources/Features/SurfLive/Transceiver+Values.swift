internal import SurfWire

extension Transceiver {
  /// Shows a value under a name, outside of the state, until another takes its place.
  ///
  /// Only the newest value of a name counts. Viewers that come later see it as well, however long
  /// ago it was shown: the 65,536 newest, and 16 MiB of them. A value that cannot be encoded, or is
  /// nested more than 500 deep, becomes an error record.
  ///
  ///     transceiver.inspect("recipe", recipe)
  ///
  /// - Parameter name: What of it lies before a `/` names a scope; 4,096 octets count.
  /// - Returns: `nil` if nothing was recorded: off, suspended, or no room.
  @discardableResult
  public func inspect(
    _ name: @autoclosure () -> String, _ value: @autoclosure () -> any Encodable & Sendable,
    parent: RecordID? = nil, file: StaticString = #fileID, line: UInt = #line
  ) -> RecordID? {
    guard let recorder = openRecorder else { return nil }
    var entry = Entry(
      .update, name(), source: .call(file: file, line: line), parent: parent)
    entry.payload = .value(value())
    return recorder.mailbox.add(entry)
  }

  /// The same for a value of any type: it is shown as reflection sees it, 64 levels deep and in
  /// 8 MiB of JSON at most. What does not fit is marked.
  @discardableResult
  public func inspect(
    _ name: @autoclosure () -> String, reflecting value: @autoclosure () -> any Sendable,
    parent: RecordID? = nil, file: StaticString = #fileID, line: UInt = #line
  ) -> RecordID? {
    guard let recorder = openRecorder else { return nil }
    var entry = Entry(
      .update, name(), source: .call(file: file, line: line), parent: parent)
    entry.payload = .reflection(value())
    return recorder.mailbox.add(entry)
  }

  /// Takes back the value of a name, and those of all names that begin with it and a `/`.
  @discardableResult
  public func removeValue(
    _ name: @autoclosure () -> String, file: StaticString = #fileID, line: UInt = #line
  ) -> RecordID? {
    openRecorder?.mailbox.add(Entry(.remove, name(), source: .call(file: file, line: line)))
  }

  /// Shows values while `body` runs, as those of one screen or one request. They go when it
  /// returns or throws.
  ///
  ///     try transceiver.scope("request") { scope in
  ///       scope.inspect("url", url)
  ///       try answer(request)
  ///     }
  @discardableResult
  public func scope<Result, Failure>(
    _ name: String, file: StaticString = #fileID, line: UInt = #line,
    _ body: (InspectionScope) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try scope(name, file: file, line: line).during(body)
  }

  /// The same for a scope that ends when it is told to, or when nobody has it any longer.
  public func scope(
    _ name: String, file: StaticString = #fileID, line: UInt = #line
  ) -> InspectionScope {
    InspectionScope(
      name, in: nil, recorder: recorder, source: .call(file: file, line: line))
  }
}
