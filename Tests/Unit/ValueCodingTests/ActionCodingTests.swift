import Foundation
import JSONTree
import Testing
import ValueCoding

/// Actions are written as people write them, and read back.
@Suite struct ActionCodingTests {
  struct Item: Codable, Equatable, Sendable {
    var title = "milk"
    var kind = Kind.open
  }

  enum Kind: String, Codable {
    case open
    case done = "DONE"
  }

  enum Inner: Codable, Equatable, Sendable {
    case clear
    case add(Item)
  }

  indirect enum Action: Codable, Equatable, Sendable {
    case stop
    case name(String)
    case tags([Int])
    case pair([Int], [Int])
    case move(from: Int, to: Int)
    case mixed(Int, by: Int?, Double)
    case item(Item)
    case maybe(Item?)
    case inner(Inner)
    case child(action: Inner)
    case kind(Kind)
    case date(Date)
    case table([UUID: Inner])
    case list([Inner?])
    case again(Action)
  }

  static let id = UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F") ?? UUID()

  static let actions: [(Action, String)] = [
    (.stop, #""stop""#), (.name("x"), #"{"name":"x"}"#), (.tags([1, 2]), #"{"tags":[1,2]}"#),
    (.pair([1], [2]), #"{"pair":[[1],[2]]}"#),
    (.move(from: 1, to: 2), #"{"move":{"from":1,"to":2}}"#),
    (.mixed(1, by: nil, 0.5), #"{"mixed":{"_0":1,"_2":0.5,"by":null}}"#),
    (.item(Item()), #"{"item":{"kind":"open","title":"milk"}}"#),
    (.maybe(nil), #"{"maybe":null}"#),
    (.maybe(Item()), #"{"maybe":{"kind":"open","title":"milk"}}"#),
    (.inner(.clear), #"{"inner":"clear"}"#),
    (.inner(.add(Item())), #"{"inner":{"add":{"kind":"open","title":"milk"}}}"#),
    (.child(action: .clear), #"{"child":{"action":"clear"}}"#), (.kind(.done), #"{"kind":"DONE"}"#),
    (.list([.clear, nil]), #"{"list":["clear",null]}"#),
    (.again(.again(.inner(.clear))), #"{"again":{"again":{"inner":"clear"}}}"#),
  ]

  private func text(_ action: Action, _ coder: ValueCoder) throws -> String {
    String(decoding: try coder.bytes(ofAction: action), as: UTF8.self)
  }

  private func action(_ text: String, _ coder: ValueCoder) throws -> Action {
    try coder.decodeAction(Action.self, from: try JSON(parsing: Array(text.utf8)))
  }

  @Test(arguments: actions)
  func `An enum is written in the short form, and read back`(action: Action, text: String) throws {
    for coder in [ValueCoder(.foundation), ValueCoder(.readable)] {
      #expect(try self.text(action, coder) == text)
      #expect(try self.action(text, coder) == action)
      // The compiler's own spelling means the same.
      let long = String(decoding: try coder.encode(action), as: UTF8.self)
      #expect(try self.action(long, coder) == action)
    }
  }

  @Test func `values of a case may come in order, whatever their labels`() throws {
    for coder in [ValueCoder(.foundation), ValueCoder(.readable)] {
      #expect(try action(#"{"mixed":[1,2,0.5]}"#, coder) == .mixed(1, by: 2, 0.5))
      #expect(try action(#"{"mixed":[1,null,0.5]}"#, coder) == .mixed(1, by: nil, 0.5))
      #expect(
        try action(#"{"type":"move","payload":[1,2]}"#, coder) == .move(from: 1, to: 2))
      // One value may be a list itself.
      #expect(try action(#"{"tags":[1,2]}"#, coder) == .tags([1, 2]))
    }
  }

  @Test func `Dates and keys stay as the coder writes them`() throws {
    let date = Date(timeIntervalSinceReferenceDate: 700_000_000.5)
    let coder = ValueCoder(.readable)
    #expect(try text(.date(date), coder) == #"{"date":"2023-03-08T20:26:40.5Z"}"#)
    #expect(try text(.date(date), ValueCoder(.foundation)) == #"{"date":700000000.5}"#)
    #expect(
      try text(.table([Self.id: .clear]), coder) == #"{"table":{"\#(Self.id)":"clear"}}"#)
    for coder in [ValueCoder(.foundation), coder] {
      for one in [Action.date(date), .table([Self.id: .clear])] {
        #expect(try action(try text(one, coder), coder) == one)
      }
    }
  }

  @Test func `What the limit allows is read back`() throws {
    let deep = (0..<490).reduce(Action.stop) { action, _ in .again(action) }
    let coder = ValueCoder(.foundation)
    #expect(try action(try text(deep, coder), coder) == deep)
    let deeper = (0..<12_000).reduce(Action.stop) { action, _ in .again(action) }
    #expect(throws: TooDeep.self) { try text(deeper, coder) }
  }

  @Test(arguments: [
    #""fly""#, #""name""#, "{}", #"{"stop":{},"name":"x"}"#, #"{"name":5}"#,
    #"{"move":{"from":1}}"#,
    #"{"pair":[[1]]}"#, #"{"kind":"done"}"#, "5", "null", "[]",
  ])
  func `What is no action is an error`(text: String) {
    for coder in [ValueCoder(.foundation), ValueCoder(.readable)] {
      #expect(throws: DecodingError.self) { try action(text, coder) }
    }
  }

  private enum Tagged: Codable, Equatable {
    case open
    enum Key: CodingKey { case type, more }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      #expect(try container.decode(String.self, forKey: .type) == "open")
      var more = try container.nestedUnkeyedContainer(forKey: .more)
      #expect(try more.decode(Int.self) == 1)
      self = .open
    }

    init() { self = .open }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      try container.encode("open", forKey: .type)
      var more = container.nestedUnkeyedContainer(forKey: .more)
      try more.encode(1)
    }
  }

  @Test func `An enum that encodes itself is written so`() throws {
    let coder = ValueCoder(.foundation)
    let bytes = try coder.bytes(ofAction: [Tagged()])
    #expect(String(decoding: bytes, as: UTF8.self) == #"[{"more":[1],"type":"open"}]"#)
    let json = try JSON(parsing: bytes)
    #expect(try coder.decodeAction([Tagged].self, from: json) == [Tagged()])
  }
}
