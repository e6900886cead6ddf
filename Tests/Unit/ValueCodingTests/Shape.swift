import Foundation
import SurfValues
import TestSupport

/// A value that encodes itself as a test tells it to.
indirect enum Shape: Encodable {
  case leaf(EncodedLeaf)
  case object([ObjectStep])
  case array([ArrayStep])
  /// A value in the place of this.
  case place(Shape)
  case optional(Shape?)
  case secret(Shape)
  case named([String: Shape])
  case numbered([Int: Shape])
  case paired([Bool: Shape])
  case list([Shape])
  case nothing
  case failing

  /// A step in encoding an object.
  enum ObjectStep {
    case leaf(String, EncodedLeaf)
    case value(String, Shape)
    case ifPresent(String, Shape?)
    case secret(String, Shape?)
    case object(String, [ObjectStep])
    case array(String, [ArrayStep])
    case parent(String?, Shape)
    /// Two containers and the object itself, by turns.
    case turns(String, String, [EncodedLeaf])
  }

  /// A step in encoding an array.
  enum ArrayStep {
    case leaf(EncodedLeaf)
    case value(Shape)
    case object([ObjectStep])
    case array([ArrayStep])
    case parent(Shape)
    case turns([EncodedLeaf])
  }

  /// Thrown by a value: the keys that lead to it.
  struct Refusal: Error { let path: [String] }

  func encode(to encoder: any Encoder) throws {
    switch self {
    case .leaf(let leaf):
      var container = encoder.singleValueContainer()
      try leaf.encode(in: &container)
    case .object(let steps):
      // One container for each half: they are the same object.
      for half in [steps.prefix(steps.count / 2), steps.suffix(from: steps.count / 2)] {
        var container = encoder.container(keyedBy: ShapeKey.self)
        for step in half { try step.encode(in: &container) }
      }
    case .array(let steps):
      for half in [steps.prefix(steps.count / 2), steps.suffix(from: steps.count / 2)] {
        var container = encoder.unkeyedContainer()
        for step in half { try step.encode(in: &container) }
      }
    case .place(let shape): try Self.encode(shape, in: encoder)
    case .secret(let shape): try Self.encode(Redacted(wrappedValue: shape), in: encoder)
    case .optional(let shape): try Self.encode(shape, in: encoder)
    case .named(let shapes): try Self.encode(shapes, in: encoder)
    case .numbered(let shapes): try Self.encode(shapes, in: encoder)
    case .paired(let shapes): try Self.encode(shapes, in: encoder)
    case .list(let shapes): try shapes.encode(to: encoder)
    case .nothing: break
    case .failing: throw Refusal(path: encoder.codingPath.map(\.stringValue))
    }
  }

  private static func encode(_ value: some Encodable, in encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }
}

struct ShapeKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(_ name: String) { stringValue = name }
  init?(stringValue: String) { self.init(stringValue) }
  init?(intValue: Int) { nil }
}

extension Shape.ObjectStep {
  func encode(in container: inout KeyedEncodingContainer<ShapeKey>) throws {
    switch self {
    case .leaf(let key, let leaf): try leaf.encode(in: &container, ShapeKey(key))
    case .value(let key, let shape): try container.encode(shape, forKey: ShapeKey(key))
    case .ifPresent(let key, let shape):
      try container.encodeIfPresent(shape, forKey: ShapeKey(key))
    case .secret(let key, let shape):
      try container.encode(Redacted(wrappedValue: shape), forKey: ShapeKey(key))
    case .object(let key, let steps):
      var inner = container.nestedContainer(keyedBy: ShapeKey.self, forKey: ShapeKey(key))
      for step in steps { try step.encode(in: &inner) }
    case .array(let key, let steps):
      var inner = container.nestedUnkeyedContainer(forKey: ShapeKey(key))
      for step in steps { try step.encode(in: &inner) }
    case .parent(let key, let shape):
      let encoder = key.map { container.superEncoder(forKey: ShapeKey($0)) }
      try shape.encode(to: encoder ?? container.superEncoder())
    case .turns(let key, let other, let leaves):
      var object = container.nestedContainer(keyedBy: ShapeKey.self, forKey: ShapeKey(key))
      var array = container.nestedUnkeyedContainer(forKey: ShapeKey(other))
      for (index, leaf) in leaves.enumerated() {
        try leaf.encode(in: &object, ShapeKey("\(index)"))
        try leaf.encode(in: &array)
        try leaf.encode(in: &container, ShapeKey("turn \(index)"))
      }
    }
  }
}

extension Shape.ArrayStep {
  func encode(in container: inout any UnkeyedEncodingContainer) throws {
    switch self {
    case .leaf(let leaf): try leaf.encode(in: &container)
    case .value(let shape): try container.encode(shape)
    case .object(let steps):
      var inner = container.nestedContainer(keyedBy: ShapeKey.self)
      for step in steps { try step.encode(in: &inner) }
    case .array(let steps):
      var inner = container.nestedUnkeyedContainer()
      for step in steps { try step.encode(in: &inner) }
    case .parent(let shape): try shape.encode(to: container.superEncoder())
    case .turns(let leaves):
      var object = container.nestedContainer(keyedBy: ShapeKey.self)
      var array = container.nestedUnkeyedContainer()
      for (index, leaf) in leaves.enumerated() {
        try leaf.encode(in: &array)
        try leaf.encode(in: &object, ShapeKey("\(index)"))
        try leaf.encode(in: &container)
      }
    }
  }
}
