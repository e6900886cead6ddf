// A program that keeps its state in a file, and that a test kills. `saver loop FILE` saves states
// in turn and prints their numbers. `saver wait FILE` restores the last one, changes it, and waits
// for a signal. `saver both FILE` does the same, but listens to the app's life first.
import Glibc
import SurfPersistence
import SurfStore
import SwiftRexStyle

struct Numbers: Codable, Sendable {
  /// All equal, so that a mixture of two states is seen.
  var numbers = [Int](repeating: 0, count: 20_000)
}

/// At once, for the test that kills this program.
func tell(_ number: Int) {
  print(number)
  fflush(nil)
}

let persistence = Persistence(path: CommandLine.arguments[2])
let counting = Reducer<Void, Numbers>.reduce { _, state in
  state.numbers = state.numbers.map { $0 + 1 }
}
let store = Store(initial: Numbers(), reducer: counting)
switch CommandLine.arguments[1] {
case "loop":
  while true {
    store.dispatch(())
    try store.save(to: persistence)
    tell(store.state.numbers[0])
  }
case let work:
  let life = work == "both" ? EventSource.appLifecycle.sink { print($0) } : nil
  let watch = try store.persist(in: persistence)
  store.dispatch(())
  tell(store.state.numbers[0])
  withExtendedLifetime((watch, life)) {
    while true { pause() }
  }
}
