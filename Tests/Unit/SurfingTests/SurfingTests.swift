import Foundation
import JSONTree
import SurfControl
import SurfTerminal
import SurfTimeline
import SurfTransport
import SurfWire
import TestSupport
import Testing

/// What can happen to a program.
enum Move {
  case act(String)
  case task(TargetTask)
}

/// One program, two viewers that stay, and a command for each move, against the model.
struct Beach {
  private let program = Program()
  private var model = Model()
  private var random: SeededGenerator
  private var heartbeats: [Heartbeat] = []
  private var residents: [Resident] = []
  private var origins: [UInt64: Model.Place] = [:]
  private var requestCount: UInt64 = 0

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    heartbeats = [program.heartbeat]
    residents = [Resident(delivery, using: &random)]
  }

  private var delivery: Delivery { Delivery(words: program.words, heartbeats: heartbeats) }

  /// - Returns: whether all went as the model says.
  mutating func play(_ count: Int) -> Bool {
    defer { program.end() }
    for step in 0..<count {
      let move = Move.random(model, using: &random)
      perform(move)
      heartbeats.append(program.heartbeat)
      if step == count / 2 { residents.append(Resident(delivery, using: &random)) }
      for index in residents.indices { residents[index].listen(to: delivery, using: &random) }
      guard check("step \(step): \(move)") else { return false }
    }
    return true
  }

  private mutating func perform(_ move: Move) {
    switch move {
    case .act(let letter):
      program.act(letter)
      model.act(program.text)
    case .task(let task): perform(task)
    }
  }

  private mutating func perform(_ task: TargetTask) {
    let before = model
    var passer = Passer(task)
    let decision = passer.meet(delivery, using: &random)
    requestCount += 1
    origins[requestCount] = model.place
    var said = ""
    switch decision {
    case .reset(_, let target, let state, _)?: said = ask(target, state, isCommand: false, &passer)
    case .command(_, let bytes)?:
      let state = Content(type: "application/json", bytes: bytes)
      said = ask(.elsewhere, state, isCommand: true, &passer)
    default: break
    }
    let isDone = model.expect(task, text: program.text)
    if isDone, case .rewrite(.toggle(.number(let row), _)) = task {
      let word = model.skipped.contains(Int(row)) ? "without row \(row) " : "with row \(row) again "
      #expect(said.contains(word), "\(said)")
    }
    if case .fail? = decision { #expect(!isDone, "\(task) in \(before)") }
    #expect(decision != nil, "\(task) never decides")
  }

  private func ask(
    _ target: Position, _ state: Content?, isCommand: Bool, _ passer: inout Passer
  ) -> String {
    let answer = program.ask(
      IncomingReset(
        request: requestCount, viewer: ViewerID(rawValue: requestCount % 2 + 1),
        viewerName: requestCount % 2 == 0 ? "ada" : "bob", target: target, state: state,
        isCommand: isCommand))
    let actions = passer.hear(answer, delivery)
    #expect(!actions.isEmpty)
    guard case .print(let line)? = actions.first else { return "" }
    return line.text
  }

  private func check(_ step: String) -> Bool {
    let place = model.place.position
    var isGood = program.position.position == place && program.text == model.text
    isGood =
      isGood && heartbeats.last?.progress.newestRecord == SequenceNumber(model.rows.count - 1)
    #expect(isGood, "\(step): at \(program.position), \(program.text); \(model)")
    for resident in residents {
      let faults = faults(of: resident, at: place)
      #expect(faults == [], "\(step): seen at \(resident.timeline.position); \(model)")
      isGood = isGood && faults == []
    }
    return isGood
  }

  private func faults(of resident: Resident, at place: Position) -> [String] {
    let timeline = resident.timeline
    var faults: [String] = []
    if timeline.position != place { faults.append("position") }
    if timeline.back() != model.back.step { faults.append("back to \(timeline.back())") }
    if timeline.forward() != model.forward.step { faults.append("to \(timeline.forward())") }
    if !growthIsRight(timeline) { faults.append("grownFrom") }
    if !originsAreRight(timeline) { faults.append("origins: \(timeline.markers)") }
    if !sliderIsRight(resident) { faults.append("slider: \(resident.slider)") }
    return faults
  }

  private func growthIsRight(_ timeline: Timeline) -> Bool {
    timeline.rows.allSatisfy { row in
      let origin = model.grownFrom(of: Int(row.number.rawValue))
      return row.record.grownFrom == origin.map { GrownFrom(from: $0.position) }
    }
  }

  private func originsAreRight(_ timeline: Timeline) -> Bool {
    timeline.markers.allSatisfy { marker in
      guard let origin = marker.origin, let place = origins[marker.request] else { return true }
      return origin == place.position
    }
  }

  /// A panel shows the actions in force; where the app is at one of them, its slider is there.
  private func sliderIsRight(_ resident: Resident) -> Bool {
    let slider = resident.slider
    func isAction(_ id: Int) -> Bool {
      model.rows.indices.contains(id) && model.rows[id] == .action
    }
    // It shows logs, too, which have the state of the action before them.
    guard slider.ids.filter(isAction) == model.inForce else { return false }
    guard case .row(let row) = model.place, let place = slider.ids.firstIndex(of: row),
      isAction(row)
    else { return true }
    // At the last row of an app that is paused it is on the one that says so, behind all others.
    let last = slider.ids.count - (model.isPaused ? 0 : 1)
    guard (place...max(place, last)).contains(slider.index) else { return false }
    return slider.ids[place...].prefix(slider.index - place + 1).filter(isAction) == [row]
  }
}

