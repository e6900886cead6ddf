import Foundation
import StateSurf
import SurfNetwork
import SurfObserver
import SurfWire
import Synchronization

// A viewer puts the app into a state, and waits for the answer: both ends over loopback.
extension Benchmark {
  static let jump: [Benchmark] = [
    Benchmark(name: "jump-5k", summary: "a reset to a state of 5 KB, until its answer, on lo") {
      let app = LoopbackApp()
      app.transceiver.onReset { _ in }
      app.transceiver.resume()
      let viewer = try Viewer(port: app.port)
      defer { viewer.stop() }
      let session = try viewer.waitForApp()
      let state = Content(type: Samples.contentType, bytes: Message.template(size: 5_000))
      return try measure(warmUps: 20, repetitions: 500, unit: .microseconds) {
        try viewer.jump(session, to: state)
      }
    }
  ]
}

/// A viewer whose calls wait for what comes of them.
private final class Viewer: Sendable {
  private let observer: Observer
  private let session: Awaited<SessionID>

  init(port: UInt16) throws(NetworkError) {
    var configuration = Observer.Configuration()
    configuration.port = port
    configuration.viewerName = "bench"
    configuration.browsesDNSSD = false
    let session = Awaited<SessionID>()
    self.session = session
    observer = try Observer(configuration: configuration) { event in
      if case .appeared(let found, _) = event { session.put(found) }
    }
  }

  func waitForApp() throws -> SessionID { try session.take("the app was not found") }

  func jump(_ session: SessionID, to state: Content) throws {
    let answer = Awaited<ResetAnswer>()
    observer.reset(session, to: .elsewhere, state: state) { answer.put($0) }
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
