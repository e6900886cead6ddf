/// Runs a `DiscoveryMachine` over a backend, on a thread that polls descriptors.
///
/// The backend may block as long as the system bus does, so `DiscoveryAgent` gives it a thread of
/// its own.
package final class DiscoveryDriver {
  private var machine = DiscoveryMachine()
  private let backend: any DNSServiceBackend
  private let handler: (DiscoveryEvent) -> Void
  private var open: [OperationID: Int32] = [:]

  /// Calls `handler` with each event, within the calls below.
  package init(backend: any DNSServiceBackend, handler: @escaping (DiscoveryEvent) -> Void) {
    self.backend = backend
    self.handler = handler
  }

  /// The descriptors to poll for reading.
  package var descriptors: [Int32] { open.values.sorted() }

  /// When to call `advance(to:)`, if ever.
  package var deadline: Duration? { machine.deadline }

  package var counters: DiscoveryCounters { machine.counters }

  /// Replaces the goals.
  package func pursue(_ goals: [DiscoveryGoal], at now: Duration) {
    machine.pursue(goals, at: now)
    perform(at: now)
  }

  /// Reads answers from descriptors that are readable or have an error.
  package func process(readable: [Int32], at now: Duration) {
    // By operation, because a descriptor may be closed and its number reused meanwhile.
    let ready = open.filter { readable.contains($0.value) }.keys
    for id in ready.sorted(by: { $0.number < $1.number }) {
      for answer in backend.process(id) { machine.answered(id, answer, at: now) }
      perform(at: now)
    }
  }

  /// Starts operations that are due, and ends those that have timed out.
  package func advance(to now: Duration) {
    machine.advance(to: now)
    perform(at: now)
  }

  private func perform(at now: Duration) {
    while let output = machine.takeOutput() {
      switch output {
      case .event(let event): handler(event)
      case .open(let id, let request): start(id, request, at: now)
      case .close(let id):
        open[id] = nil
        backend.close(id)
      }
    }
  }

  private func start(_ id: OperationID, _ request: ServiceRequest, at now: Duration) {
    do throws(ServiceFailure) {
      let opened = try backend.open(request, as: id)
      open[id] = opened.descriptor
      machine.opened(id, at: now)
      for answer in opened.answers { machine.answered(id, answer, at: now) }
    } catch {
      machine.failed(id, error, at: now)
    }
  }
}
