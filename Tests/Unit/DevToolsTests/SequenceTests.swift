import DevTools
import Foundation
import JSONTree
import SurfStore
import SurfThreads
import SwiftRexStyle
import TestSupport
import Testing

/// An app that keeps what concerns DevTools, and shows it to no panel.
private struct Word: Codable, Equatable, Sendable {
  var text = ""
  var devTools = DevToolsState.initial

  enum CodingKeys: CodingKey { case text }
}

private enum Spelling: Codable, Sendable {
  case letter(String)
  case devTools(DevToolsAction)

  init(from decoder: any Decoder) throws {
    self = .letter(try decoder.singleValueContainer().decode(String.self))
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if case .letter(let letter) = self { try container.encode(letter) }
  }

  var devTools: DevToolsAction? { if case .devTools(let action) = self { action } else { nil } }
}

private let spelling =
  Reducer<Spelling, Word>.reduce { action, word in
    if case .letter(let letter) = action { word.text += letter }
  }
  <> DevToolsState.reducer.lift(action: \.devTools, state: \.devTools)

private func shown(_ text: String) -> JSON { .string("{\"text\":\"\(text)\"}") }

/// The state of DevTools, and the app's copy of it.
private struct Both {
  var tools = DevToolsState()
  var own = DevToolsState()

  /// Apart from what only DevTools knows.
  var agree: Bool {
    var own = own
    own.isExact = tools.isExact
    own.refusedActionCount = tools.refusedActionCount
    (own.rejection, own.failure) = (tools.rejection, tools.failure)
    return own == tools
  }
}

/// An app, and a panel that presses its buttons, against the model.
private final class Panel {
  private let relay: FakeRelay
  private let tools: DevTools<Spelling, Word>
  private let states = Monitor(Both())
  private let subscription: Subscription
  private let ownSubscription: Subscription
  private var model: Model
  private var random: SeededGenerator
  private var barrier = 0

  init(isExact: Bool, seed: UInt64) throws {
    relay = try FakeRelay()
    model = Model(isExact: isExact)
    random = SeededGenerator(seed: seed)
    let environment = DevToolsEnvironment.live(
      for: Word.self, instanceId: "word",
      connectionMode: .connectOnLaunch(host: "127.0.0.1", port: relay.port))
    tools =
      isExact
      ? DevTools(
        initial: Word(), reducer: spelling, environment: environment,
        extractDevToolsAction: \.devTools, embedDevToolsAction: { Spelling.devTools($0) },
        devToolsState: \Word.devTools)
      : DevTools(
        Store(initial: Word(), reducer: spelling), environment: environment,
        extractDevToolsAction: \.devTools, embedDevToolsAction: { Spelling.devTools($0) },
        devToolsState: \Word.devTools)
    let states = states
    subscription = tools.subscribe { state in states.withLock { $0.tools = state } }
    ownSubscription = tools.store.subscribe { word in
      states.withLock { $0.own = word.devTools }
    }
    tools.dispatch(.activate)
    _ = try relay.frames("INIT")
  }

  /// Whether all went as the model says.
  func play(_ count: Int) throws -> Bool {
    for step in 0..<count {
      let move = move()
      guard try check("step \(step), \(move): \(model)") else { return false }
    }
    return true
  }

  private func number(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }

  private func letter() -> String { String("abcdefgh".randomElement(using: &random)!) }

  private func say(_ type: String, _ members: [String: JSON] = [:]) {
    var object = JSONObject([.init(key: "type", value: .string(type))])
    for (key, value) in members { object[key] = value }
    relay.say(.object(object))
  }

  /// Presses a button of the panel, or has the app do the same: among its own actions, or through
  /// DevTools.
  private func press(_ action: DevToolsAction, _ type: String, _ members: [String: JSON] = [:]) {
    switch number(4) {
    case 0: tools.store.dispatch(.devTools(action))
    case 1: tools.dispatch(action)
    default: say(type, members)
    }
  }

  private func move() -> String {
    let row = number(model.steps.count + 2)
    switch number(24) {
    case 0..<8:
      let letter = letter()
      model.act(letter)
      tools.store.dispatch(.letter(letter))
      return "act \(letter)"
    case 8..<11:
      model.jump(row)
      press(.jumpToAction(row), "JUMP_TO_ACTION", ["actionId": .number(row)])
      return "jump \(row)"
    case 11..<15:
      model.toggle(row)
      press(.toggleAction(row), "TOGGLE_ACTION", ["id": .number(row)])
      return "toggle \(row)"
    case 15, 16: return reorder(row)
    case 17:
      model.sweep()
      press(.sweep, "SWEEP")
      return "sweep"
    case 18: return begin()
    case 19:
      let letter = letter()
      model.act(letter)
      say("ACTION", ["action": .string("'\(letter)'")])
      return "dispatch \(letter)"
    case 20, 21:
      model.isPaused.toggle()
      let status: JSON = .bool(model.isPaused)
      press(model.isPaused ? .pause : .resume, "PAUSE_RECORDING", ["status": status])
      return "pause \(model.isPaused)"
    case 22 where model.isExact:
      model.isLocked.toggle()
      let status: JSON = .bool(model.isLocked)
      press(model.isLocked ? .lockChanges : .unlockChanges, "LOCK_CHANGES", ["status": status])
      return "lock \(model.isLocked)"
    default: return take()
    }
  }

