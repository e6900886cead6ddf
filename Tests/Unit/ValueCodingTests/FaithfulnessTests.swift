import Foundation
import TestSupport
import Testing
import ValueCoding

/// Whatever is restored without the readable form is restored with it, and equal. With
/// STATESURF_LONG=1 a hundred thousand values.
@Suite struct FaithfulnessTests {
  private static let count =
    ProcessInfo.processInfo.environment["STATESURF_LONG"] == "1" ? 100_000 : 2_000

  /// A number or a text, as the ids of JSON-RPC are.
  enum Ticket: Codable, Hashable {
    case number(Int)
    case text(String)

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      do { self = .number(try container.decode(Int.self)) } catch {
        self = .text(try container.decode(String.self))
      }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch self {
      case .number(let number): try container.encode(number)
      case .text(let text): try container.encode(text)
      }
    }
  }

  /// A text that keeps no case: other texts are the same key.
  struct Folded: Codable, Hashable {
    let text: String
    init(_ text: String) { self.text = text.lowercased() }
    init(from decoder: any Decoder) throws {
      self.init(try decoder.singleValueContainer().decode(String.self))
    }
    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(text.uppercased())
    }
  }

  enum Side: String, Codable, Hashable, CaseIterable {
    case left, right
    case five = "5"
  }
  enum Wind: Codable, Hashable, CaseIterable { case north, east, south }
  enum Level: Int, Codable, Hashable, CaseIterable {
    case low = -1
    case middle
    case high = 100
  }

  struct Place: Codable, Hashable {
    var x: Int
    var name: String?
  }

  /// Shapes of several classes, read by their kind.
  class Figure: Codable, Equatable {
    let kind: String
    init(kind: String) { self.kind = kind }
    func isEqual(to other: Figure) -> Bool { type(of: self) == type(of: other) }
    static func == (left: Figure, right: Figure) -> Bool { left.isEqual(to: right) }
  }

  final class Circle: Figure {
    let radius: Int
    enum Key: CodingKey { case radius }
    init(radius: Int) {
      self.radius = radius
      super.init(kind: "circle")
    }
    required init(from decoder: any Decoder) throws {
      radius = try decoder.container(keyedBy: Key.self).decode(Int.self, forKey: .radius)
      try super.init(from: decoder)
    }
    override func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(radius, forKey: .radius)
      try super.encode(to: encoder)
    }
    override func isEqual(to other: Figure) -> Bool { (other as? Circle)?.radius == radius }
  }

  struct Figures: Codable, Equatable {
    var all: [Figure]
    private enum Key: CodingKey { case all }
    private struct Peek: Codable { let kind: String }

    init(_ all: [Figure]) { self.all = all }
    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      let kinds = try container.decode([Peek].self, forKey: .all).map(\.kind)
      var list = try container.nestedUnkeyedContainer(forKey: .all)
      all = try kinds.map { kind in
        let type: Figure.Type = kind == "circle" ? Circle.self : Figure.self
        return try list.decode(type)
      }
    }
    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(all, forKey: .all)
    }
  }

  /// Of elements that it cannot read it makes texts.
  struct Mixed: Codable, Equatable {
    var places: [Place] = []
    var rest: [String] = []

    init(_ places: [Place], _ rest: [String]) { (self.places, self.rest) = (places, rest) }
    init(from decoder: any Decoder) throws {
      var list = try decoder.unkeyedContainer()
      while !list.isAtEnd {
        do { places.append(try list.decode(Place.self)) } catch {
          rest.append(try list.decode(String.self))
        }
      }
    }
    func encode(to encoder: any Encoder) throws {
      var list = encoder.unkeyedContainer()
      for text in rest { try list.encode(text) }
      for place in places { try list.encode(place) }
    }
  }

  struct State: Codable, Equatable {
    var tickets: [Ticket: Int]
    var folded: [Folded: Int]
    var sides: [Side: [Wind: Int]]
    var levels: [Level: Date?]
    var dates: [Date: String]
    var places: [Place: [Place]]
    var flags: [Bool: Set<String>]
    var bytes: [UInt8: Int8]
    var ratios: [Double: Float]
    var ids: [UUID: Place]
    var wide: [Int128: UInt128]
    var money: [Decimal: Decimal]
    var winds: Set<Wind>
    var tables: [[String: [Ticket: Place?]]]
    var biggest: Int128
    var largest: UInt128
    var maybe: UInt128?
    var moments: [Date]
    var figures: Figures
    var mixed: Mixed
    var data: Data
    var links: [URL]
    var nested: Set<Set<Int>>
  }

  struct Maker {
    var random: SeededGenerator

    mutating func upTo(_ end: Int) -> Int { Int.random(in: 0..<end, using: &random) }
    mutating func some<Value>(_ make: (inout Maker) -> Value) -> [Value] {
      (0..<upTo(4)).map { _ in make(&self) }
    }
    mutating func table<Key, Value>(
      _ key: (inout Maker) -> Key, _ value: (inout Maker) -> Value
    ) -> [Key: Value] {
      var table: [Key: Value] = [:]
      // Of equal dictionaries with other room the order differs.
      table.reserveCapacity(upTo(100))
      for _ in 0..<upTo(5) { table[key(&self)] = value(&self) }
      return table
    }
    mutating func maybe<Value>(_ make: (inout Maker) -> Value) -> Value? {
      upTo(3) == 0 ? nil : make(&self)
    }

    mutating func text() -> String {
      [
        "", "5", "a", "A", "é", "e\u{301}", "1.5", "-1", "true", "null", "\"",
        "2001-01-01T00:00:00Z",
      ][
        upTo(12)]
    }
    mutating func ticket() -> Ticket { upTo(2) == 0 ? .number(upTo(9)) : .text(text()) }
    mutating func place() -> Place { Place(x: upTo(3), name: maybe { $0.text() }) }
    mutating func wide() -> Int128 { (Int128(upTo(9)) - 4) << Int128(upTo(124)) }
    mutating func unsigned() -> UInt128 { UInt128(upTo(9)) << UInt128(upTo(124)) }
    mutating func id() -> UUID {
      UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5, UInt8(upTo(9))))
    }
    mutating func decimal() -> Decimal { Decimal(upTo(1_000) - 500) / 8 }
    mutating func date() -> Date {
      let scale = [1e-6, 0.1, 1, 1e3, 1e9, 1e11, 1e13][upTo(7)]
      let seconds = Double.random(in: -scale...scale, using: &random)
      return Date(timeIntervalSinceReferenceDate: upTo(2) == 0 ? seconds : seconds.rounded())
    }
    mutating func figure() -> Figure {
      upTo(2) == 0 ? Circle(radius: upTo(9)) : Figure(kind: text())
    }

    mutating func state() -> State {
      State(
        tickets: table({ $0.ticket() }, { $0.upTo(9) }),
        folded: table({ Folded($0.text()) }, { $0.upTo(9) }),
        sides: table(
          { Side.allCases[$0.upTo(3)] },
          { $0.table({ Wind.allCases[$0.upTo(3)] }, { $0.upTo(9) }) }),
        levels: table({ Level.allCases[$0.upTo(3)] }, { $0.maybe { $0.date() } }),
        dates: table({ $0.date() }, { $0.text() }),
        places: table({ $0.place() }, { $0.some { $0.place() } }),
        flags: table({ $0.upTo(2) == 0 }, { Set($0.some { $0.text() }) }),
        bytes: table({ UInt8($0.upTo(256)) }, { Int8($0.upTo(256) - 128) }),
        ratios: table({ Double($0.upTo(99)) / 8 - 3 }, { Float($0.upTo(99)) / 3 }),
        ids: table({ $0.id() }, { $0.place() }), wide: table({ $0.wide() }, { $0.unsigned() }),
        money: table({ $0.decimal() }, { $0.decimal() }),
        winds: Set(some { Wind.allCases[$0.upTo(3)] }),
        tables: some {
          $0.table({ $0.text() }, { $0.table({ $0.ticket() }, { $0.maybe { $0.place() } }) })
        },
        biggest: wide(), largest: unsigned(), maybe: maybe { $0.unsigned() },
        moments: some { $0.date() }, figures: Figures(some { $0.figure() }),
        mixed: Mixed(some { $0.place() }, some { $0.text() }),
        data: Data(some { UInt8($0.upTo(256)) }),
        links: some { URL(string: "https://localhost/\($0.upTo(9))") ?? URL(fileURLWithPath: "/") },
        nested: Set(some { Set($0.some { $0.upTo(9) }) }))
    }
  }

  @Test func `what is restored in one form is restored in the other`() throws {
    var maker = Maker(random: SeededGenerator(seed: 7))
    let coders = [ValueCoder(.foundation), ValueCoder(.readable)]
    for _ in 0..<Self.count {
      let state = maker.state()
      for coder in coders {
        let data = try coder.encode(state)
        let restored = try coder.decode(State.self, from: data)
        #expect(restored == state, "\(String(decoding: data, as: UTF8.self))")
        // The copy has its dictionaries and sets in another order.
        #expect(try coder.encode(restored) == data)
      }
    }
  }

  /// Its second member is written in turns with the first, as only a tree can hold.
  private struct ByTurns: Encodable {
    let state: State
    enum Key: CodingKey { case one, other }
    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      var one = container.nestedUnkeyedContainer(forKey: .one)
      var other = container.nestedUnkeyedContainer(forKey: .other)
      for _ in 0..<2 {
        try one.encode(state)
        try other.encode(state)
      }
    }
  }

  @Test func `equal states are equal bytes, however they are written`() throws {
    var maker = Maker(random: SeededGenerator(seed: 8))
    for coder in [ValueCoder(.foundation), ValueCoder(.readable)] {
      for _ in 0..<100 {
        let state = maker.state()
        let text = String(decoding: try coder.encode(state), as: UTF8.self)
        let byTurns = String(decoding: try coder.encode(ByTurns(state: state)), as: UTF8.self)
        #expect(byTurns == #"{"one":[\#(text),\#(text)],"other":[\#(text),\#(text)]}"#)
      }
    }
  }

  private func text<Key, Value: Codable>(
    _ coder: ValueCoder, _ table: [Key: Value]
  ) throws -> String where Key: Codable {
    String(decoding: try coder.encode(table), as: UTF8.self)
  }

  @Test func `the readable form is given up where it says less`() throws {
    let coder = ValueCoder(.readable)
    #expect(try text(coder, [Ticket.number(5): 1, .number(6): 2]) == #"{"5":1,"6":2}"#)
    #expect(try text(coder, [Ticket.text("a"): 1, .text("b"): 2]) == #"{"a":1,"b":2}"#)
    #expect(try text(coder, [Ticket.text("5"): 1]) == #"["5",1]"#)
    #expect(try text(coder, [Ticket.text("5"): 1, .number(5): 2]) == #"["5",1,5,2]"#)
    #expect(try text(coder, [Wind.south: 1, .east: 2]) == #"[{"east":{}},2,{"south":{}},1]"#)
    #expect(
      try text(coder, [Date(timeIntervalSinceReferenceDate: 0.5): 1])
        == #"{"2001-01-01T00:00:00.5Z":1}"#)
  }

  @Test(arguments: [
    (-0.3, "2000-12-31T23:59:59.7Z"), (-1.0, "2000-12-31T23:59:59Z"),
    (-978_307_200.25, "1969-12-31T23:59:59.75Z"), (700_000_000.1, "2023-03-08T20:26:40.1Z"),
    (-13_190_860_800.0, "1583-01-01T00:00:00Z"), (252_423_993_599.0, "9999-12-31T23:59:59Z"),
  ])
  func `a date before 2001 is as readable as one behind it`(seconds: Double, text: String) throws {
    let date = Date(timeIntervalSinceReferenceDate: seconds)
    let coder = ValueCoder(.readable)
    let data = try coder.encode(date)
    #expect(String(decoding: data, as: UTF8.self) == "\"\(text)\"")
    #expect(try coder.decode(Date.self, from: data) == date)
  }

  @Test func `dates are written as Foundation writes them`() throws {
    var random = SeededGenerator(seed: 9)
    let coder = ValueCoder(.readable)
    for _ in 0..<5_000 {
      let seconds = Double.random(in: -13_190_860_800..<252_423_993_600, using: &random).rounded(
        .down)
      let date = Date(timeIntervalSinceReferenceDate: seconds)
      let text = String(decoding: try coder.encode(date), as: UTF8.self)
      #expect(text == "\"\(date.formatted(Date.ISO8601FormatStyle()))\"")
    }
  }
}
