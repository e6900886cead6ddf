import DevTools
import Foundation
import JSONTree
import SurfStore
import SurfThreads
import TestSupport
import Testing

private struct Word: Codable, Equatable, Sendable { var text = "" }

private let spelling = Reducer<String, Word>.reduce { letter, word in word.text += letter }

private func shown(_ text: String) -> JSON { .string("{\"text\":\"\(text)\"}") }

/// An app, and a panel that presses its buttons, against the model.
private final class Panel {
  private let relay: FakeRelay
  private let tools: DevTools<String, Word>
  private let states = Monitor(DevToolsState())
  private let subscription: DevToolsSubscription
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
      ? DevTools(initial: Word(), reducer: spelling, environment: environment)
      : DevTools(Store(initial: Word(), reducer: spelling), environment: environment)
    let states = states
    subscription = tools.subscribe { state in states.withLock { $0 = state } }
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

  private func move() -> String {
    let row = number(model.steps.count + 2)
    switch number(24) {
    case 0..<8:
      let letter = letter()
      model.act(letter)
      tools.store.dispatch(letter)
      return "act \(letter)"
    case 8..<11:
      model.jump(row)
      say("JUMP_TO_ACTION", ["actionId": .number(row)])
      return "jump \(row)"
    case 11..<15:
      model.toggle(row)
      say("TOGGLE_ACTION", ["id": .number(row)])
      return "toggle \(row)"
    case 15, 16: return reorder(row)
    case 17:
      model.sweep()
      say("SWEEP")
      return "sweep"
    case 18: return begin()
    case 19:
      let letter = letter()
      model.act(letter)
      say("ACTION", ["action": .string("'\(letter)'")])
      return "dispatch \(letter)"
    case 20, 21:
      model.isPaused.toggle()
      say("PAUSE_RECORDING", ["status": .bool(model.isPaused)])
      return "pause \(model.isPaused)"
    case 22 where model.isExact:
      model.isLocked.toggle()
      say("LOCK_CHANGES", ["status": .bool(model.isLocked)])
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
      say("COMMIT")
      return "commit"
    case 1:
      model.begin(with: model.checkpoint)
      say("ROLLBACK")
      return "rollback"
    default:
      model.begin(with: "")
      say("RESET")
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

  /// Has all be told once more, behind what was done, and compares.
  private func check(_ step: String) throws -> Bool {
    let told = try tell()
    let expected =
      [shown(model.committed)] + model.steps.map { shown(model.state($0)) }
    #expect(told == expected, "\(step)")
    #expect(tools.store.state.text == model.text, "\(step)")
    let skipped = Set(model.steps.indices.filter { model.steps[$0].isSkipped }.map { $0 + 1 })
    let isShown = states.wait(until: monotonicNow() + patience) { [model] state in
      state.currentActionIndex == model.index && state.skippedActionIds == skipped
        && state.isPaused == model.isPaused && state.isLocked == model.isLocked
        && state.isExact == model.isExact
    }
    #expect(isShown, "\(step): \(tools.state)")
    return isShown && told == expected && tools.store.state.text == model.text
  }

  /// The states of the history as the panel is told them. What the app did came to the thread of
  /// `DevTools` before the first of these, and what the panel wants before the second.
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