extension Model.Place {
  fileprivate var position: Position {
    switch self {
    case .row(let row): Position(wire: SequenceNumber(row))
    case .elsewhere: .elsewhere
    }
  }
}

extension Int? {
  /// As a timeline says it.
  fileprivate var step: NavigationStep { map { .row(SequenceNumber($0)) } ?? .end }
}

extension Model {
  /// Applies a command by the rules; `text` is the program's state after it.
  ///
  /// - Returns: false if it has no effect.
  mutating func expect(_ task: TargetTask, text: String) -> Bool {
    switch task {
    case .jump(.number(let row)):
      guard targets.contains(Int(row)) else { return false }
      move(to: Int(row))
    case .jump(.app):
      guard case .row(let row) = place else { return false }
      move(to: row)
    case .jump(.tip(let before)):
      guard Int(before) < targets.count else { return false }
      move(to: targets.reversed()[Int(before)])
    case .back(let count):
      guard back != nil else { return false }
      for _ in 0..<count { if let back { move(to: back) } }
    case .forward(let count):
      guard forward != nil else { return false }
      for _ in 0..<count { if let forward { move(to: forward) } }
    case .reset: move(to: 0)
    case .load(let content, _): load(text, as: String(decoding: content.bytes, as: UTF8.self))
    case .rewrite(let command): return expect(command, text)
    // The model dispatches by `rewrite`.
    case .dispatch, .show, .diff, .take, .save, .export: return false
    }
    return true
  }

