import Foundation
import Synchronization
import Testing
import ValueCoding

/// Values that no encoder likes to meet.
@Suite struct EncoderHardshipTests {
  private static let isLong = ProcessInfo.processInfo.environment["STATESURF_LONG"] == "1"
  private let coder = ValueCoder(.foundation)

  private final class Knot: Encodable {
    var name = "knot"
    var others: [Knot] = []
    var byName: [String: Knot] = [:]
  }

  @Test(arguments: [true, false])
  func `An object that contains itself is an error`(isList: Bool) {
    let knot = Knot()
    if isList { knot.others = [Knot(), knot] } else { knot.byName = ["self": knot] }
    #expect(throws: TooDeep.self) { try coder.encode(knot) }
    // A cycle is never freed.
    (knot.others, knot.byName) = ([], [:])
  }

  private struct Tower: Encodable {
    let height: Int
    func encode(to encoder: any Encoder) throws {
      var container = encoder.unkeyedContainer()
      if height > 0 { try container.encode(Tower(height: height - 1)) }
    }
  }

  @Test func `A value of 100,000 levels is an error, and the next is written`() throws {
    #expect(throws: TooDeep.self) { try coder.encode(Tower(height: 100_000)) }
    let expected = Data("[[[]]]".utf8)
    #expect(try coder.encode(Tower(height: 2)) == expected)
  }

