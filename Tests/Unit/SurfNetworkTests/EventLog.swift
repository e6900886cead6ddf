import Foundation
import SurfObserver
import SurfWire

/// What an observer told, and a way to wait for it.
// Unchecked: `events` is only touched while `condition`, which is a lock, is held.
final class EventLog: @unchecked Sendable {
  private let condition = NSCondition()
  private var events: [ObserverEvent] = []

  func add(_ event: ObserverEvent) {
    condition.lock()
    events.append(event)
    condition.broadcast()
    condition.unlock()
  }

  /// Waits until `find` gets something out of all events so far. Nil after two minutes, which is
  /// a failure, not a measurement.
  func wait<Value>(for find: ([ObserverEvent]) -> Value?) -> Value? {
    let deadline = Date(timeIntervalSinceNow: 120)
    condition.lock()
    defer { condition.unlock() }
    while true {
      if let value = find(events) { return value }
      guard condition.wait(until: deadline) else { return nil }
    }
  }

  var all: [ObserverEvent] {
    condition.lock()
    defer { condition.unlock() }
    return events
  }

  func waitForSession(of app: String) -> SessionID? {
    wait { events in
      for case .appeared(let session, let heartbeat, _) in events where heartbeat.app == app {
        return session
      }
      return nil
    }
  }

  func waitForRecords(_ count: Int) -> [Record]? {
    wait { events in
      let records = events.records
      return records.count >= count ? records : nil
    }
  }
}

extension [ObserverEvent] {
  var records: [Record] {
    compactMap { event in
      if case .record(_, let record) = event { record } else { nil }
    }
  }
}
