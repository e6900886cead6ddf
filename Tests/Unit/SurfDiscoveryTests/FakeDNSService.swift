import SurfDiscovery

/// A DNS-SD library with a daemon that obeys the test.
final class FakeDNSService: DNSServiceBackend {
  /// What opening a request fails with, if anything.
  var refusal: (ServiceRequest) -> ServiceFailure? = { _ in nil }
  private(set) var open: [OperationID: ServiceRequest] = [:]
  /// Every request that was tried, in order.
  private(set) var tried: [ServiceRequest] = []
  private var descriptors: [OperationID: Int32] = [:]
  private var answers: [OperationID: [ServiceAnswer]] = [:]

  func open(
    _ request: ServiceRequest, as id: OperationID
  ) throws(ServiceFailure) -> OpenedOperation {
    tried.append(request)
    if let failure = refusal(request) { throw failure }
    open[id] = request
    // The lowest free number, as the kernel gives them, so that numbers are taken again.
    let descriptor = (3...).first { !descriptors.values.contains($0) } ?? 3
    descriptors[id] = descriptor
    return OpenedOperation(descriptor: descriptor)
  }

  func process(_ id: OperationID) -> [ServiceAnswer] { answers.removeValue(forKey: id) ?? [] }

  func close(_ id: OperationID) {
    open[id] = nil
    descriptors[id] = nil
    answers[id] = nil
  }

  /// Leaves answers for an open request and returns its descriptor.
  func answer(_ request: ServiceRequest, _ given: [ServiceAnswer]) -> Int32? {
    guard let id = open.first(where: { $0.value == request })?.key else { return nil }
    answers[id, default: []] += given
    return descriptors[id]
  }

  var requests: Set<ServiceRequest> { Set(open.values) }

  var resolves: [Service] {
    open.values.compactMap { if case .resolve(let service) = $0 { service } else { nil } }
  }
}

/// A driver over a fake library on virtual time.
final class Rig {
  let library = FakeDNSService()
  let driver: DiscoveryDriver
  private let log = Log()
  private(set) var now: Duration = .seconds(100)

  private final class Log { var events: [DiscoveryEvent] = [] }

  init(_ goals: DiscoveryGoal...) {
    let log = log
    driver = DiscoveryDriver(backend: library) { log.events.append($0) }
    pursue(goals)
  }

  func pursue(_ goals: [DiscoveryGoal]) { driver.pursue(goals, at: now) }

  func answer(_ request: ServiceRequest, _ answers: ServiceAnswer...) {
    guard let descriptor = library.answer(request, answers) else { return }
    driver.process(readable: [descriptor], at: now)
  }

  /// Ends every operation, as a daemon that dies does.
  func killDaemon(_ failure: ServiceFailure = .unknown) {
    library.refusal = { _ in failure }
    let readable = library.requests.compactMap { library.answer($0, [.failed(failure)]) }
    driver.process(readable: readable, at: now)
  }

  /// Lets time pass, waking only at deadlines.
  func wait(_ time: Duration) {
    let end = now + time
    while let deadline = driver.deadline, deadline <= end {
      now = max(now, deadline)
      driver.advance(to: now)
    }
    now = end
  }

  /// The events since the last call.
  func takeEvents() -> [DiscoveryEvent] {
    defer { log.events = [] }
    return log.events
  }
}
