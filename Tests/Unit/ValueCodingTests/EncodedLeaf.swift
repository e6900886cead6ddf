import Foundation

/// A value without parts, encoded as what it is and not as an enum.
enum EncodedLeaf {
  case null
  case bool(Bool)
  case string(String)
  case double(Double)
  case float(Float)
  case int(Int)
  case int8(Int8)
  case int16(Int16)
  case int32(Int32)
  case int64(Int64)
  case uint(UInt)
  case uint8(UInt8)
  case uint16(UInt16)
  case uint32(UInt32)
  case uint64(UInt64)
  case wide(Int128)
  case uwide(UInt128)
  case date(Date)
  case data(Data)
  case url(URL)
  case uuid(UUID)
  case decimal(Decimal)
  case ints([Int])
  case bytes([UInt8])
  case doubles([Double])
  case strings([String])
  case optionals([Int?])
  case matrix([[Int]])
  case dates([Date])
  case counts([String: Int])

  func encode(in container: inout KeyedEncodingContainer<ShapeKey>, _ key: ShapeKey) throws {
    switch self {
    case .null: try container.encodeNil(forKey: key)
    case .bool(let value): try container.encode(value, forKey: key)
    case .string(let value): try container.encode(value, forKey: key)
    case .double(let value): try container.encode(value, forKey: key)
    case .float(let value): try container.encode(value, forKey: key)
    case .int(let value): try container.encode(value, forKey: key)
    case .int8(let value): try container.encode(value, forKey: key)
    case .int16(let value): try container.encode(value, forKey: key)
    case .int32(let value): try container.encode(value, forKey: key)
    case .int64(let value): try container.encode(value, forKey: key)
    case .uint(let value): try container.encode(value, forKey: key)
    case .uint8(let value): try container.encode(value, forKey: key)
    case .uint16(let value): try container.encode(value, forKey: key)
    case .uint32(let value): try container.encode(value, forKey: key)
    case .uint64(let value): try container.encode(value, forKey: key)
    case .wide(let value): try container.encode(value, forKey: key)
    case .uwide(let value): try container.encode(value, forKey: key)
    default: try container.encode(other, forKey: key)
    }
  }

  func encode(in container: inout any UnkeyedEncodingContainer) throws {
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .string(let value): try container.encode(value)
    case .double(let value): try container.encode(value)
    case .float(let value): try container.encode(value)
    case .int(let value): try container.encode(value)
    case .int8(let value): try container.encode(value)
    case .int16(let value): try container.encode(value)
    case .int32(let value): try container.encode(value)
    case .int64(let value): try container.encode(value)
    case .uint(let value): try container.encode(value)
    case .uint8(let value): try container.encode(value)
    case .uint16(let value): try container.encode(value)
    case .uint32(let value): try container.encode(value)
    case .uint64(let value): try container.encode(value)
    case .wide(let value): try container.encode(value)
    case .uwide(let value): try container.encode(value)
    default: try container.encode(other)
    }
  }

  func encode(in container: inout any SingleValueEncodingContainer) throws {
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .string(let value): try container.encode(value)
    case .double(let value): try container.encode(value)
    case .float(let value): try container.encode(value)
    case .int(let value): try container.encode(value)
    case .int8(let value): try container.encode(value)
    case .int16(let value): try container.encode(value)
    case .int32(let value): try container.encode(value)
    case .int64(let value): try container.encode(value)
    case .uint(let value): try container.encode(value)
    case .uint8(let value): try container.encode(value)
    case .uint16(let value): try container.encode(value)
    case .uint32(let value): try container.encode(value)
    case .uint64(let value): try container.encode(value)
    case .wide(let value): try container.encode(value)
    case .uwide(let value): try container.encode(value)
    default: try container.encode(other)
    }
  }

  /// What no container has a method for.
  private var other: any Encodable {
    switch self {
    case .date(let value): value
    case .data(let value): value
    case .url(let value): value
    case .uuid(let value): value
    case .decimal(let value): value
    case .ints(let value): value
    case .bytes(let value): value
    case .doubles(let value): value
    case .strings(let value): value
    case .optionals(let value): value
    case .matrix(let value): value
    case .dates(let value): value
    case .counts(let value): value
    default: Bool?.none
    }
  }
}
