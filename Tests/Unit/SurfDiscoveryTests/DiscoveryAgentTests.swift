import Glibc
import SurfDiscovery
import Synchronization
import Testing

/// A library without descriptors of its own to poll: it answers immediately, or blocks.
private final class ScriptedLibrary: DNSServiceBackend {
  private let gate: Gate?
  private let ends: [Int32]

  init(blockedBy gate: Gate? = nil) {
    self.gate = gate
    var ends: [Int32] = [-1, -1]
    pipe(&ends)
    self.ends = ends
  }

  deinit { for end in ends { Glibc.close(end) } }

  func open(
    _ request: ServiceRequest, as id: OperationID
  ) throws(ServiceFailure) -> OpenedOperation {
    gate?.enter()
    guard case .register(_, let name) = request else { throw .unknown }
    return OpenedOperation(descriptor: ends[0], answers: [.registered(name: name)])
  }

  func process(_ id: OperationID) -> [ServiceAnswer] { [] }
  func close(_ id: OperationID) { gate?.closed() }
}

/// Holds a thread until it is opened, as a hung system bus does.
private final class Gate: Sendable {
  private let state = Mutex((isEntered: false, isOpen: false, closings: 0))

  func enter() {
    state.withLock { $0.isEntered = true }
    while !state.withLock({ $0.isOpen }) { usleep(1000) }
  }

  func open() { state.withLock { $0.isOpen = true } }
  func closed() { state.withLock { $0.closings += 1 } }
  var isEntered: Bool { state.withLock { $0.isEntered } }
  var closings: Int { state.withLock { $0.closings } }
}

private final class Events: Sendable {
  private let list = Mutex<[DiscoveryEvent]>([])
  func add(_ event: DiscoveryEvent) { list.withLock { $0.append(event) } }
  var all: [DiscoveryEvent] { list.withLock { $0 } }
}

// The limit runs, too, while a test waits for a thread that others hold.
@Suite(.timeLimit(.minutes(10)))
struct DiscoveryAgentTests {
  func until(_ condition: () -> Bool) async {
    while !condition() { await Task.yield() }
  }

  @Test func eventsArriveAndStopWaitsForTheThread() async throws {
    let events = Events()
    let agent = try DiscoveryAgent(backend: { ScriptedLibrary() }, handler: events.add)
    agent.pursue(.advertise(.sample))
    await until { events.all.count == 2 }
    #expect(events.all == [.daemon(.running), .registered(.sample, name: "Todo")])
    #expect(agent.stop(patience: .seconds(120)))
  }

  @Test func aBlockedLibraryHoldsNobodyButItsThread() async throws {
    let gate = Gate()
    let events = Events()
    let agent = try DiscoveryAgent(
      backend: { ScriptedLibrary(blockedBy: gate) }, handler: events.add)
    agent.pursue(.advertise(.sample))
    await until { gate.isEntered }
    agent.pursue(.browse(interface: 0))
    #expect(agent.stop(patience: .milliseconds(10)) == false)
    gate.open()
    await until { gate.closings == 1 }
    #expect(agent.stop(patience: .seconds(120)))
    #expect(events.all.isEmpty)
  }

  @Test func theHandlerMayStopItsAgent() async throws {
    let events = Events()
    let holder = Mutex<DiscoveryAgent?>(nil)
    let agent = try DiscoveryAgent(
      backend: { ScriptedLibrary() },
      handler: { event in
        events.add(event)
        holder.withLock { $0 }?.stop(patience: .seconds(3600))
      })
    holder.withLock { $0 = agent }
    agent.pursue(.advertise(.sample))
    await until { !events.all.isEmpty }
    #expect(agent.stop(patience: .seconds(120)))
    #expect(events.all == [.daemon(.running)])
    holder.withLock { $0 = nil }
  }

  @Test func goalsBeyondTheBoundAreRefused() throws {
    let agent = try DiscoveryAgent(backend: { ScriptedLibrary() }, handler: { _ in })
    for interface in 0..<UInt32(DiscoveryMachine.goalCountMax) {
      #expect(agent.pursue(.browse(interface: interface)))
    }
    #expect(!agent.pursue(.browse(interface: 1000)))
    #expect(agent.pursue(.browse(interface: 0)))
    agent.stop()
  }
}
