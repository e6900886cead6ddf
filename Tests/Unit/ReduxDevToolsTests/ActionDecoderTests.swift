import Foundation
import JSONTree
import ReduxDevTools
import SurfControl
import Testing

/// How people write actions: in a panel, in a shell, in a file.
@Suite struct ActionDecoderTests {
  private enum Action: Codable, Equatable {
    case clear
    case add(String)
    case edit(Int, String)
    case move(from: Int, to: Int)
    case tags([Int])
    case filter(Filter)
    case stamp(Point)
    case lists(Lists)
    case maybe(Point?)

    enum Lists: Codable, Equatable {
      case sort
      case rename(Int, to: String)
      case only(on: Filter)
    }
  }

  private enum Filter: String, Codable, CaseIterable { case all, open, done }
  private struct Point: Codable, Equatable { var x: Int }
  private enum Lamp: String, Codable, CaseIterable { case on, off }
  private struct Payment: Codable { var type: String, amount: Int }

  private struct Undecodable {}

  private enum Planting: Codable {
    case plant(UUID, name: String)
    case row(of: [Tree], at: Point, Bool)
    case weather(Weather, note: String)
  }
  private enum Weather: Codable {
    case sun
    case rain(Double)
  }
  private final class Tree: Codable { var branches: [Tree] = [], root: Tree? }
  private struct Ring: Codable { var next: Rope }
  private final class Rope: Codable { var ring: Ring }
  private enum Knot: Codable { case tie(Ring, Int) }

  private func action(_ text: String) throws(RefusedCommand) -> Action {
    try ActionDecoder.decode(try ActionDecoder.parse(text), as: Action.self)
  }

