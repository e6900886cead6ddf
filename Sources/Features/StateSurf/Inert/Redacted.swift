#if !Live
  /// An ordinary property, except that no description shows its value.
  @propertyWrapper
  public struct Redacted<Value> {
    /// The value.
    public var wrappedValue: Value

    /// Creates the property with its first value.
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
  }

  extension Redacted: Sendable where Value: Sendable {}
  extension Redacted: Equatable where Value: Equatable {}
  extension Redacted: Hashable where Value: Hashable {}

  extension Redacted: Encodable where Value: Encodable {
    /// Writes the value.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(wrappedValue)
    }
  }

  extension Redacted: Decodable where Value: Decodable {
    /// Reads the value.
    public init(from decoder: any Decoder) throws {
      wrappedValue = try decoder.singleValueContainer().decode(Value.self)
    }
  }

  extension Redacted: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// `redacted`, for every value.
    public var description: String { "redacted" }

    /// The same.
    public var debugDescription: String { description }

    /// The same.
    public var customMirror: Mirror {
      Mirror(self, children: ["$redacted": ""], displayStyle: .struct)
    }
  }

  extension KeyedEncodingContainer {
    /// Writes nothing for nil.
    public mutating func encode<Wrapped: Encodable>(
      _ value: Redacted<Wrapped?>, forKey key: Key
    ) throws {
      try encodeIfPresent(value.wrappedValue, forKey: key)
    }
  }

  extension KeyedDecodingContainer {
    /// Reads nil if the key is missing.
    public func decode<Wrapped: Decodable>(
      _ type: Redacted<Wrapped?>.Type, forKey key: Key
    ) throws -> Redacted<Wrapped?> {
      try decodeIfPresent(type, forKey: key) ?? Redacted(wrappedValue: nil)
    }
  }
#endif
