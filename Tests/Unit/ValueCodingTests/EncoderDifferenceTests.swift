import Foundation
import Testing
import ValueCoding

/// Where `ValueEncoder` differs from `JSONEncoder` on purpose.
@Suite struct EncoderDifferenceTests {
  private let coder = ValueCoder(.foundation)

  /// A value whose encoding is a closure.
  private struct Encoding: Encodable, Sendable {
    let body: @Sendable (any Encoder) throws -> Void
    init(_ body: @escaping @Sendable (any Encoder) throws -> Void) { self.body = body }
    func encode(to encoder: any Encoder) throws { try body(encoder) }
  }

  private struct Failure: Error {}

  /// Writes to the object that holds it while it is being encoded.
  private struct Meddler: Encodable {
    let holder: KeyedEncodingContainer<ShapeKey>
    var fails = false

    func encode(to encoder: any Encoder) throws {
      var (object, holder) = (encoder.container(keyedBy: ShapeKey.self), holder)
      try object.encode(1, forKey: ShapeKey("a"))
      try holder.encode(2, forKey: ShapeKey("by its value"))
      if fails { throw Failure() }
      try object.encode(3, forKey: ShapeKey("b"))
    }
  }

  private static let half = Encoding { encoder in
    var container = encoder.container(keyedBy: ShapeKey.self)
    try container.encode([1, 2], forKey: ShapeKey("a"))
    var inner = container.nestedUnkeyedContainer(forKey: ShapeKey("b"))
    try inner.encode("begun")
    throw Failure()
  }

  private func text(_ body: @escaping @Sendable (any Encoder) throws -> Void) throws -> String {
    String(decoding: try coder.encode(Encoding(body)), as: UTF8.self)
  }

  private func path(_ body: @escaping @Sendable (any Encoder) throws -> Void) -> [String]? {
    do { _ = try text(body) } catch {
      switch error {
      case EncodingError.invalidValue(_, let context): return context.codingPath.map(\.stringValue)
      case let error as ValueEncodedTwice: return error.codingPath.map(\.stringValue)
      default: break
      }
    }
    return nil
  }

  private static let twice: [Encoding] = [
    Encoding { _ = ($0.container(keyedBy: ShapeKey.self), $0.unkeyedContainer()) },
    Encoding { _ = ($0.unkeyedContainer(), $0.container(keyedBy: ShapeKey.self)) },
    Encoding {
      var place = $0.singleValueContainer()
      try place.encode(1)
      _ = $0.unkeyedContainer()
    },
    Encoding {
      var place = $0.singleValueContainer()
      try place.encodeNil()
      try place.encodeNil()
    },
    Encoding {
      _ = $0.container(keyedBy: ShapeKey.self)
      var place = $0.singleValueContainer()
      try place.encode("x")
    },
    Encoding {
      var object = $0.container(keyedBy: ShapeKey.self)
      try object.encode(1, forKey: ShapeKey("a"))
      _ = object.nestedUnkeyedContainer(forKey: ShapeKey("a"))
    },
    Encoding {
      var object = $0.container(keyedBy: ShapeKey.self)
      _ = object.nestedContainer(keyedBy: ShapeKey.self, forKey: ShapeKey("a"))
      _ = object.nestedUnkeyedContainer(forKey: ShapeKey("a"))
    },
  ]

  @Test(arguments: twice.indices)
  func `A value that is encoded in two forms is an error`(index: Int) throws {
    let value = Self.twice[index]
    #expect(throws: ValueEncodedTwice.self) { try coder.encode(value) }
    #expect(throws: ValueEncodedTwice.self) { try coder.encode(["a": [value]]) }
    // Though the value that holds it hides the error.
    let hiding = Encoding { encoder in
      var array = encoder.unkeyedContainer()
      do { try array.encode(value) } catch {}
    }
    #expect(throws: ValueEncodedTwice.self) { try coder.encode(hiding) }
  }

