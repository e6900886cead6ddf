import Foundation
import JSONTools
import JSONTree
import SurfDebugger
import SurfTerminal
import SurfTimeline
import SurfViewer
import SurfWire
import TerminalScreen
import TestSupport
import Testing

/// The command that the debugger copies, as a shell and the command's own parser read it.
@Suite struct CopiedCommandTests {
  private static let letters = Array(
    "ab-~'\"\\$`! .[]#@*;&|<>(){}?=%\n\t\u{1B}\u{7F}é漢\u{301}🏻\u{202E}0"
  )
  .flatMap { Array($0.unicodeScalars) }

  private func text(_ random: inout SeededGenerator) -> String {
    var text = ""
    for _ in 0..<Int.random(in: 1...6, using: &random) {
      text.unicodeScalars.append(Self.letters.randomElement(using: &random) ?? "a")
    }
    return text
  }

  private func reach(_ random: inout SeededGenerator) -> [String] {
    let all = [
      ["--interface", ["lo", "eth0", "it's $x"].randomElement(using: &random) ?? ""],
      ["--group", "239.1.2.3"],
      ["--port", "\(Int.random(in: 1_024...60_000, using: &random))"],
      ["--realm", ["", "*", "o'b $HOME"].randomElement(using: &random) ?? ""], ["--no-dnssd"],
    ]
    return all.filter { _ in Bool.random(using: &random) }.flatMap(\.self)
  }

  private func debugger(_ words: [String]) throws -> DebuggerOptions {
    try #require(try ArgumentParser.parse(words).command as? DebuggerOptions)
  }

  @Test func `a shell runs what was copied, over the same apps, whatever their names and places`()
    throws
  {
    var random = SeededGenerator(seed: 41)
    var samples: [(key: String, reach: [String], desk: CopyDesk, text: String)] = []
    for _ in 0..<150 {
      let (key, reach) = (text(&random), reach(&random))
      let surf = try debugger(["surf"] + reach)
      var desk = CopyDesk(reach: surf.reach, names: [text(&random), text(&random)])
      let states = [1, 2].map { JSON.object(JSONObject([.init(key: key, value: .number($0))])) }
      desk.record(states[0], states[1])
      desk.press("]", "Tab", "Down")
      samples.append((key, reach, desk, desk.copied ?? ""))
    }
    let script = samples.map { $0.text.replacing("statesurf ", with: "take ", maxReplacements: 1) }
    let commands = try shell(script)
    #expect(commands.count == samples.count)
    for (sample, words) in zip(samples, commands) {
      let invocation = try ArgumentParser.parse(words)
      let common = invocation.common
      guard case .show(let show)? = invocation.command as? TargetTask else {
        Issue.record("\(sample.text) is something else")
        continue
      }
      let row = RowReference.number(2)
      let path = JSONPath([.key(sample.key)])
      #expect(show.row == row && show.path == path, "\(sample.text)")
      let wanted = try ArgumentParser.parse(["surf"] + sample.reach).common
      #expect(common.interface == wanted.interface && common.port == wanted.port)
      #expect(common.group == wanted.group && common.realms == wanted.realms)
      #expect(common.browsesDNSSD == wanted.browsesDNSSD)
      guard case .one(let found) = sample.desk.catalog.find(common.instance) else {
        Issue.record("\(sample.text) finds no app")
        continue
      }
      let session = CopyDesk.session
      #expect(found.session == session, "\(sample.text)")
      // A terminal must not take any part of it for a command.
      #expect(sample.text.unicodeScalars.allSatisfy { $0 >= " " && $0 != "\u{7F}" })
    }
  }

  @Test func `what the environment says is written out`() throws {
    let environment = ["STATESURF_PORT": "9000", "STATESURF_INTERFACE": "lo"]
    let file = SettingsFile("realm = lab\nport = 7000\n", path: "/s")
    let invocation = try ArgumentParser.parse(
      ["surf", "--group", "239.1.2.3"], environment: environment, settings: file)
    let words = "--interface lo --group 239.1.2.3 --port 9000 --realm lab"
    let surf = try #require(invocation.command as? DebuggerOptions)
    #expect(surf.reach.joined(separator: " ") == words)
  }

  /// A shell's reading of the commands: for each, the words after `take`.
  private func shell(_ commands: [String]) throws -> [[String]] {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    let take = "take() { printf '%s\\0' \"$@\"; printf '\\001\\0'; }"
    process.arguments = ["-c", ([take] + commands).joined(separator: "\n")]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let bytes = [UInt8](pipe.fileHandleForReading.readDataToEndOfFile())
    process.waitUntilExit()
    let words = bytes.split(separator: 0, omittingEmptySubsequences: false).map {
      String(decoding: $0, as: UTF8.self)
    }
    return words.dropLast().split(separator: "\u{1}").map(Array.init)
  }
}

/// A debugger over two apps, and what it copies.
private struct CopyDesk {
  static let session = SessionID(rawValue: 1)
  private(set) var catalog = Catalog()
  private var debugger: Debugger

  init(reach: [String], names: [String]) {
    var setting = Debugger.Setting()
    setting.reach = reach
    debugger = Debugger(setting, size: ScreenSize(width: 100, height: 30))
    for (index, name) in names.enumerated() {
      let session = SessionID(rawValue: UInt64(index) + 1)
      catalog.hear(
        session,
        Heartbeat(
          instance: InstanceID(high: session.rawValue, low: 7), app: name, host: "desk",
          processID: 7, contentType: "application/json", acceptsResets: true, control: [],
          datagramSize: 1_344))
    }
  }

  mutating func record(_ states: JSON...) {
    for (index, state) in states.enumerated() {
      let content = Content(type: "application/json", bytes: state.bytes())
      catalog.append(
        Record(
          sequence: SequenceNumber(UInt64(index) + 1), kind: .action, name: "add",
          state: .keyframe(content)), to: Self.session)
    }
    send(.news)
  }

  mutating func press(_ keys: CommandKey...) { for key in keys { send(.key(key)) } }

  /// By the keys for it.
  var copied: String? {
    var copy = self
    copy.send(.key("y"))
    for case .copy(let request) in copy.send(.key("c")) {
      if case .bytes(let bytes) = request.content { return String(decoding: bytes, as: UTF8.self) }
    }
    return nil
  }

  @discardableResult
  private mutating func send(_ event: DebuggerEvent) -> [DebuggerEffect] {
    let effects = debugger.receive(event, in: catalog, at: .zero)
    for case .inspect(let request) in effects {
      let timeline = catalog[request.session]?.timeline
      send(
        .inspected(
          Inspection(
            request, state: request.state.flatMap { timeline?.state(at: $0) },
            base: request.base.flatMap { timeline?.state(at: $0) }, payload: nil)))
    }
    return effects
  }
}
