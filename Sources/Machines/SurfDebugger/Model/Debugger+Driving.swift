import SurfControl
import SurfTimeline
import SurfTransport
import SurfWire

/// An app that this viewer drives (Protocol.md §11.9).
struct OwnWheel: Equatable, Sendable {
  var renewAt: Duration
  /// Whether a row has confirmed it. Earlier rows report earlier drivers.
  var isConfirmed = false
}

extension Debugger {
  /// Returns the apps that this viewer drives and forgets them, so that the caller can give the
  /// wheels back.
  package mutating func takeWheels() -> [SessionID] {
    defer { wheels = [:] }
    return Array(wheels.keys)
  }

  /// What outlives the debugger: the apps that this viewer has locked, and that still are.
  package func farewell(in catalog: Catalog) -> [String] {
    catalog.ordered.filter { ownLocks.contains($0.session) && $0.status == .live && $0.isLocked }
      .map { instance in
        let command = ShellCommand("unlock", instance, setting.reach, in: catalog)
        return "\(instance.label) is still locked. Try: \(command.text)"
      }
  }

  /// Takes the wheel, or gives it back. Asks first before taking it from another viewer.
  mutating func drive(_ instance: Instance) -> [DebuggerEffect] {
    if wheels[instance.session] != nil {
      return ask(.drive(.giveBack), "others may move \(instance.label) again", instance)
    }
    if let driver = instance.driver, driver.viewer != setting.viewer {
      ask(Consent.Wish.takeOver, instance)
      return []
    }
    return take(over: false, instance)
  }

  mutating func take(over: Bool, _ instance: Instance) -> [DebuggerEffect] {
    let title = "you drive \(instance.label): others cannot move it"
    return ask(.drive(.take(over: over)), title, instance)
  }

  mutating func settle(_ wish: WheelRequest, of session: SessionID, isDone: Bool) {
    switch wish {
    case .take where isDone:
      wheels[session, default: OwnWheel(renewAt: now)].renewAt = now + Timers.wheelRenewal
    case .take, .giveBack: wheels[session] = nil
    }
  }

  mutating func renewWheels(in catalog: Catalog) -> [DebuggerEffect] {
    var effects: [DebuggerEffect] = []
    for (session, wheel) in wheels where wheel.renewAt <= now {
      wheels[session]?.renewAt = now + Timers.wheelRenewal
      guard let instance = catalog[session], instance.status == .live else { continue }
      effects += ask(.drive(.take(over: false)), "", instance)
    }
    return effects
  }

  /// Notifies the person when this viewer has lost a wheel.
  mutating func watchWheels(in catalog: Catalog) {
    for (session, wheel) in wheels {
      guard let instance = catalog[session], let note = instance.timeline.wheel else { continue }
      if note.driver != nil, note.driver?.viewer == setting.viewer {
        wheels[session]?.isConfirmed = true
      } else if wheel.isConfirmed {
        wheels[session] = nil
        let driver = note.driver.map { "\($0.title) drives" } ?? "nobody drives"
        tell("\(driver) \(instance.label) now; you no longer do", .failed)
      }
    }
  }
}
