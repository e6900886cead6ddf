import Dispatch
import Foundation
import StateSurf
import SurfLive
import SurfNetwork
import SurfObserver
import SurfReceiving
import SurfStore
import SurfTransport
import SurfWire
import TestSupport

/// A program on a wire of its own, which keeps all that it tells.
// Unchecked: what follows `lock` is only touched while that is held.
final class Program: RecordSink, @unchecked Sendable {
  /// A record, or a move, in the program's order.
  enum Word: Equatable {
    case record(Record)
    case restored(Restored)
  }

  private let lock = NSLock()
  private var told: [Word] = []
  private var states = RecordDecoder()
  private var app = AppPosition()
  private var control: Heartbeat.Control = []
  private var onReset: (@Sendable (IncomingReset) -> Void)?
  private let isAnswered = DispatchSemaphore(value: 0)
  /// Of the last request.
  private var result = Outcome.Result.busy
  private var history: HistoryTransceiver<Letters>!

  init() {
    var configuration = Transceiver.Configuration()
    configuration.whenFull = .wait
    let transceiver = Transceiver(name: "Letters", configuration: configuration, environment: [:]) {
      [unowned self] configuration, onReset in
      lock.withLock { (control, self.onReset) = (configuration.control, onReset) }
      return self
    }
    history = HistoryTransceiver(transceiver: transceiver)
    history.resume()
    settle()
  }

  /// Without this the program would live forever: it is its own sink.
  func end() {
    history.suspend()
    history = nil
  }

  var words: [Word] { lock.withLock { told } }
  var text: String { history.store.state.text }
  var position: AppPosition { lock.withLock { app } }

  var heartbeat: Heartbeat {
    lock.withLock {
      var newest: SequenceNumber = 0
      for case .record(let record) in told { newest = record.sequence }
      return Heartbeat(
        instance: InstanceID(high: 1, low: 1), app: "Letters", host: "ada", processID: 1,
        contentType: "application/json", acceptsResets: true, control: control,
        datagramSize: 1_472, progress: StreamProgress(newestRecord: newest),
        position: app.position, stamp: app.stamp)
    }
  }

  func act(_ letter: String) {
    history.store.dispatch(.add(letter))
    settle()
  }

  /// Answers each state that ends with `letter`, from now on, with another letter.
  func react(to letter: String) -> Subscription {
    history.store.subscribe { [weak store = history.store] state in
      if state.text.hasSuffix(letter) { store?.dispatch(.add("!")) }
    }
  }

  /// Waits until it has done as asked, and reported it.
  func settle() {
    let isDone = DispatchSemaphore(value: 0)
    history.store.revise { _ in
      nil
    } completion: {
      isDone.signal()
    }
    isDone.wait()
    _ = history.transceiver.flush(timeout: .seconds(60))
  }

  /// Brings a request as the broadcaster does, and waits for the answer.
  func ask(_ reset: IncomingReset) -> ResetAnswer {
    lock.withLock { onReset }?(reset)
    isAnswered.wait()
    settle()
    return lock.withLock { .answered(result, app.position) }
  }

  private func answer(_ reset: IncomingReset, with result: Outcome.Result) {
    defer { isAnswered.signal() }
    lock.withLock {
      self.result = result
      guard !reset.isCommand else { return }
      app.decide(reset, result)
      let restored = Restored(
        request: reset.request, viewer: reset.viewer, viewerName: reset.viewerName,
        position: app.position, newestRecord: app.stamp.newestRecord,
        moveCount: app.stamp.moveCount, outcome: result)
      told.append(.restored(restored))
    }
  }

  // MARK: RecordSink

  func resume() {}
  func suspend(within time: Duration) {}
  func flush(timeout: Duration) -> Bool { true }

  func perform(_ command: BroadcastCommand) {
    switch command {
    case .control(let control): lock.withLock { self.control = control }
    case .leftRecords: lock.withLock { app.leaveRecords() }
    case .answer(let reset, let result): answer(reset, with: result)
    case .records(let records): send(records)
    case .givenUp, .share, .bound: break
    }
  }

  func send(_ records: [Record]) {
    lock.withLock {
      app.note(records)
      for var record in records {
        states.resolve(&record, from: .live)
        told.append(.record(record))
      }
    }
  }
}