  @Test(arguments: [
    ("clear", Action.clear), ("'clear'", .clear), (#"{"clear":{}}"#, .clear),
    ("{type: 'clear'}", .clear), (#"{"add":"milk"}"#, .add("milk")),
    ("{add: {_0: 'milk'}}", .add("milk")), ("{type: 'add', payload: 'milk'}", .add("milk")),
    ("{move: {from: 1, to: 2}}", .move(from: 1, to: 2)),
    ("{type: 'move', from: 1, to: 2}", .move(from: 1, to: 2)),
    ("{type: 'move', payload: {from: 1, to: 2}}", .move(from: 1, to: 2)),
    ("{edit: [1, 'x']}", .edit(1, "x")), ("{type: 'edit', payload: [1, 'x']}", .edit(1, "x")),
    ("{tags: [1, 2]}", .tags([1, 2])), ("{maybe: {x: 1}}", .maybe(Point(x: 1))),
    ("{maybe: null}", .maybe(nil)), ("{maybe: {}}", .maybe(nil)), ("maybe", .maybe(nil)),
    ("'lists.sort'", .lists(.sort)), ("{lists: 'sort'}", .lists(.sort)),
    ("{lists: {sort: {}}}", .lists(.sort)), ("{lists: {_0: {sort: {}}}}", .lists(.sort)),
    ("{type: 'lists.sort'}", .lists(.sort)), ("{type: 'lists', payload: 'sort'}", .lists(.sort)),
    ("{type: 'lists.rename', _0: 1, to: 'x'}", .lists(.rename(1, to: "x"))),
    ("{type: 'lists.rename', payload: {_0: 1, to: 'x'}}", .lists(.rename(1, to: "x"))),
    ("{'lists.rename': {_0: 1, to: 'x'}}", .lists(.rename(1, to: "x"))),
    ("{type: 'lists.only.done'}", .lists(.only(on: .done))),
    ("{lists: {only: {on: 'done'}}}", .lists(.only(on: .done))),
  ])
  private func anActionIsWrittenInManyWays(text: String, expected: Action) throws {
    #expect(try action(text) == expected)
  }

  @Test(arguments: [
    ("{type:", "no action can be made of this: "), ("", "no action can be made of this: "),
    ("alert(1)", "no action can be made of this: "),
    ("fly", #""fly" cannot be read as Action: there is no action "fly""#),
    (
      "{add: 5}",
      #"{"add":5} cannot be read as Action: add: Expected to decode String but found number instead"#
        + #"; write {"add":<String>}"#
    ),
    (
      "add",
      #""add" cannot be read as Action: add: its value is missing; write {"add":<String>}"#
    ),
    (
      "{filter: 'maybe'}",
      #"{"filter":"maybe"} cannot be read as Action: filter: Cannot initialize Filter from invalid "#
        + #"String value maybe; write {"filter":<all|open|done>}"#
    ),
    (
      "{type: 'move', from: 1}",
      #"{"type":"move","from":1} cannot be read as Action: move: no value for "to"; "#
        + #"write {"move":{"from":<Int>,"to":<Int>}}"#
    ),
    (
      "{edit: [1]}",
      #"{"edit":[1]} cannot be read as Action: edit: value 2 is missing; "#
        + #"write {"edit":[<Int>,<String>]}"#
    ),
    (
      "{stamp: {x: 'a'}}",
      #"{"stamp":{"x":"a"}} cannot be read as Action: stamp.x: Expected to decode Int but found "#
        + #"a string instead; write {"stamp":<Point>}"#
    ),
    ("5", "5 cannot be read as Action: "),
  ])
  func whatIsNoneIsRefusedWithTheReason(text: String, reason: String) {
    #expect {
      try action(text)
    } throws: {
      "\($0)".hasPrefix(reason)
    }
  }

  private func refusal<Action>(_ text: String, _ type: Action.Type, _ names: String...) -> String {
    let offered = names.map { ActionSignature(name: $0, arguments: $0 == "pay" ? ["_"] : []) }
    do throws(RefusedCommand) {
      _ = try ActionDecoder.decode(try ActionDecoder.parse(text), as: type, offered: offered)
      return "taken"
    } catch {
      return error.description
    }
  }

  @Test func whoAsksForAnotherIsToldWhichThereAre() {
    #expect(
      refusal("fly", Action.self, "clear", "add", "filter")
        == #""fly" cannot be read as Action: there is no action "fly"; there are "#
        + #""clear", {"add":<String>}, {"filter":<all|open|done>}"#)
    #expect(
      refusal("dim", Lamp.self, "on", "off")
        == #""dim" cannot be read as Lamp: there is no action "dim"; there are "on", "off""#)
    #expect(
      refusal("{type: 'pay'}", Payment.self, "pay")
        == #"{"type":"pay"} cannot be read as Payment: no value for "amount"; "#
        + #"there are {"pay":<…>}"#)
    #expect(
      refusal("{type: 'pay'}", Payment.self)
        == #"{"type":"pay"} cannot be read as Payment: no value for "amount""#)
    #expect(refusal("{a: 1, b: 2}", Action.self, "clear").hasSuffix(#"; there are "clear""#))
  }

  /// To ask for a value, the decoder must first build those before it. For some types it cannot.
  @Test(arguments: [
    ("plant", #"{"plant":{"_0":<UUID>,"name":<String>}}"#),
    ("row", #"{"row":{"of":<Array<Tree>>,"at":<Point>,"_2":<Bool>}}"#),
    ("weather", #"{"weather":{"_0":<Weather>,…}}"#),
    ("tie", #"{"tie":{"_0":<Ring>,…}}"#),
  ])
  func theFormNamesAllValues(name: String, form: String) {
    let refusal =
      name == "tie" ? refusal("tie", Knot.self) : refusal(name, Planting.self)
    #expect(refusal.hasSuffix("; write \(form)"), "\(refusal)")
  }

  @Test func whatCannotBeReadIsRefusedForThatReason() {
    #expect {
      try ActionDecoder.decode("x", as: Undecodable.self)
    } throws: {
      "\($0)".contains("is not Decodable")
    }
  }
}
