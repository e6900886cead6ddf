import SurfBasics

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
  package var descriptors: [Int32] { open.values.inOrder(<) }

  /// When to call `advance(to:)`, if ever.
  package var deadline: Duration? { machine.deadline }

  /// Replaces the goals.
  package func pursue(_ goals: [DiscoveryGoal], at now: Duration) {
    machine.pursue(goals, at: now)
    perform(at: now)
  }

  /// Reads answers from descriptors that are readable or have an error.
  package func process(readable: [Int32], at now: Duration) {
    // By operation, because a descriptor may be closed and its number reused meanwhile.
    let ready = open.filter { readable.contains($0.value) }.keys
    for id in ready.inOrder({ $0.number < $1.number }) {
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

/// One operation of the DNS-SD library. Ids are never reused.
package struct OperationID: Hashable, Sendable {
  let number: UInt64
}

package indirect enum ServiceRequest: Hashable, Sendable {
  /// Registers under `name`, which differs from the advertisement's own after a clash.
  case register(ServiceAdvertisement, name: String)
  case browse(interface: UInt32, type: String = Service.type)
  case resolve(Service)
  /// Asks for the IPv4 addresses of a machine, on the service's interface.
  case address(Service, hostTarget: String)
}

/// The answer of an operation. Answers that do not fit the request are ignored.
package enum ServiceAnswer: Equatable, Sendable {
  case registered(name: String)
  case found(Service)
  case removed(Service)
  case resolved(hostTarget: String, port: UInt16, record: [UInt8])
  /// A requested record was added. Removals are not reported.
  case record([UInt8])
  /// The operation has ended.
  case failed(ServiceFailure)
}

package struct OpenedOperation: Sendable {
  /// Readable when `process` has something to do.
  package let descriptor: Int32
  /// Answers that arrived while it started.
  package let answers: [ServiceAnswer]

  package init(descriptor: Int32, answers: [ServiceAnswer] = []) {
    self.descriptor = descriptor
    self.answers = answers
  }
}

/// The DNS-SD library as `DiscoveryDriver` uses it: `SystemDNSService`, or a fake in tests. One
/// thread calls it, and the call may block.
package protocol DNSServiceBackend: AnyObject {
  /// Starts an operation, which `id` then identifies.
  func open(
    _ request: ServiceRequest, as id: OperationID
  ) throws(ServiceFailure) -> OpenedOperation

  /// Reads the answers for an operation whose descriptor is readable.
  func process(_ id: OperationID) -> [ServiceAnswer]

  /// Ends an operation and frees its descriptor. Does nothing if `id` is not open.
  func close(_ id: OperationID)
}
