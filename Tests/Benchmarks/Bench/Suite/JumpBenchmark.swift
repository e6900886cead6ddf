import Foundation
import StateSurf
import SurfObserver
import SurfSockets
import SurfWire
import Synchronization

// A viewer puts the app into a state, and waits for the answer: both ends over loopback.
extension Benchmark {
  static let jump: [Benchmark] = [
    Benchmark(name: "jump-5k", summary: "a reset to a state of 5 KB, until its answer, on lo") {
      try measureJumps(stateSize: 5_000, isHeld: false)
    },
    Benchmark(name: "jump-1m", summary: "the same to a state of 1 MB") {
      try measureJumps(stateSize: 1_000_000, isHeld: false)
    },
    Benchmark(name: "jump-held-64k", summary: "the same to a row of 64 KB that the app holds") {
      try measureJumps(stateSize: 64_000, isHeld: true)
    },
    Benchmark(name: "jump-held-1m", summary: "the same to a row of 1 MB that the app holds") {
      try measureJumps(stateSize: 1_000_000, isHeld: true)
    },
    Benchmark(name: "jump-held-16m", summary: "the same to a row of 16 MB that the app holds") {
      try measureJumps(stateSize: 16_000_000, isHeld: true)
    },
  ]

  /// Ten rows that differ in ten octets; the fifth is jumped to, by an app that takes the bytes as
  /// they are.
  private static func measureJumps(stateSize: Int, isHeld: Bool) throws -> Measurement {
    let app = LoopbackApp()
    app.transceiver.onReset { _ in }
    app.transceiver.resume()
    let viewer = try Viewer(port: app.port)
    defer { viewer.stop() }
    let session = try viewer.waitForApp()
    var states: [[UInt8]] = []
    for row in 0..<10 as Range<UInt8> {
      var state = Message.template(size: stateSize)
      for octet in 0..<10 { state[octet * (stateSize / 10)] = row }
      states.append(state)
      app.transceiver.record(action: "m", state: state, contentType: Samples.contentType)
    }
    try app.settle()
    let state = Content(type: Samples.contentType, bytes: states[4])
    return try measure(warmUps: 5, repetitions: 100, unit: .microseconds) {
      try viewer.jump(session, to: state, at: isHeld ? 5 : nil)
    }
  }
}

/// A viewer with calls that wait for their outcome.
private final class Viewer: Sendable {
  private let observer: Observer
  private let session: Awaited<SessionID>

  init(port: UInt16) throws(SocketError) {
    var configuration = Observer.Configuration()
    configuration.port = port
    configuration.viewerName = "bench"
    configuration.browsesDNSSD = false
    let session = Awaited<SessionID>()
    self.session = session
    observer = try Observer(configuration: configuration) { event in
      if case .appeared(let found, _, _) = event { session.put(found) }
    }
  }

  func waitForApp() throws -> SessionID { try session.take("the app was not found") }

  func jump(_ session: SessionID, to state: Content, at row: SequenceNumber?) throws {
    let answer = Awaited<ResetAnswer>()
    let target = row.map { Position.record($0) } ?? .elsewhere
    observer.reset(session, to: target, state: state, from: row.map { .same($0) }) {
      answer.put($0)
    }
    let taken = try answer.take("the reset was not answered")
    guard case .answered(.applied, _) = taken else {
      throw BenchmarkFailure("the reset was not applied: \(taken)")
    }
  }

  func stop() { observer.stop() }
}

/// A value that another thread brings.
private final class Awaited<Value: Sendable>: Sendable {
  private let value = Mutex<Value?>(nil)
  private let isThere = DispatchSemaphore(value: 0)

  func put(_ value: Value) {
    self.value.withLock { $0 = value }
    isThere.signal()
  }

  func take(_ complaint: String) throws -> Value {
    guard isThere.wait(timeout: .now() + 10) == .success, let value = value.withLock({ $0 })
    else { throw BenchmarkFailure(complaint) }
    return value
  }
}
