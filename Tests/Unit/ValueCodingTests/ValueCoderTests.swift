import Foundation
import TestSupport
import Testing
import ValueCoding

@Suite("Values as JSON, and back")
struct ValueCoderTests {
  private indirect enum Tree: Codable, Equatable {
    case leaf
    case node(Int, Tree)
  }

  private struct Branch: Codable { var children: [Branch] = [] }

  /// Frees its successors one after the other, as a long list must.
  private final class Link: Codable {
    var next: Link?
    init(_ next: Link?) { self.next = next }
    deinit {
      var rest = next.take()
      while let link = rest, isKnownUniquelyReferenced(&rest) { rest = link.next.take() }
    }
  }

  /// A value that is nothing but another one.
  private final class Alias: Encodable {
    let other: Alias?
    init(_ other: Alias?) { self.other = other }
    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(other)
    }
  }

  /// Nests its own containers, and ignores every error.
  private struct Tower: Encodable {
    enum Kind: CaseIterable { case arrays, objects, supers, objectSupers, ignored }
    enum Key: CodingKey { case next }
    let kind: Kind
    let height: Int

    func encode(to encoder: any Encoder) throws {
      switch kind {
      case .arrays:
        var container = encoder.unkeyedContainer()
        for _ in 0..<height { container = container.nestedUnkeyedContainer() }
      case .objects:
        var container = encoder.container(keyedBy: Key.self)
        for _ in 0..<height {
          container = container.nestedContainer(keyedBy: Key.self, forKey: .next)
        }
      case .supers:
        var encoder = encoder
        for _ in 0..<height {
          var container = encoder.unkeyedContainer()
          encoder = container.superEncoder()
        }
      case .objectSupers:
        var encoder = encoder
        for _ in 0..<height {
          var container = encoder.container(keyedBy: Key.self)
          encoder = container.superEncoder(forKey: .next)
        }
      case .ignored:
        guard height > 0 else { return }
        var container = encoder.unkeyedContainer()
        do { try container.encode(Tower(kind: kind, height: height - 1)) } catch {}
      }
    }
  }

  /// Of a key that is deep itself.
  private struct DeepKey: Codable, Hashable {
    var branch = Branch()
    static func == (one: DeepKey, other: DeepKey) -> Bool { true }
    func hash(into hasher: inout Hasher) {}
  }

  private static let coders = [ValueCoder(.foundation), ValueCoder(.readable)]

  private static func chain<Value>(_ count: Int, _ first: Value, _ next: (Value) -> Value) -> Value
  {
    (0..<count).reduce(first) { value, _ in next(value) }
  }

  @Test(arguments: coders) func whatIsNestedTooDeepIsAnErrorAndNotTheEnd(coder: ValueCoder) {
    let tree = Self.chain(12_000, Tree.leaf) { .node(1, $0) }
    #expect(throws: TooDeep.self) { try coder.encode(tree) }
    let branch = Self.chain(12_000, Branch()) { Branch(children: [$0]) }
    #expect(throws: TooDeep.self) { try coder.encode(branch) }
    let alias = Self.chain(12_000, Alias(nil)) { Alias($0) }
    #expect(throws: TooDeep.self) { try coder.encode(alias) }
  }

  @Test(arguments: coders) func containersInOneAnotherAreCountedToo(coder: ValueCoder) throws {
    for kind in Tower.Kind.allCases {
      for height in [ValueCoder.depthMax + 1, 12_000] {
        #expect(throws: TooDeep.self, "\(kind)") {
          try coder.encode(Tower(kind: kind, height: height))
        }
      }
      let height = ValueCoder.depthMax - 1
      #expect(try !coder.encode(Tower(kind: kind, height: height)).isEmpty, "\(kind)")
    }
  }

  @Test(arguments: coders) func soIsAKey(coder: ValueCoder) {
    let key = DeepKey(branch: Self.chain(12_000, Branch()) { Branch(children: [$0]) })
    #expect(throws: TooDeep.self) { try coder.encode([key: 1]) }
  }

  @Test(arguments: coders) func upToTheLimitItIsWrittenAndReadAgain(coder: ValueCoder) throws {
    let links = Self.chain(ValueCoder.depthMax, Link(nil)) { Link($0) }
    let data = try coder.encode(links)
    var count = 0
    var link = try coder.decode(Link.self, from: data).next
    while let next = link { (link, count) = (next.next, count + 1) }
    #expect(count == ValueCoder.depthMax)
    #expect(throws: TooDeep.self) { try coder.encode(Link(links)) }
  }

  @Test(arguments: coders) func whatIsReadIsBoundedToo(coder: ValueCoder) {
    let text = String(repeating: #"{"next":"#, count: 100_000)
    #expect(throws: DecodingError.self) { try coder.decode(Link.self, from: Data(text.utf8)) }
  }

  private enum Suit: String, Codable { case hearts, spades }
  private struct Place: Codable, Hashable { var x = 1 }
  private struct Everything: Codable, Equatable {
    var date = Date(timeIntervalSinceReferenceDate: 700_000_000.25)
    var dates = [Date(timeIntervalSinceReferenceDate: 0)]
    var byID = [UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"): [1, 2]]
    var bySuit = [Suit.hearts: Suit.spades]
    var byNumber: [UInt8: Date] = [7: Date(timeIntervalSinceReferenceDate: 1)]
    var byPlace = [Place(): 1]
    var byName = ["a": 1]
    var byInt = [1: "a"]
    var data = Data([1, 2])
    var url = URL(string: "https://localhost/")
    var decimal = Decimal(1) / 4
    var missing: Date?
    var tuple: [Int?] = [1, nil]
    var ratio = 0.1
  }

  @Test func withoutTheOptionAllIsAsFoundationWritesIt() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    #expect(try ValueCoder(.foundation).encode(Everything()) == encoder.encode(Everything()))
  }

  @Test func theOptionChangesDatesAndKeysAlone() throws {
    let text = String(decoding: try ValueCoder(.readable).encode(Everything()), as: UTF8.self)
    #expect(
      text == #"""
        {"byID":{"E621E1F8-C36C-495A-93FC-0C247A3E6E5F":[1,2]},"byInt":{"1":"a"},\#
        "byName":{"a":1},"byNumber":{"7":"2001-01-01T00:00:01Z"},"byPlace":[{"x":1},1],\#
        "bySuit":{"hearts":"spades"},"data":"AQI=","date":"2023-03-08T20:26:40.25Z",\#
        "dates":["2001-01-01T00:00:00Z"],"decimal":0.25,"ratio":0.1,"tuple":[1,null],\#
        "url":"https:\/\/localhost\/"}
        """#)
  }

  @Test(arguments: coders) func whatIsWrittenIsReadAsItWas(coder: ValueCoder) throws {
    let data = try coder.encode(Everything())
    #expect(try coder.decode(Everything.self, from: data) == Everything())
    for value in [Everything()] { #expect(try coder.encode(value) == data) }
  }

  @Test func whatWasWrittenWithoutTheOptionIsReadWithIt() throws {
    let data = try ValueCoder(.foundation).encode(Everything())
    #expect(try ValueCoder(.readable).decode(Everything.self, from: data) == Everything())
  }

  @Test func everyDateIsRestoredToTheLastBit() throws {
    var random = SeededGenerator(seed: 1)
    let coder = ValueCoder(.readable)
    var dates = [0, -0.1, 0.1, 1e10, -63_113_904_000, 252_423_993_600, -1e20, 1e300].map {
      Date(timeIntervalSinceReferenceDate: $0)
    }
    for magnitude in [1.0, 1e3, 1e6, 1e9, 1e11, 1e13] {
      for _ in 1...50 {
        let seconds = Double.random(in: -magnitude...magnitude, using: &random)
        dates.append(Date(timeIntervalSinceReferenceDate: seconds))
      }
    }
    for date in dates {
      #expect(try coder.decode([Date].self, from: try coder.encode([date])) == [date])
    }
  }

  @Test(arguments: [
    ("2001-01-01T01:00:00+01:00", 0.0), ("2001-01-01T00:00:00.5Z", 0.5), ("12.5", 12.5),
  ]) func datesAreReadAsPeopleWriteThem(text: String, seconds: Double) throws {
    let json = Double(text) == nil ? "\"\(text)\"" : text
    let date = try ValueCoder(.readable).decode(Date.self, from: Data(json.utf8))
    #expect(date.timeIntervalSinceReferenceDate == seconds)
  }

  @Test(arguments: ["\"soon\"", "\"\"", "\".\"", "true", "\"2001-01-01T00:00:00.xZ\""])
  func whatIsNoDateIsRefused(json: String) {
    #expect(throws: DecodingError.self) {
      try ValueCoder(.readable).decode(Date.self, from: Data(json.utf8))
    }
  }
}
