import SurfSockets
import SurfThreads

/// A thread that moves bytes between TCP streams and a machine, for the gateway and `DevTools`.
///
/// It ends with `stop`, or soon after the last reference is gone.
package final class StreamLoop<Machine: StreamMachine>: Sendable {
  /// The listening addresses, in the order requested, with the actual ports.
  package let addresses: [TCPAddress]
  private let inbox: StreamInbox<Machine.Input>
  private let thread: Thread

  /// Listens on all of `listeners`, or throws. A machine that only connects needs none. The machine
  /// is made on the loop's thread and never leaves it. Its times count from `origin` of
  /// `monotonicNow()`. The system shows the first 15 bytes of `name`.
  package init(
    listeners wishes: [TCPAddress], name: String, limits: StreamLimits = StreamLimits(),
    origin: Duration = monotonicNow(), makeMachine: @escaping @Sendable () -> Machine
  ) throws(SocketError) {
    var listeners: [TCPListener] = []
    for wish in wishes { listeners.append(try TCPListener(on: wish)) }
    addresses = listeners.map(\.address)
    let inbox = try SocketError.wrapping { () throws(ThreadError) in
      try StreamInbox<Machine.Input>(StreamCounters())
    }
    self.inbox = inbox
    do throws(ThreadError) {
      thread = try Thread.start(name: name) { [listeners] in
        StreamDriver(
          listeners: listeners, inbox: inbox, limits: limits, origin: origin,
          machine: makeMachine()
        ).run()
      }
    } catch {
      throw .threads(error)
    }
  }

  deinit { inbox.close() }

  /// As of the last turn.
  package var counters: StreamCounters { inbox.counters }

  /// Sends the machine an input from any thread, and never blocks. Inputs of one thread arrive in
  /// order, each once. The queue is unbounded, but the loop's next turn starts at once. Returns
  /// false, and drops the input, if the loop was stopped.
  @discardableResult
  package func send(_ input: Machine.Input) -> Bool { inbox.append(.input(input)) }

  /// Ends the loop: it handles the inputs already sent, gives unsent bytes up to
  /// `StreamLimits.stopMax`, then closes all streams and reports each one's `.closed`. Returns once
  /// the thread is gone, or at once on the loop's own thread.
  package func stop() {
    inbox.close()
    thread.join()
  }
}
