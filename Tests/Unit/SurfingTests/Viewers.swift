import JSONTree
import ReduxDevTools
import SurfObserver
import SurfReceiving
import SurfTerminal
import SurfTimeline
import SurfWire
import TestSupport

let session = SessionID(rawValue: 1)

/// How a latecomer receives the words of a program: the newest first, then the live ones with the
/// past beside them, and old and new heartbeats in between (Protocol.md §10.7).
struct Delivery {
  let words: [Program.Word]
  /// The last is of now.
  let heartbeats: [Heartbeat]

  private var newest: SequenceNumber { heartbeats.last?.progress.newestRecord ?? 0 }

  func events(
    _ wish: HistoryRequest, using random: inout SeededGenerator
  ) -> [ObserverEvent] {
    let since =
      switch wish {
      case .newestState: SequenceNumber.max
      case .last(let count): max(newest.next.goingBack(by: count), 1)
      case .since(let record): max(record, 1)
      }
    let records = words.compactMap { if case .record(let record) = $0 { record } else { nil } }
    // From a whole state on, to rebuild the newest.
    let newestState = records.last { $0.carriesState }?.sequence ?? 0
    let whole = newestState.goingBack(by: WireCount(Int.random(in: 0...3, using: &random)))
    let ahead = records.filter {
      $0.sequence < newest && $0.sequence <= newestState
        && ($0.sequence == newestState || $0.sequence >= max(whole, since))
    }
    let past = records.filter { record in
      record.sequence >= since && record.sequence < newest
        && !ahead.contains { $0.sequence == record.sequence }
    }
    var streams = [ahead, past].map { $0.map(Program.Word.record) }
    streams.append(live(using: &random))
    var events: [ObserverEvent] = []
    while let stream = streams.indices.filter({ !streams[$0].isEmpty }).randomElement(
      using: &random)
    {
      events.append(event(streams[stream].removeFirst()))
      if Int.random(in: 0..<4, using: &random) == 0 {
        events.append(.heartbeat(session, heartbeats.randomElement(using: &random)!))
      }
    }
    return events + [.caughtUp(session)]
  }

  func event(_ word: Program.Word) -> ObserverEvent {
    switch word {
    case .record(let record): .record(session, ArrivedRecord(record))
    case .restored(let restored): .restored(session, restored)
    }
  }

  /// From the packet of the newest record on. It may begin with some moves.
  private func live(using random: inout SeededGenerator) -> [Program.Word] {
    var start = words.lastIndex { if case .record = $0 { true } else { false } } ?? 0
    while start > 0, case .restored = words[start - 1], Bool.random(using: &random) { start -= 1 }
    return Array(words[start...])
  }
}

/// A viewer that stays: as `watch` and a panel do, it has heard all, or has come in the middle.
struct Resident {
  private var catalog = Catalog()
  private var panel: PanelInstance
  private var heardCount: Int

  init(_ delivery: Delivery, using random: inout SeededGenerator) {
    let heartbeat = delivery.heartbeats.last!
    panel = PanelInstance(id: "1", heartbeat: heartbeat)
    heardCount = delivery.words.count
    hear(.appeared(session, heartbeat))
    for event in delivery.events(.since(1), using: &random) { hear(event) }
    _ = panel.finishLoading()
  }

  var timeline: Timeline { catalog[session]!.timeline }

  /// Where the panel's slider stands, and the rows in its list; 0 is the beginning.
  var slider: (index: Int, ids: [Int]) {
    let text = panel.liftedText
    let lifted = try! JSON(parsing: Array(text.utf8))
    guard case .object(let object) = lifted, case .number(let index) = object["currentStateIndex"],
      case .array(let ids) = object["stagedActionIds"]
    else { return (-1, []) }
    let places = ids.compactMap { if case .number(let id) = $0 { id.integer } else { nil } }
    // The last row has no record if it only says that the app is paused, or elsewhere.
    let hasTail = ["@@PAUSED", "@@ELSEWHERE"].contains { text.contains($0) }
    let rows = [0] + panel.numbering.map { Int($0.rawValue) }
    guard places == Array(0..<rows.count + (hasTail ? 1 : 0)) else { return (-1, []) }
    return (index.integer ?? -1, rows)
  }

  mutating func listen(to delivery: Delivery, using random: inout SeededGenerator) {
    for word in delivery.words[heardCount...] {
      if Bool.random(using: &random) {
        hear(.heartbeat(session, delivery.heartbeats.suffix(3).randomElement(using: &random)!))
      }
      hear(delivery.event(word))
    }
    heardCount = delivery.words.count
    hear(.heartbeat(session, delivery.heartbeats.last!))
  }

  private mutating func hear(_ event: ObserverEvent) {
    _ = catalog.apply(event)
    switch event {
    case .appeared(_, let heartbeat, _), .heartbeat(_, let heartbeat): _ = panel.note(heartbeat)
    case .record(_, let record): _ = panel.receive(record)
    case .restored(_, let restored): _ = panel.note(restored)
    case .lost, .retracted, .caughtUp, .values, .gone: break
    }
  }
}

/// A command as it comes: it meets the program for the first time, asks for its past, decides.
struct Passer {
  private var command: TargetSession
  private var catalog = Catalog()

  init(_ task: TargetTask) {
    command = TargetSession(task, Invocation.Common())
  }

  /// The command's decision.
  mutating func meet(_ delivery: Delivery, using random: inout SeededGenerator) -> CommandAction? {
    var actions = receive(.appeared(session, delivery.heartbeats.last!), at: .zero)
    let deadline = SessionEvent.deadline(ViewerCounters())
    actions += command.receive(deadline, in: catalog, at: .milliseconds(400))
    var events: [ObserverEvent] = []
    while true {
      for action in actions {
        guard case .follow(_, let wish) = action else { return action }
        events = delivery.events(wish, using: &random)
      }
      guard !events.isEmpty else { return nil }
      actions = receive(events.removeFirst(), at: .milliseconds(401))
    }
  }

  /// The command's reply to the answer. A toggle waits for its row, which follows the answer.
  mutating func hear(_ answer: ResetAnswer, _ delivery: Delivery) -> [CommandAction] {
    var actions = command.receive(.answer(answer), in: catalog, at: .milliseconds(402))
    for word in delivery.words where actions.isEmpty {
      actions = receive(delivery.event(word), at: .milliseconds(403))
    }
    return actions
  }

  private mutating func receive(_ event: ObserverEvent, at now: Duration) -> [CommandAction] {
    guard let change = catalog.apply(event) else { return [] }
    return command.receive(.change(change), in: catalog, at: now)
  }
}
