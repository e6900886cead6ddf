import SurfThreads
import SwiftRexStyle

/// Rings for all who listen: a source of events outside the store.
final class Bell<Event: Sendable>: Sendable {
  private struct Ears {
    var nextNumber = 0
    var bodies: [Int: @Sendable (Event) -> Void] = [:]
  }

  private let ears = Monitor(Ears())

  /// How many listen.
  var count: Int { ears.withLock { $0.bodies.count } }

  func sink(_ body: @escaping @Sendable (Event) -> Void) -> AnyCancellable {
    let number = ears.withLock { ears in
      ears.nextNumber += 1
      ears.bodies[ears.nextNumber] = body
      return ears.nextNumber
    }
    return AnyCancellable { [self] in ears.withLock { $0.bodies[number] = nil } }
  }

  func ring(_ event: Event) {
    for body in ears.withLock({ Array($0.bodies.values) }) { body(event) }
  }
}
