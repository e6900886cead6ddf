extension Transceiver {
  /// Shows a value under a name, outside of the state, until another replaces it.
  ///
  /// Only the newest value of a name counts. Viewers that join later see it too, however old it is,
  /// within limits: the 65,536 newest values, and 16 MiB of them. A value that cannot be encoded,
  /// or is nested more than 500 deep, becomes an error record.
  ///
  ///     transceiver.inspect("recipe", recipe)
  ///
  /// - Parameter name: The part before a `/` names a scope. At most 4,096 octets count.
  /// - Returns: `nil` if nothing was recorded: off, suspended, or too much is waiting.
  @discardableResult
  public func inspect(
    _ name: @autoclosure () -> String, _ value: @autoclosure () -> any Encodable & Sendable,
    parent: RecordID? = nil, file: StaticString = #fileID, line: UInt = #line
  ) -> RecordID? {
    guard let recorder = openRecorder else { return nil }
    return recorder.inspect(
      name(), value(), parent: parent, at: .call(file: file, line: line))
  }

  /// The same for a value of any type, read by reflection: at most 64 levels deep and 8 MiB of
  /// JSON. Parts that do not fit are marked.
  @discardableResult
  public func inspect(
    _ name: @autoclosure () -> String, reflecting value: @autoclosure () -> any Sendable,
    parent: RecordID? = nil, file: StaticString = #fileID, line: UInt = #line
  ) -> RecordID? {
    guard let recorder = openRecorder else { return nil }
    return recorder.inspect(
      name(), reflecting: value(), parent: parent, at: .call(file: file, line: line))
  }

  /// Removes the value with this name, and all values below it: names that begin with it and `/`.
  @discardableResult
  public func removeValue(
    _ name: @autoclosure () -> String, file: StaticString = #fileID, line: UInt = #line
  ) -> RecordID? {
    openRecorder?.removeValue(name(), at: .call(file: file, line: line))
  }

  /// Shows values while `body` runs, such as those of one screen or one request. Viewers remove
  /// them when it returns or throws.
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

  /// The same for a `body` that waits.
  @discardableResult
  public func scope<Result, Failure>(
    _ name: String, isolation: isolated (any Actor)? = #isolation, file: StaticString = #fileID,
    line: UInt = #line, _ body: (InspectionScope) async throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    try await scope(name, file: file, line: line).during(body)
  }

  /// The same for a scope that ends with `end()`, or when the last reference to it is dropped.
  public func scope(
    _ name: String, file: StaticString = #fileID, line: UInt = #line
  ) -> InspectionScope {
    InspectionScope(
      name, in: nil, among: scopeNames, recorder: recorder, site: .call(file: file, line: line))
  }
}
