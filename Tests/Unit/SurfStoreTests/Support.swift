import SurfStore
import Synchronization

/// A list that callbacks on any thread append to.
final class Log<Entry: Sendable>: Sendable {
  private let mutex = Mutex<[Entry]>([])

  var entries: [Entry] { mutex.withLock { $0 } }

  func append(_ entry: Entry) { mutex.withLock { $0.append(entry) } }
}

/// Lets a callback reach the subscription it belongs to.
final class Box<Content: Sendable>: Sendable {
  private let mutex = Mutex<Content?>(nil)

  var content: Content? {
    get { mutex.withLock { $0 } }
    set { mutex.withLock { $0 = newValue } }
  }
}

/// Appends each action to the state: the state is the order in which actions were applied.
let appending = Reducer<Int, [Int]>.reduce { action, state in state.append(action) }

func appendingStore() -> Store<Int, [Int]> { Store(initial: [], reducer: appending) }
