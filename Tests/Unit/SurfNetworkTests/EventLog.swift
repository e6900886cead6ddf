import Foundation
import SurfObserver
import SurfWire
import TestSupport

/// An observer's events, and a way to wait for one.
// Unchecked: its variables are only touched while `condition`, which is a lock, is held.
final class EventLog: @unchecked Sendable {
  private let condition = NSCondition()
  private var events: [ObserverEvent] = []
  private var decoders: [SessionID: RecordDecoder] = [:]
  private var made: [Record] = []

  func add(_ event: ObserverEvent) {
    condition.lock()
    events.append(event)
    if case .record(let session, let arrived) = event,
      let record = decoders[session, default: RecordDecoder()].make(arrived)
    {
      made.append(record)
    }
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
    // Called under the lock.
    wait { _ in made.count >= count ? made : nil }
  }

  /// With whole states.
  var records: [Record] {
    condition.lock()
    defer { condition.unlock() }
    return made
  }
}

extension ObserverEvent {
  /// A live record with a whole state.
  static func record(_ session: SessionID, _ record: Record) -> ObserverEvent {
    .record(session, ArrivedRecord(record))
  }
}
