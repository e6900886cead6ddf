import JSONTree
import ReduxDevTools
import SurfGateway
import SurfObserver
import SurfTimeline
import SurfWire

/// All that shows a history: the timelines of the terminal, a panel, and the gateway.
struct Screen {
  private var catalog = Catalog()
  private var panels: [SessionID: PanelInstance] = [:]
  private var gateway: GatewayMachine
  private var newcomers: [SessionID] = []
  private var now = Duration.zero

  init() {
    gateway = GatewayMachine(
      configuration: GatewayConfiguration(), random: { 7 }, wallTime: { 0 }, perform: { _ in })
  }

  mutating func takeNewcomers() -> [SessionID] {
    defer { newcomers = [] }
    return newcomers
  }

  mutating func receive(_ event: ObserverEvent, at now: Duration) {
    self.now = now
    gateway.receive(.observer(event), at: now)
    gateway.performRequests()
    _ = gateway.takeActions()
    _ = catalog.apply(event)
    switch event {
    case .appeared(let session, let heartbeat, _):
      newcomers.append(session)
      panels[session] = PanelInstance(id: "a", heartbeat: heartbeat)
    case .heartbeat(let session, let heartbeat):
      _ = panels[session]?.note(heartbeat)
    case .record(let session, let record): _ = panels[session]?.receive(record)
    case .lost(let session, let range): panels[session]?.lose(range)
    case .retracted(let session, let first): panels[session]?.retract(from: first)
    case .caughtUp(let session): _ = panels[session]?.finishLoading()
    case .restored(let session, let restored):
      _ = panels[session]?.note(restored)
    case .values, .gone: break
    }
  }

  /// Somebody looks, or presses a button.
  mutating func act(_ numbers: inout Numbers) {
    for instance in catalog.instances { Self.look(at: instance.timeline, &numbers) }
    gateway.advance(to: now)
    gateway.performRequests()
    _ = gateway.takeActions()
    for session in panels.keys.sorted(by: { $0.rawValue < $1.rawValue }) {
      _ = panels[session]?.perform(numbers.panelCommand())
      _ = panels[session]?.liftedText
      _ = panels[session]?.steps
      gateway.receive(
        .answer(session, .answered(numbers.outcome(), numbers.position())), at: now)
    }
  }

  private static func look(at timeline: Timeline, _ numbers: inout Numbers) {
    _ = timeline.items
    _ = (timeline.back(), timeline.forward(skipsHoles: true))
    _ = timeline.state(of: numbers.sequence())
    _ = timeline.target(before: numbers.sequence())
    _ = timeline.target(above: numbers.sequence(), skipsHoles: numbers.isChance(oneIn: 2))
    _ = timeline.target(below: numbers.position(), skipsHoles: numbers.isChance(oneIn: 2))
    for row in timeline.rows.suffix(3) { _ = timeline.parent(of: row) }
  }
}

extension Numbers {
  mutating func panelCommand() -> PanelCommand {
    switch below(9) {
    case 0: .jump(action: Int(truncatingIfNeeded: number()), state: nil)
    case 1: .jumpToIndex(Int(truncatingIfNeeded: number()), state: nil)
    case 2: .rewrite(.toggle(below(12), skipped: nil))
    case 3: .rewrite(.move(below(12), before: isChance(oneIn: 3) ? nil : below(12)))
    case 4: .rewrite(.sweep)
    case 5: .rewrite(.commit)
    case 6: .rewrite(.rollback)
    case 7: .rewrite(.reset)
    default: .rewrite(.pause(isChance(oneIn: 2)))
    }
  }
}
