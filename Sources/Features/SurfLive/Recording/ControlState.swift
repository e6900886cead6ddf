internal import SurfControl
internal import SurfNetwork
internal import SurfThreads
internal import SurfWire

/// Which commands the app takes, and the sink that announces it to viewers, once there is one.
///
/// It is separate from the recorder because the reset queue refers to it weakly. An object with a
/// weak reference costs more to retain, and every call that records retains the recorder.
final class ControlState: Sendable {
  private let control = Monitor<Heartbeat.Control>(.hasWheel)
  let sink = Monitor<(any RecordSink)?>(nil)

  var current: Heartbeat.Control { control.withLock { $0 } }

  /// Announces it to viewers, now or when the app goes on the wire.
  func announce(_ control: Heartbeat.Control) {
    change { $0 = control.union($0.intersection([.hasWheel, .driven])) }
  }

  /// The same for `PlainCommands`. A `Controller` has commands of its own.
  func announcePlain(_ control: Heartbeat.Control) {
    if !current.contains(.replays) { announce(control) }
  }

  private func change(_ body: (inout Heartbeat.Control) -> Void) {
    let control = control.withLock { control in
      body(&control)
      return control
    }
    sink.withLock { $0 }?.perform(.control(control))
  }

  /// Adds the record that tells every viewer who drives (Protocol.md §11.9).
  func tell(_ change: Wheel.Change, through mailbox: Mailbox) {
    let control = current
    self.change { $0 = change.driver == nil ? $0.subtracting(.driven) : $0.union(.driven) }
    let revision = Revision(
      command: "drive", viewerName: change.viewer.name,
      replay: control.contains(.replays) ? .exact : .approximate,
      isLocked: control.contains(.locked), isPaused: control.contains(.paused),
      driver: change.driver.map { .init(viewer: $0.viewer.rawValue, name: $0.name) })
    var entry = Entry(kind: .revision, subject: change.title, source: .none)
    entry.payload = .report { _ in Content(type: Piece.json, bytes: revision.json.bytes()) }
    _ = mailbox.add(entry)
  }
}

extension Wheel.Change {
  /// The viewer that drives now.
  fileprivate var driver: WheelDriver? {
    if case .taken(let driver, _) = self { driver } else { nil }
  }

  /// The viewer that caused the change.
  fileprivate var viewer: WheelDriver {
    switch self {
    case .taken(let driver, _), .givenBack(let driver), .lapsed(let driver): driver
    }
  }

  fileprivate var title: String {
    switch self {
    case .taken(let driver, nil): "driven by \(driver.title)"
    case .taken(let driver, let former?): "driven by \(driver.title), after \(former.title)"
    case .givenBack(let driver): "wheel given back by \(driver.title)"
    case .lapsed(let driver): "wheel of \(driver.title) is free: not renewed"
    }
  }
}
