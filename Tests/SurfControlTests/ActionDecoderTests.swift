import JSONTree
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
  }

  private struct Undecodable {}

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
    ("{tags: [1, 2]}", .tags([1, 2])),
  ])
  private func anActionIsWrittenInManyWays(text: String, expected: Action) throws {
    #expect(try action(text) == expected)
  }

  @Test(arguments: [
    ("{type:", "no action can be made of this: "), ("", "no action can be made of this: "),
    ("alert(1)", "no action can be made of this: "),
    ("fly", "no Action is written \"fly\": "), ("{add: 5}", "no Action is written {\"add\":5}: "),
  ])
  func whatIsNoneIsRefusedWithTheReason(text: String, reason: String) {
    #expect {
      try action(text)
    } throws: {
      "\($0)".hasPrefix(reason)
    }
  }

  @Test func whatCannotBeReadIsRefusedForThatReason() {
    #expect {
      try ActionDecoder.decode("x", as: Undecodable.self)
    } throws: {
      "\($0)".contains("is not Decodable")
    }
  }
}