  @Test func `The error names the place of such a value`() {
    let value = Self.twice[0]
    do {
      _ = try coder.encode(["todos": [1: value]])
      Issue.record("it was encoded")
    } catch {
      let expected = "todos[1]: encoded twice, in different forms"
      #expect(explanation(of: error) == expected)
    }
  }

  @Test func `Keys that Unicode holds equal stay two`() throws {
    let expected = "{\"e\u{301}\":2,\"é\":1}"
    let isOne = "e\u{301}" == "é"
    #expect(isOne)
    for opensTwo in [false, true] {
      let text = try text { encoder in
        var object = encoder.container(keyedBy: ShapeKey.self)
        try object.encode(1, forKey: ShapeKey("é"))
        try object.encode(2, forKey: ShapeKey("e\u{301}"))
        if opensTwo { _ = encoder.container(keyedBy: ShapeKey.self) }
      }
      #expect(text.utf8.elementsEqual(expected.utf8))
    }
  }

  @Test func `Of a value whose failure is hidden nothing is left`() throws {
    let half = Self.half
    let array = try text { encoder in
      var array = encoder.unkeyedContainer()
      try array.encode(1)
      do { try array.encode(half) } catch {}
      #expect(array.count == 1)
      try array.encode(["b": 2])
    }
    #expect(array == #"[1,{"b":2}]"#)
    let object = try text { encoder in
      var object = encoder.container(keyedBy: ShapeKey.self)
      try object.encode(0, forKey: ShapeKey("x"))
      do { try object.encode(half, forKey: ShapeKey("x")) } catch {}
      do { try object.encode(Double.nan, forKey: ShapeKey("y")) } catch {}
      try object.encode(["b": 2], forKey: ShapeKey("a"))
    }
    #expect(object == #"{"a":{"b":2},"x":0}"#)
    let place = try text { encoder in
      var place = encoder.singleValueContainer()
      do { try place.encode(half) } catch {}
      do { try place.encode(Double.infinity) } catch {}
      try place.encode(5)
    }
    #expect(place == "5")
    // Opened containers that are written in turn need the encoder that builds a tree.
    let retried = try text { encoder in
      var array = encoder.unkeyedContainer()
      var first = array.nestedUnkeyedContainer()
      _ = array.nestedUnkeyedContainer()
      try first.encode(1)
      try array.encode(Retry())
    }
    #expect(retried == #"[[1],[],"none"]"#)
    let meddled = try text { encoder in
      var object = encoder.container(keyedBy: ShapeKey.self)
      do { try object.encode(Meddler(holder: object, fails: true), forKey: ShapeKey("c")) } catch {}
    }
    #expect(meddled == #"{"by its value":2}"#)
  }

  @Test func `A decimal that is not a number is an error`() {
    let expected = ["a", "Index 1"]
    let path = path { encoder in
      var object = encoder.container(keyedBy: ShapeKey.self)
      try object.encode([Decimal(1), .nan], forKey: ShapeKey("a"))
    }
    #expect(path == expected)
  }

  @Test func `Paths name nested containers and elements of arrays of numbers`() {
    let expected = ["a", "Index 0", "b", "Index 2"]
    let path = path { encoder in
      var object = encoder.container(keyedBy: ShapeKey.self)
      var array = object.nestedUnkeyedContainer(forKey: ShapeKey("a"))
      var inner = array.nestedContainer(keyedBy: ShapeKey.self)
      let known = inner.codingPath.map(\.stringValue)
      let above = ["a", "Index 0"]
      #expect(known == above)
      try inner.encode([0, 1, Double.nan], forKey: ShapeKey("b"))
    }
    #expect(path == expected)
  }

  @Test func `An encoder for a superclass has its place from the beginning`() throws {
    let array = try text { encoder in
      var array = encoder.unkeyedContainer()
      let (first, second) = (array.superEncoder(), array.superEncoder())
      try array.encode(3)
      #expect(array.count == 3)
      try 2.encode(to: second)
      try 1.encode(to: first)
    }
    #expect(array == "[1,2,3]")
    let object = try text { encoder in
      var object = encoder.container(keyedBy: ShapeKey.self)
      let parent = object.superEncoder()
      try object.encode("later", forKey: ShapeKey("super"))
      try 1.encode(to: parent)
    }
    #expect(object == #"{"super":"later"}"#)
  }

