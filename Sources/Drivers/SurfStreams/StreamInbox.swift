import SurfThreads

/// The inputs of other threads, on their way to the loop's thread.
final class StreamInbox<Input: Sendable>: Sendable {
  typealias Answer = (StreamID, Result<[TCPAddress], ResolveError>)

  private struct State {
    var inputs: [Input] = []
    var answers: [Answer] = []
    var isOpen = true
    var counters = StreamCounters()
  }

  let poller: Poller
  private let state = Monitor(State())

  init() throws(ThreadError) { poller = try Poller() }

  var isOpen: Bool { state.withLock { $0.isOpen } }
  var counters: StreamCounters { state.withLock { $0.counters } }

  func report(_ counters: StreamCounters) { state.withLock { $0.counters = counters } }

  /// False once closed; what was taken before is still delivered.
  func append(_ input: Input) -> Bool {
    let isTaken = state.withLock { state in
      if state.isOpen { state.inputs.append(input) }
      return state.isOpen
    }
    if isTaken { poller.wake() }
    return isTaken
  }

  func answer(_ answer: Answer) {
    state.withLock { if $0.isOpen { $0.answers.append(answer) } }
    poller.wake()
  }

  func take() -> (inputs: [Input], answers: [Answer]) {
    state.withLock { state in
      defer {
        state.inputs = []
        state.answers = []
      }
      return (state.inputs, state.answers)
    }
  }

  func close() {
    state.withLock { $0.isOpen = false }
    poller.wake()
  }
}
