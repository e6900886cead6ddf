import Foundation
import SurfStore
import SurfThreads

/// A list that callbacks on any thread append to. Not a Mutex: the thread sanitizer does not see
/// into one that is contended.
final class Log<Entry: Sendable>: Sendable {
  private let list = Monitor<[Entry]>([])

  var entries: [Entry] { list.withLock { $0 } }

  func append(_ entry: Entry) { list.withLock { $0.append(entry) } }
}

/// Lets a callback reach the subscription it belongs to.
final class Box<Content: Sendable>: Sendable {
  private let box = Monitor<Content?>(nil)

  var content: Content? {
    get { box.withLock { $0 } }
    set { box.withLock { $0 = newValue } }
  }
}

/// Appends each action to the state: the state is the order in which actions were applied.
let appending = Reducer<Int, [Int]>.reduce { action, state in state.append(action) }

func appendingStore() -> Store<Int, [Int]> { Store(initial: [], reducer: appending) }

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

/// Runs `body` on a thread of its own, and waits for it.
func onAnotherThread(_ body: @escaping @Sendable () -> Void) {
  let end = DispatchSemaphore(value: 0)
  Thread {
    body()
    end.signal()
  }.start()
  end.wait()
}