  /// A state that a row has leads there; any other makes a row.
  private mutating func load(_ text: String, as json: String) {
    let rows = targets.dropFirst().filter { json == #"{"text":"\#(states[$0])"}"# }
    if case .row(let row) = place, rows.contains(row) { return }
    if let row = rows.last { move(to: row) } else { add(.rewrite, text) }
  }

  private mutating func expect(_ command: HistoryCommand<RowReference>, _ text: String) -> Bool {
    let unchanged = self.text
    switch command {
    case .dispatch:
      guard !isLocked else { return false }
      act(text)
      return true
    case .toggle(.number(let row), let isOut):
      guard inForce.contains(Int(row)) else { return false }
      let isSkipped = skipped.contains(Int(row))
      guard isOut != isSkipped else { return false }
      skipped.formSymmetricDifference([Int(row)])
    case .move(.number(let row), let before):
      guard reorder(Int(row), before: before) else { return false }
    case .sweep: sweep()
    case .commit: begin(with: unchanged)
    case .rollback: begin(with: checkpoint)
    case .pause(let on): isPaused = on
    case .lock(let on): isLocked = on
    default: return false
    }
    switch command {
    case .pause, .lock: add(.silent)
    case .sweep, .commit: add(.rewrite, unchanged)
    case .rollback: add(.rewrite, checkpoint)
    default: add(.rewrite, text)
    }
    return true
  }

  private mutating func reorder(_ row: Int, before: RowReference?) -> Bool {
    guard let from = inForce.firstIndex(of: row) else { return false }
    guard case .number(let other)? = before else {
      inForce.append(inForce.remove(at: from))
      return true
    }
    guard inForce.contains(Int(other)) else { return false }
    guard other != SequenceNumber(row) else { return false }
    inForce.remove(at: from)
    inForce.insert(row, at: inForce.firstIndex(of: Int(other))!)
    return true
  }
}

extension Move {
  static func random(_ model: Model, using random: inout SeededGenerator) -> Move {
    func row() -> RowReference {
      .number(SequenceNumber(Int.random(in: 0...model.rows.count, using: &random)))
    }
    let letter = String("abcdefgh".randomElement(using: &random)!)
    switch Int.random(in: 0..<42, using: &random) {
    case 0..<10: return .act(letter)
    case 10..<12: return .task(.rewrite(.dispatch(["add": .string(letter)])))
    case 12..<17: return .task(.back([1, 1, 2, 5].randomElement(using: &random)!))
    case 17..<22: return .task(.forward([1, 1, 2, 5].randomElement(using: &random)!))
    case 22..<26: return .task(.jump(row()))
    case 26: return .task(.jump(.tip(before: Int.random(in: 0...3, using: &random))))
    case 27: return .task(.reset)
    case 40: return .task(.jump(.app))
    case 28, 39:
      let known = model.targets.randomElement(using: &random).map { model.states[$0] } ?? ""
      let text = known.isEmpty || Bool.random(using: &random) ? "\(letter)!" : known
      let bytes = Array(#"{"text":"\#(text)"}"#.utf8)
      return .task(.load(Content(type: "application/json", bytes: bytes)))
    case 29: return .task(.rewrite(.toggle(row(), skipped: nil)))
    case 30, 31: return .task(.rewrite(.toggle(row(), skipped: true)))
    case 32: return .task(.rewrite(.toggle(row(), skipped: false)))
    case 33: return .task(.rewrite(.move(row(), before: Bool.random(using: &random) ? row() : nil)))
    case 34: return .task(.rewrite(.sweep))
    case 35: return .task(.rewrite(.commit))
    case 36: return .task(.rewrite(.rollback))
    case 37: return .task(.rewrite(.pause(!model.isPaused)))
    case 38: return .task(.rewrite(.lock(!model.isLocked)))
    default:
      return .task(.rewrite(Bool.random(using: &random) ? .pause(false) : .lock(false)))
    }
  }
}

@Suite struct SurfingTests {
  /// Ten thousand in the long mode.
  static let seeds: Range<UInt64> =
    0..<(ProcessInfo.processInfo.environment["STATESURF_LONG"] == "1" ? 10_000 : 200)

  @Test func everyCommandGoesWhereTheModelSays() {
    for seed in Self.seeds {
      var beach = Beach(seed: seed)
      guard beach.play(30) else {
        Issue.record("with seed \(seed)")
        return
      }
    }
  }

  @Test func `a reaction to a restore names the move that viewers are told of`() {
    let program = Program()
    for letter in ["a", "b"] { program.act(letter) }
    let reaction = program.react(to: "a")
    for request in 1...3 as ClosedRange<UInt64> {
      _ = program.ask(
        IncomingReset(
          request: request, viewer: ViewerID(rawValue: 1), viewerName: "ada", target: .record(1),
          state: Content(type: "application/json", bytes: Array(#"{"text":"a"}"#.utf8))))
      program.settle()
      guard case .restored(let restored)? = program.words.dropLast().last,
        case .record(let record)? = program.words.last
      else {
        Issue.record("no reaction: \(program.words)")
        continue
      }
      #expect(restored.moveCount == WireCount(request))
      #expect(record.grownFrom == GrownFrom(from: .record(1), move: restored.moveCount))
    }
    reaction.cancel()
    program.end()
  }
}
