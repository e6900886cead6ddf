#if !Live
  // No argument is ever evaluated.

  /// Shows nothing.
  public final class InspectionScope: Sendable {
    /// The names of the scopes around this one, then its own.
    public let path: String

    init(path: String) { self.path = path }

    /// Shows nothing.
    @discardableResult
    public func inspect(
      _ name: @autoclosure () -> String, _ value: @autoclosure () -> any Encodable & Sendable,
      file: StaticString = #fileID, line: UInt = #line
    ) -> RecordID? { nil }

    /// Shows nothing.
    @discardableResult
    public func inspect(
      _ name: @autoclosure () -> String, reflecting value: @autoclosure () -> any Sendable,
      file: StaticString = #fileID, line: UInt = #line
    ) -> RecordID? { nil }

    /// A scope that shows nothing.
    public func scope(
      _ name: String, file: StaticString = #fileID, line: UInt = #line
    ) -> InspectionScope { InspectionScope(path: "\(path)/\(name)") }

    /// Runs `body`.
    @discardableResult
    public func scope<Result, Failure>(
      _ name: String, file: StaticString = #fileID, line: UInt = #line,
      _ body: (InspectionScope) throws(Failure) -> Result
    ) throws(Failure) -> Result { try body(scope(name)) }

    /// Does nothing.
    public func end() {}
  }

  /// An ordinary property.
  @propertyWrapper
  public struct Inspected<Value: Encodable & Sendable> {
    /// The value.
    public var wrappedValue: Value {
      get { value }
      set { value = newValue }
    }

    private var value: Value

    /// Creates the property with its first value.
    public init(
      wrappedValue: Value, _ name: String, in transceiver: Transceiver? = nil,
      file: StaticString = #fileID, line: UInt = #line
    ) { value = wrappedValue }
  }

  extension Inspected: Sendable {}
#endif