  @Test(arguments: [2, 3, 40])
  func `Keys are in the order of their octets, however they are written`(count: Int) throws {
    let ends = ["\n", "\"", "!", "[", "\\", "]", "/", "0", "\u{1f}", " ", "u", "é", "\u{0}", ""]
    let foundation = JSONEncoder()
    foundation.outputFormatting = .sortedKeys
    for start in ["", "seven c", "eight ch", "more than eight"] {
      for (index, end) in ends.enumerated() {
        let others = ends.suffix(from: index).prefix(count - 1).map { (start + $0, 1) }
        let more = (3..<max(3, count)).map { ("\(start)\n\($0)", 2) }
        let object = Dictionary([(start + end + end, 0)] + others + more) { $1 }
        let (ours, theirs) = (try coder.encode(object), try foundation.encode(object))
        #expect(ours == theirs)
      }
    }
  }

  @Test func `What JSONEncoder goes on with is gone on with`() throws {
    let foundation = JSONEncoder()
    foundation.outputFormatting = .sortedKeys
    let values: [Encoding] = [
      Encoding { encoder in
        var place = encoder.singleValueContainer()
        try place.encode(["a": 1, "c": 3])
        var object = encoder.container(keyedBy: ShapeKey.self)
        try object.encode(2, forKey: ShapeKey("b"))
      },
      Encoding { encoder in
        var object = encoder.container(keyedBy: ShapeKey.self)
        try object.encode(2, forKey: ShapeKey("b"))
        var place = encoder.singleValueContainer()
        try place.encode(Encoding { try ["a": 1].encode(to: $0) })
      },
      Encoding { encoder in
        var object = encoder.container(keyedBy: ShapeKey.self)
        try object.encode(["x": ["y": 1]], forKey: ShapeKey("b"))
        for index in 0..<3 {
          var inner = object.nestedContainer(keyedBy: ShapeKey.self, forKey: ShapeKey("b"))
          var deeper = inner.nestedContainer(keyedBy: ShapeKey.self, forKey: ShapeKey("x"))
          try deeper.encode(index, forKey: ShapeKey("key \(index)"))
          try object.encode(index, forKey: ShapeKey("z"))
        }
      },
      Encoding { encoder in
        var object = encoder.container(keyedBy: ShapeKey.self)
        for index in 0..<3 {
          var inner = object.nestedUnkeyedContainer(forKey: ShapeKey("b"))
          try inner.encode(index)
        }
      },
      Encoding { encoder in
        var object = encoder.container(keyedBy: ShapeKey.self)
        var inner = object.nestedUnkeyedContainer(forKey: ShapeKey("b"))
        try inner.encode(1)
        try object.encode(2, forKey: ShapeKey("c"))
        try object.encode(inner.count, forKey: ShapeKey("count"))
      },
      Encoding { encoder in
        var object = encoder.container(keyedBy: ShapeKey.self)
        let inner = object.nestedUnkeyedContainer(forKey: ShapeKey("b"))
        try object.encode(2, forKey: ShapeKey("c"))
        try object.encode(inner.codingPath.map(\.stringValue), forKey: ShapeKey("path"))
      },
      Encoding { encoder in
        var object = encoder.container(keyedBy: ShapeKey.self)
        try object.encode(Meddler(holder: object), forKey: ShapeKey("c"))
      },
    ]
    for value in values {
      let (ours, theirs) = (try coder.encode([value]), try foundation.encode([value]))
      #expect(ours == theirs)
    }
  }
}

/// Has something else in its place if its value fails there.
private struct Retry: Encodable {
  private struct Failing: Encodable {
    func encode(to encoder: any Encoder) throws {
      var place = encoder.singleValueContainer()
      try place.encode(1)
      throw CancellationError()
    }
  }

  func encode(to encoder: any Encoder) throws {
    var place = encoder.singleValueContainer()
    do { try place.encode(Failing()) } catch { try place.encode("none") }
  }
}
