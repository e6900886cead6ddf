import SurfBasics

/// The calls to one app that may not be overtaken yet, in their order. Each step takes the same
/// time, however many there are.
struct CallOrder: Sendable {
  private var waiting = Queue<Int>()
  /// Behind others that are not.
  private var passed: Set<Int> = []

  var isEmpty: Bool { waiting.isEmpty }

  /// - Parameter call: A number above those of all earlier calls.
  mutating func begin(_ call: Int) { waiting.append(call) }

  /// Later calls may go. To say so twice changes nothing.
  mutating func pass(_ call: Int) {
    guard let first = waiting.first, call >= first else { return }
    passed.insert(call)
    while let first = waiting.first, passed.remove(first) != nil { _ = waiting.popFirst() }
  }

  func mayGo(_ call: Int) -> Bool { waiting.first.map { call <= $0 } ?? true }
}
