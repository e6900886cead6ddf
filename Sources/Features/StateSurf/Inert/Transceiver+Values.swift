#if !Live
  // No argument is ever evaluated.
  extension Transceiver {
    /// None.
    public static var shared: Transceiver? { nil }

    /// Shows nothing.
    @discardableResult
    public func inspect(
      _ name: @autoclosure () -> String, _ value: @autoclosure () -> any Encodable & Sendable,
      parent: RecordID? = nil, file: StaticString = #fileID, line: UInt = #line
    ) -> RecordID? { nil }

    /// Shows nothing.
    @discardableResult
    public func inspect(
      _ name: @autoclosure () -> String, reflecting value: @autoclosure () -> any Sendable,
      parent: RecordID? = nil, file: StaticString = #fileID, line: UInt = #line
    ) -> RecordID? { nil }

    /// Takes nothing back.
    @discardableResult
    public func removeValue(
      _ name: @autoclosure () -> String, file: StaticString = #fileID, line: UInt = #line
    ) -> RecordID? { nil }

    /// Runs `body`.
    @discardableResult
    public func scope<Result, Failure>(
      _ name: String, file: StaticString = #fileID, line: UInt = #line,
      _ body: (InspectionScope) throws(Failure) -> Result
    ) throws(Failure) -> Result { try body(InspectionScope(path: name)) }

    /// A scope that shows nothing.
    public func scope(
      _ name: String, file: StaticString = #fileID, line: UInt = #line
    ) -> InspectionScope { InspectionScope(path: name) }
  }
#endif