  private func reorder(_ row: Int) -> String {
    let other = number(3) == 0 ? nil : number(model.steps.count + 2)
    model.move(row, before: other)
    say(
      "REORDER_ACTION",
      ["actionId": .number(row)]
        .merging(other.map { ["beforeActionId": .number($0)] } ?? [:]) { $1 })
    return "move \(row) before \(other ?? -1)"
  }

  private func begin() -> String {
    switch number(3) {
    case 0:
      model.begin(with: model.text)
      press(.commit, "COMMIT")
      return "commit"
    case 1:
      model.begin(with: model.checkpoint)
      press(.rollback, "ROLLBACK")
      return "rollback"
    default:
      model.begin(with: "")
      press(.reset, "RESET")
      return "reset"
    }
  }

  private func take() -> String {
    let start = letter()
    let letters = (0..<number(4)).map { _ in number(4) == 0 ? nil : letter() }
    let place = number(letters.count + 1)
    model.take(start, letters, at: place)
    let actions = letters.enumerated().map { index, letter in
      JSONObject.Member(
        key: "\(index + 1)", value: ["action": letter.map { .string($0) } ?? ["a": 1, "b": 2]])
    }
    let states = [start] + model.steps.map(\.recorded)
    say(
      "IMPORT_STATE",
      [
        "nextLiftedState": [
          "actionsById": .object(JSONObject(actions)),
          "computedStates": .array(states.map { ["state": ["text": .string($0)]] }),
          "stagedActionIds": .array(states.indices.map { .number($0) }),
          "currentStateIndex": .number(place),
        ]
      ])
    return "import \(letters) on \(start) at \(place)"
  }

  /// Requests the whole history again, after all steps so far, and compares.
  private func check(_ step: String) throws -> Bool {
    let told = try tell()
    let expected =
      [shown(model.committed)] + model.steps.map { shown(model.state($0)) }
    #expect(told == expected, "\(step)")
    #expect(tools.store.state.text == model.text, "\(step)")
    let skipped = Set(model.steps.indices.filter { model.steps[$0].isSkipped }.map { $0 + 1 })
    let isShown = states.wait(until: monotonicNow() + patience) { [model] both in
      let state = both.tools
      return both.agree && state.currentActionIndex == model.index
        && state.skippedActionIds == skipped
        && state.isPaused == model.isPaused && state.isLocked == model.isLocked
        && state.isExact == model.isExact
    }
    #expect(isShown, "\(step): \(tools.state), and the app: \(tools.store.state.devTools)")
    return isShown && told == expected && tools.store.state.text == model.text
  }

  /// The states of the history that the panel receives. The first barrier reaches the thread of
  /// `DevTools` after all that the app did, and the second after all that the panel asked for.
  private func tell() throws -> [JSON?] {
    _ = try pass { tools.dispatch(._received(.unknown($0))) }
    say("START")
    let frames = try pass { say($0) }
    let first = try #require(frames.lastIndex { $0["type"] == "INIT" })
    return frames[first...].filter { $0["type"] != "ERROR" }.map { $0["payload"] }
  }

  private func pass(_ send: (String) -> Void) throws -> [JSON] {
    barrier += 1
    let word = "barrier \(barrier)"
    send(word)
    let came = relay.log.wait(until: monotonicNow() + patience) { log in
      // Behind it may stand what a button came to that was pressed before.
      log.frames.reversed().contains { $0["payload"]?.string?.contains("'\(word)'") ?? false }
    }
    try #require(came, "\(word)")
    return relay.frames
  }
}

extension WithRelay {
  /// Sequences of buttons: single ones are in `CommandTests`.
  @Suite struct SequenceTests {
    /// A thousand in the long mode.
    static let seeds: Range<UInt64> =
      0..<(ProcessInfo.processInfo.environment["STATESURF_LONG"] == "1" ? 1_000 : 30)

    @Test(arguments: [true, false])
    func `Whatever is pressed, the app is where the model says`(isExact: Bool) throws {
      for seed in Self.seeds {
        guard try Panel(isExact: isExact, seed: seed).play(40) else {
          Issue.record("with seed \(seed)")
          return
        }
      }
    }
  }
}
