import SurfObserver
import SurfStreams
import SurfWeb
import SurfWire

// RemoteInspector's front ends and apps.
extension GatewayMachine {
  /// Upgrades a request for a WebSocket at any path without another meaning. A front end asks for
  /// `/ws`; an app asks for whatever a person typed.
  mutating func inspect(_ request: HTTPRequest, _ stream: StreamID) {
    guard inbound.upgrade(request, stream, to: .inspector) else { return }
    inspectors?.open(stream, from: inbound.address(of: stream), name: request.product)
  }

  mutating func drainInspectors(at now: Duration) {
    for session in inspectors?.due(at: now) ?? [] {
      inspectors?.show(apps[session]?.instance.presentState, of: session, at: now)
    }
    for output in inspectors?.takeOutputs() ?? [] {
      switch output {
      case .publish(let bytes, let streams):
        for stream in streams where inbound.keepsUp(stream) { inbound.write(bytes, to: stream) }
      case .write(let bytes, let stream): inbound.write(bytes, to: stream)
      case .request(let request): requests.append(request)
      }
    }
  }

  /// Passes an observer's event on to front ends. `apps` has handled it before.
  mutating func inspect(_ event: ObserverEvent, at now: Duration) {
    switch event {
    case .appeared(let session, let heartbeat, _):
      inspectors?.appeared(session, heartbeat)
      // After the request to follow the app.
      if inspectors != nil { requests.append(.values(session)) }
    case .heartbeat(let session, let heartbeat): inspectors?.appeared(session, heartbeat)
    case .values(let session, .value(let record)):
      inspectors?.receive(record, isNew: false, of: session)
    case .record(let session, let arrived) where !arrived.isBase:
      inspect(arrived.record.sequence, isNew: arrived.origin == .live, of: session)
    case .restored(let session, _), .caughtUp(let session): inspectors?.touch(session)
    case .gone(let session, _): inspectors?.gone(session)
    case .record, .lost, .retracted, .values: break
    }
    drainInspectors(at: now)
  }

  private mutating func inspect(_ row: SequenceNumber, isNew: Bool, of session: SessionID) {
    guard inspectors != nil, let record = apps[session]?.instance.record(of: row) else { return }
    inspectors?.receive(record, isNew: isNew, of: session)
    if record.kind.movesApp { inspectors?.touch(session) }
  }
}
