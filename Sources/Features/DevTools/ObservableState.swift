internal import SurfThreads

/// The state to show, and its watchers.
final class ObservableState: Sendable {
  private struct Content {
    var state = DevToolsState()
    var listeners: [UInt: @Sendable (DevToolsState) -> Void] = [:]
    var last: UInt = 0
  }

  private let content = Monitor(Content())

  var state: DevToolsState { content.withLock { $0.state } }

  func set(_ change: (inout DevToolsState) -> Void) {
    let (state, listeners) = content.withLock { content in
      change(&content.state)
      return (content.state, content.listeners.sorted { $0.key < $1.key }.map(\.value))
    }
    for listener in listeners { listener(state) }
  }

  func subscribe(_ body: @escaping @Sendable (DevToolsState) -> Void) -> DevToolsSubscription {
    let (number, state) = content.withLock { content in
      content.last &+= 1
      content.listeners[content.last] = body
      return (content.last, content.state)
    }
    body(state)
    return DevToolsSubscription { [weak self] in
      self?.content.withLock { $0.listeners[number] = nil }
    }
  }
}
