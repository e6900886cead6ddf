import SurfNetwork
import SurfObserver
import SurfReceiving
import SurfTransport
import SurfWire

/// What apps tell, and what viewers ask for, at random.
extension SealedWorld {
  mutating func act() {
    for index in apps.indices where !apps[index].hasCrashed {
      if random.isChance(0.2) { write(index) }
      if random.isChance(0.1) { tellValue(index) }
    }
    for index in viewers.indices where now >= viewers[index].joinsAt {
      if random.isChance(0.01) { viewers[index].machine.probe() }
      guard let session = viewers[index].sessions.randomElement(using: &random) else { continue }
      if random.isChance(0.02) { ask(session, by: index) }
      if random.isChance(0.005) {
        viewers[index].machine.perform(.refetch(session, 1...3), at: now)
      }
    }
  }

  /// Now and then a state is long, and its packets many.
  private mutating func write(_ index: Int) {
    let size = random.isChance(0.1) ? 5_000 : Int.random(in: 10...300, using: &random)
    let state = Content(type: "x", bytes: octets(size))
    apps[index].written = apps[index].written.next
    let sequence = apps[index].written
    (apps[index].newestState, apps[index].newestStateRecord) = (state, sequence)
    let record = Record(sequence: sequence, kind: .action, name: "act", state: .keyframe(state))
    apps[index].machine.perform([.records([record])], at: now)
  }

  private mutating func tellValue(_ index: Int) {
    apps[index].written = apps[index].written.next
    let isRemoved = random.isChance(0.2)
    let record = Record(
      sequence: apps[index].written, kind: isRemoved ? .remove : .update,
      name: ["a", "a/b", "c"].randomElement(using: &random) ?? "",
      payload: isRemoved ? nil : Content(type: "x", bytes: octets(40)))
    apps[index].machine.perform([.records([record])], at: now)
  }

  /// A state in one piece or several, whole or as a delta; or a command.
  private mutating func ask(_ session: SessionID, by index: Int) {
    let isCommand = random.isChance(0.3)
    let size = random.isChance(0.5) ? 9_000 : 100
    var content = Content(type: "x", bytes: octets(size))
    var delta: Delta?
    if !isCommand, random.isChance(0.4),
      let app = apps.first(where: { $0.machine.session == session }), app.newestStateRecord > 0
    {
      let state = app.newestState
      content = Content(type: "x", bytes: state.bytes + octets(size / 10))
      delta = Delta.between(
        state.bytes, content.bytes, baseRecord: app.newestStateRecord, sizeMax: 20_000)
    }
    let request = ObserverRequest(
      session: session, target: .elsewhere, content: content, delta: delta, isCommand: isCommand,
      timeout: .seconds(3)
    ) { _ in }
    viewers[index].machine.perform(.request(request), at: now)
  }

  private mutating func octets(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8.random(in: 0 ... .max, using: &random) }
  }
}