  /// A value that wraps another, which may wrap one too; it hides every error.
  private struct Veil: Encodable {
    let count: Int
    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      do { try count > 0 ? container.encode(Veil(count: count - 1)) : container.encode(1) } catch {}
    }
  }

  @Test func `Too many values in the place of one another are an error that none can hide`() throws
  {
    #expect(throws: TooDeep.self) { try coder.encode(Veil(count: ValueCoder.depthMax + 1)) }
    let expected = Data("1".utf8)
    #expect(try coder.encode(Veil(count: ValueCoder.depthMax)) == expected)
  }

  @Test func `Objects of very many members are sorted`() throws {
    let count = Self.isLong ? 1_000_000 : 50_000
    let dictionary = Dictionary(uniqueKeysWithValues: (0..<count).map { ("key \($0)", $0) })
    let names = dictionary.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    let members = names.map { "\"\($0)\":\($0.dropFirst(4))" }.joined(separator: ",")
    #expect(try coder.encode(dictionary) == Data("{\(members)}".utf8))
  }

  @Test func `A key of a megabyte is written`() throws {
    let key = String(repeating: "k/", count: 1 << 19)
    let expected =
      #"{"\#(key.replacing("/", with: "\\/"))":1,"\#(String(repeating: "z", count: 9))":2}"#
    let text = try coder.encode([String(repeating: "z", count: 9): 2, key: 1])
    #expect(text == Data(expected.utf8))
  }

  private struct Types: Decodable {
    var decimal: Decimal?
    var url: URL?
    var uuid: UUID?
    var range: ClosedRange<Int>?
    var data: Data?
    var half: Float?
    var date: Date?
  }

  /// Foundation's errors of some types have no words of their own.
  @Test(
    arguments: [
      (#"{"decimal":"x"}"#, "decimal: it is not Decimal"), (#"{"url":""}"#, "url: "),
      (#"{"uuid":"zz"}"#, "uuid: "), (#"{"range":[3,1]}"#, "range: "), (#"{"data":"%"}"#, "data: "),
      (#"{"half":"1"}"#, "half: "), (#"{"date":true}"#, "date: "),
    ])
  func `a value that does not decode has its place, and a reason`(
    text: String, beginning: String
  ) throws {
    for coder in [ValueCoder(.foundation), ValueCoder(.readable)] {
      do {
        _ = try coder.decode(Types.self, from: Data(text.utf8))
        Issue.record("it was decoded")
      } catch {
        let words = explanation(of: error)
        #expect(words.hasPrefix(beginning), "\(words)")
        #expect(!words.hasSuffix(": "), "\(words)")
      }
    }
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity])
  func `What is not a number is an error that says where`(number: Double) throws {
    struct State: Encodable { var rows: [[String: Double]] }
    do {
      _ = try coder.encode(State(rows: [["a": 1], ["a": number]]))
      Issue.record("it was encoded")
    } catch {
      let expected = "rows[1].a: \(number) cannot be encoded"
      #expect(explanation(of: error) == expected)
    }
    #expect(throws: EncodingError.self) { try coder.encode(Float(number)) }
    #expect(throws: EncodingError.self) {
      try coder.encode(Date(timeIntervalSinceReferenceDate: number))
    }
    let kept = try coder.withNullNumbers.bytes(of: [["a": 1], ["a": number]])
    #expect(String(decoding: kept, as: UTF8.self) == #"[{"a":1},{"a":null}]"#)
  }

  @Test func `Halves of a pair of surrogates are written as JSONEncoder does`() throws {
    let text = String(decoding: [0x61, 0xd800, 0x62] as [UInt16], as: UTF16.self)
    let expected = try JSONEncoder().encode([text: text])
    #expect(try coder.encode([text: text]) == expected)
  }

  private static let bounded = ValueEncoder(escapesSlashes: false) { "\($0)" }

  private struct Held<Value: Encodable>: Encodable { let value: Value }

  // By name: the test library would look at all of a big argument.
  @Test(arguments: ["octets", "numbers", "rows", "members", "data", "text", "texts", "key", "URL"])
  func `A text that would be too long is not written`(_ name: String) {
    let long = String(repeating: "x", count: 1_001)
    let value: any Encodable =
      switch name {
      case "octets": Held(value: [UInt8](repeating: 1, count: 600))
      case "numbers": Held(value: [Double](repeating: 0.5, count: 300))
      case "rows": Held(value: [[Int]](repeating: [1], count: 300))
      case "members": Held(value: Dictionary(uniqueKeysWithValues: (0..<300).map { ("\($0)", 1) }))
      case "data": Held(value: Data(long.utf8))
      case "text": Held(value: long)
      case "texts": Held(value: ["a", long, "b"])
      case "key": Held(value: [long: 1])
      default: Held(value: URL(filePath: long))
      }
    #expect(throws: TooLong.self) { try Self.bounded.bytes(of: value, sizeMax: 1_000) }
    #expect(throws: Never.self) { try Self.bounded.bytes(of: value, sizeMax: 8_000) }
  }

  /// Two lists, one after the other, or continued in turn, which only a `TreeEncoder` can write.
  private struct Lists: Encodable {
    let inTurn: Bool
    let isSwallowed: Bool

    func encode(to encoder: any Encoder) throws {
      var object = encoder.container(keyedBy: Names.self)
      do {
        var one = object.nestedUnkeyedContainer(forKey: .one)
        if !inTurn { for _ in 0..<200 { try one.encode("one") } }
        var other = object.nestedUnkeyedContainer(forKey: .other)
        for _ in 0..<200 {
          if inTurn { try one.encode("one") }
          try other.encode("other")
        }
      } catch {
        if !isSwallowed { throw error }
      }
      do { try object.encode(1, forKey: .end) } catch { if !isSwallowed { throw error } }
    }

    enum Names: CodingKey { case one, other, end }
  }

  @Test(arguments: [false, true], [false, true])
  func `A value that is too long is an error that none can hide`(
    inTurn: Bool, isSwallowed: Bool
  ) throws {
    let lists = Lists(inTurn: inTurn, isSwallowed: isSwallowed)
    #expect(throws: TooLong.self) { try Self.bounded.bytes(of: lists, sizeMax: 1_000) }
    let whole = try Self.bounded.bytes(of: lists, sizeMax: 8_000)
    let list = { (word: String) in "[\(repeatElement(word, count: 200).joined(separator: ","))]" }
    let expected = #"{"end":1,"one":\#(list(#""one""#)),"other":\#(list(#""other""#))}"#
    #expect(String(decoding: whole, as: UTF8.self) == expected)
  }

  private struct Failure: Error, Equatable { let number: Int }

  private struct Failing: Encodable {
    let number: Int
    func encode(to encoder: any Encoder) throws {
      var container = encoder.unkeyedContainer()
      for index in 0..<100 { try container.encode(index) }
      throw Failure(number: number)
    }
  }

  @Test func `An error that a value throws half-way is the error of all`() throws {
    #expect(throws: Failure(number: 2)) { try coder.encode(["a": [Failing(number: 2)]]) }
    let expected = Data(#"{"a":[1]}"#.utf8)
    #expect(try coder.encode(["a": [1]]) == expected)
  }

  private struct Within: Encodable {
    let coder: ValueCoder
    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(String(decoding: try coder.encode(["b": 1]), as: UTF8.self))
    }
  }

  @Test func `A value may encode others with the same coder meanwhile`() throws {
    let expected = Data(#"{"a":"{\"b\":1}"}"#.utf8)
    for _ in 0..<3 { #expect(try coder.encode(["a": Within(coder: coder)]) == expected) }
  }

  private final class Keeper: Encodable {
    var kept: (any UnkeyedEncodingContainer)?
    func encode(to encoder: any Encoder) throws {
      var container = encoder.unkeyedContainer()
      try container.encode(1)
      kept = container
    }
  }

  @Test func `A container that a value keeps changes nothing later`() throws {
    let keeper = Keeper()
    let expected = [Data("[[1]]".utf8), Data("[2,3]".utf8)]
    #expect(try coder.encode([keeper]) == expected[0])
    do { try keeper.kept?.encode("late") } catch {}
    _ = keeper.kept?.count
    _ = keeper.kept?.codingPath
    #expect(try coder.encode([2, 3]) == expected[1])
    #expect(try coder.encode([keeper]) == expected[0])
  }

  @Test func `Threads share a coder`() {
    let values = (0..<4).map { number in (0..<200).map { ["key \($0)": "\(number)"] } }
    let coder = coder
    let wrong = Atomic(0)
    let texts = values.map { value in
      do { return try JSONEncoder().encode(value) } catch { return Data() }
    }
    DispatchQueue.concurrentPerform(iterations: 4) { index in
      for _ in 0..<20 {
        do {
          if try coder.encode(values[index]) != texts[index] { wrong.add(1, ordering: .relaxed) }
        } catch {
          wrong.add(1, ordering: .relaxed)
        }
      }
    }
    #expect(wrong.load(ordering: .relaxed) == 0)
  }
}
