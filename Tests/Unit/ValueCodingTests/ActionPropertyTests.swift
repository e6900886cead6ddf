import Foundation
import JSONTree
import TestSupport
import Testing
import ValueCoding

/// Random actions of all shapes: the text shown for an action means that action when it comes back,
/// alone or as Redux writes it. With STATESURF_LONG=1 a hundred thousand of them.
@Suite struct ActionPropertyTests {
  private static let count =
    ProcessInfo.processInfo.environment["STATESURF_LONG"] == "1" ? 100_000 : 2_000

  /// Any JSON, as many apps have a type for.
  enum Anything: Codable, Hashable, Sendable {
    case null
    case flag(Bool)
    case number(Double)
    case text(String)
    case list([Anything])
    case members([String: Anything])

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if container.decodeNil() {
        self = .null
      } else if let value = try? container.decode(Bool.self) {
        self = .flag(value)
      } else if let value = try? container.decode(Double.self) {
        self = .number(value)
      } else if let value = try? container.decode(String.self) {
        self = .text(value)
      } else if let value = try? container.decode([Anything].self) {
        self = .list(value)
      } else {
        self = .members(try container.decode([String: Anything].self))
      }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch self {
      case .null: try container.encodeNil()
      case .flag(let value): try container.encode(value)
      case .number(let value): try container.encode(value)
      case .text(let value): try container.encode(value)
      case .list(let value): try container.encode(value)
      case .members(let value): try container.encode(value)
      }
    }
  }

  struct Item: Codable, Equatable, Sendable {
    var title: String?
    var count: Int?
  }

  /// Its member has the name used for a value without a label.
  struct Underscored: Codable, Equatable, Sendable {
    var _0: Int
    var more: Int?
  }

  enum Side: String, Codable, CaseIterable, Sendable { case left, right }

  enum Inner: Codable, Equatable, Sendable {
    case clear
    case type(String)
    case set(Anything)
    case rename(to: String)
  }

  indirect enum Action: Codable, Equatable, Sendable {
    case delete
    case type(String)
    case payload(payload: String)
    case one(Int)
    case maybe(Int?)
    case any(Anything)
    case anyMaybe(Anything?)
    case wide(Int128, UInt128)
    case two(Anything, Int)
    case twoMaybe(Int?, Anything?)
    case grid([[Int]], [Int])
    case list([Int?])
    case listMaybe([Int?]?)
    case table([String: Int])
    case tableMaybe([String: Anything]?)
    case counts([Side: Int])
    case sides(Set<Side>)
    case item(Item)
    case itemMaybe(Item?)
    case underscored(Underscored)
    case label(to: String)
    case labelMaybe(to: Item?)
    case move(from: Int, to: Int?)
    case mixed(Int, by: Item?, Double)
    case side(Side)
    case date(Date)
    case inner(Inner)
    case innerMaybe(Inner?)
    case child(action: Inner)
    case inners([Inner], [String: Inner])
    case again(Action)
  }

  private struct Maker {
    var random: SeededGenerator

    mutating func upTo(_ end: Int) -> Int { Int.random(in: 0..<end, using: &random) }
    mutating func maybe<Value>(_ make: (inout Maker) -> Value) -> Value? {
      upTo(3) == 0 ? nil : make(&self)
    }
    mutating func some<Value>(_ make: (inout Maker) -> Value) -> [Value] {
      (0..<upTo(4)).map { _ in make(&self) }
    }
    mutating func table<Value>(_ make: (inout Maker) -> Value) -> [String: Value] {
      Dictionary(some { ($0.word(), make(&$0)) }, uniquingKeysWith: { first, _ in first })
    }

    /// Words that have a meaning somewhere, above all.
    mutating func word() -> String {
      let words = [
        "_0", "_1", "type", "payload", "delete", "clear", "one", "to", "again.delete", "", "é", "0",
        "super", "null", "left",
      ]
      return words[upTo(words.count)]
    }

    mutating func item() -> Item { Item(title: maybe { $0.word() }, count: maybe { $0.upTo(9) }) }

    mutating func anything(_ depth: Int = 0) -> Anything {
      switch upTo(depth > 3 ? 4 : 7) {
      case 0: .flag(upTo(2) == 0)
      case 1: .number(Double(upTo(100)) / 4)
      case 2, 3: .text(word())
      case 4: .list(some { $0.anything(depth + 1) })
      default: .members(table { $0.anything(depth + 1) })
      }
    }

    mutating func inner() -> Inner {
      switch upTo(4) {
      case 0: .clear
      case 1: .type(word())
      case 2: .set(anything())
      default: .rename(to: word())
      }
    }

    mutating func side() -> Side { upTo(2) == 0 ? .left : .right }

    mutating func action(_ depth: Int = 0) -> Action {
      switch upTo(depth > 3 ? 30 : 31) {
      case 0: .delete
      case 1: .type(word())
      case 2: .payload(payload: word())
      case 3: .one(upTo(9))
      case 4: .maybe(maybe { $0.upTo(9) })
      case 5: .any(anything())
      case 6: .anyMaybe(maybe { $0.anything() })
      case 7: .wide(Int128(upTo(9)) - (1 << 100), UInt128(upTo(9)) + (1 << 120))
      case 8: .two(anything(), upTo(9))
      case 9: .twoMaybe(maybe { $0.upTo(9) }, maybe { $0.anything() })
      case 10: .grid(some { $0.some { $0.upTo(9) } }, some { $0.upTo(9) })
      case 11: .list(some { $0.maybe { $0.upTo(9) } })
      case 12: .listMaybe(maybe { $0.some { $0.maybe { $0.upTo(9) } } })
      case 13: .table(table { $0.upTo(9) })
      case 14: .tableMaybe(maybe { $0.table { $0.anything() } })
      case 15:
        .counts(
          Dictionary(some { ($0.side(), $0.upTo(9)) }, uniquingKeysWith: { first, _ in first }))
      case 16: .sides(Set(some { $0.side() }))
      case 17: .item(item())
      case 18: .itemMaybe(maybe { $0.item() })
      case 19: .underscored(Underscored(_0: upTo(9), more: maybe { $0.upTo(9) }))
      case 20: .label(to: word())
      case 21: .labelMaybe(to: maybe { $0.item() })
      case 22: .move(from: upTo(9), to: maybe { $0.upTo(9) })
      case 23: .mixed(upTo(9), by: maybe { $0.item() }, Double(upTo(9)))
      case 24: .side(side())
      case 25: .date(Date(timeIntervalSinceReferenceDate: Double(upTo(2_000_000_000)) - 1e9 + 0.3))
      case 26: .inner(inner())
      case 27: .innerMaybe(maybe { $0.inner() })
      case 28: .child(action: inner())
      case 29: .inners(some { $0.inner() }, table { $0.inner() })
      default: .again(action(depth + 1))
      }
    }
  }

  /// As Redux has it: the case is the type, and its values are the payload.
  private func redux(_ json: JSON) -> JSON {
    guard let object = json.object, let case1 = object.members.first else {
      return ["type": json]
    }
    return ["type": .string(case1.key), "payload": case1.value]
  }

  @Test func `what is shown of an action is that action`() throws {
    var maker = Maker(random: SeededGenerator(seed: 6))
    let coders = [ValueCoder(.foundation), ValueCoder(.readable)]
    for _ in 0..<Self.count {
      let action = maker.action()
      for coder in coders {
        let shown = try JSON(parsing: try coder.bytes(ofAction: action))
        let text = "\(action), shown as \(shown.text())"
        #expect(try coder.decodeAction(Action.self, from: shown) == action, "\(text)")
        #expect(try coder.decodeAction(Action.self, from: redux(shown)) == action, "\(text), Redux")
      }
    }
  }

  private enum Typer: Codable, Equatable {
    case type(String)
    case delete
  }

  private func typer(_ text: String) throws -> Typer {
    try ValueCoder(.foundation).decodeAction(Typer.self, from: JSON(parsing: Array(text.utf8)))
  }

  @Test func `a case named type is not taken for the type of Redux`() throws {
    #expect(try typer(#"{"type":"delete"}"#) == .delete)
    #expect(try typer(#"{"type":"type","payload":"delete"}"#) == .type("delete"))
    #expect(try typer(#"{"type":{"_0":"delete"}}"#) == .type("delete"))
    #expect(throws: DecodingError.self) { try typer(#"{"type":"delet"}"#) }
  }

  private enum Strict: Codable, Equatable {
    case clear
    case table([String: [Int]?])
    case pair(Int, String?)
    case move(from: Int, to: Int)
    case span(from: Int?, to: Int?)
    case label(to: String?)
    case set(Anything)
  }

  @Test(arguments: [
    #"{"clear":5}"#, #"{"clear":{"a":1}}"#, #"{"clear":[]}"#, #"{"table":"a"}"#,
    #"{"table":["a",1]}"#, #"{"pair":[1,"x",2]}"#, #"{"pair":1}"#, #"{"pair":{"a":1}}"#,
    #"{"move":5}"#, #"{"move":{"from":1,"to":2,"by":3}}"#, #"{"span":5}"#, #"{"span":{"by":5}}"#,
    #"{"pair":{"_0":1,"_1":"x","_2":3}}"#, #"{"type":"clear","payload":1}"#, #""table""#,
    #"{"set":{"_0":1},"clear":{}}"#, #"{"move":[1]}"#, #"{"move":[1,2,3]}"#, #"{"move":[1,"x"]}"#,
  ])
  func `what is not written so is refused`(text: String) {
    for coder in [ValueCoder(.foundation), ValueCoder(.readable)] {
      #expect(throws: DecodingError.self) {
        try coder.decodeAction(Strict.self, from: JSON(parsing: Array(text.utf8)))
      }
    }
  }

  @Test(arguments: [
    (#"{"clear":null}"#, Strict.clear), (#"{"clear":{}}"#, .clear),
    (#"{"pair":[1]}"#, .pair(1, nil)), (#"{"move":[1,2]}"#, .move(from: 1, to: 2)),
    (#"{"span":[1]}"#, .span(from: 1, to: nil)), (#"{"span":[null,2]}"#, .span(from: nil, to: 2)),
    (#"{"pair":[1,null]}"#, .pair(1, nil)), (#"{"label":"x"}"#, .label(to: "x")),
    (#"{"label":null}"#, .label(to: nil)), (#"{"label":{}}"#, .label(to: nil)),
    (#""label""#, .label(to: nil)), (#"{"span":{}}"#, .span(from: nil, to: nil)),
    (#"{"set":{"_0":{"_0":1}}}"#, .set(.members(["_0": .number(1)]))),
    (#"{"set":{"_0":1,"a":2}}"#, .set(.members(["_0": .number(1), "a": .number(2)]))),
  ])
  private func `what may be left out may be left out`(text: String, action: Strict) throws {
    let coder = ValueCoder(.foundation)
    #expect(try coder.decodeAction(Strict.self, from: JSON(parsing: Array(text.utf8))) == action)
  }
}
