#if !Live
  /// A property like any other.
  @propertyWrapper
  public struct Inspected<Value: Encodable & Sendable> {
    /// The value.
    public var wrappedValue: Value {
      get { value }
      set { value = newValue }
    }

    private var value: Value

    /// With its first value.
    public init(
      wrappedValue: Value, _ name: String, in transceiver: Transceiver? = nil,
      file: StaticString = #fileID, line: UInt = #line
    ) { value = wrappedValue }
  }

  extension Inspected: Sendable {}
#endif
