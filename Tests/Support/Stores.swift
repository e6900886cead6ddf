internal import Foundation
package import SurfStore
internal import SurfThreads

/// A list that callbacks on any thread append to. Not a Mutex: the thread sanitizer does not see
/// into one that is contended.
package final class Log<Entry: Sendable>: Sendable {
  private let list = Monitor<[Entry]>([])

  package var entries: [Entry] { list.withLock { $0 } }

  package init() {}

  package func append(_ entry: Entry) { list.withLock { $0.append(entry) } }
}

/// Lets a callback reach the subscription it belongs to.
package final class Box<Content: Sendable>: Sendable {
  private let box = Monitor<Content?>(nil)

  package init() {}

  package var content: Content? {
    get { box.withLock { $0 } }
    set { box.withLock { $0 = newValue } }
  }
}

/// Appends each action to the state, which thus shows the order of the actions.
package let appending = Reducer<Int, [Int]>.reduce { action, state in state.append(action) }

package func appendingStore() -> Store<Int, [Int]> { Store(initial: [], reducer: appending) }

/// Runs `body` on a thread of its own, and waits for it.
package func onAnotherThread(_ body: @escaping @Sendable () -> Void) {
  let end = DispatchSemaphore(value: 0)
  Thread {
    body()
    end.signal()
  }.start()
  end.wait()
}
