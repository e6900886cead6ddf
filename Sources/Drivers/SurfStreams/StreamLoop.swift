import SurfSockets
import SurfThreads

/// One thread that moves bytes between TCP streams and a machine.
///
/// It ends with `stop`, or soon after the last reference to it is gone.
package final class StreamLoop<Machine: StreamMachine>: Sendable {
  /// Where it listens, in the order of the wishes, with the real ports.
  package let addresses: [TCPAddress]
  private let inbox: StreamInbox<Machine.Input>
  private let thread: Thread

  /// Listens on all of `listeners` (none is fine for a machine that only connects), or fails. The
  /// machine is made on the loop's thread and never leaves it; its times count from `origin`, by
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

  /// What it saw until its last turn.
  package var counters: StreamCounters { inbox.counters }

  /// Gives the machine an input, from any thread, and never blocks. Inputs of one thread arrive in
  /// order, each once. They wait without a bound for the loop's next turn, which comes at once.
  /// False if the loop was stopped; the input is then dropped.
  @discardableResult
  package func send(_ input: Machine.Input) -> Bool { inbox.append(.input(input)) }

  /// Ends the loop: it takes the inputs already sent, gives unsent bytes up to
  /// `StreamLimits.stopMax`, then closes all streams and tells each one's `.closed`. Returns once
  /// the thread is gone; from the loop's own thread at once.
  package func stop() {
    inbox.close()
    thread.join()
  }
}
