import SurfSockets
import SurfThreads

/// A thread that moves bytes between TCP streams and a machine, for the gateway and `DevTools`.
///
/// It ends with `stop`, or soon after the last reference is gone. Its thread keeps the machine and
/// never the loop, so a machine that calls the loop must refer to it weakly.
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
  /// order, each once. The queue is unbounded, but the loop's next turn starts immediately. Returns
  /// false, and drops the input, if the loop was stopped.
  @discardableResult
  package func send(_ input: Machine.Input) -> Bool { inbox.append(.input(input)) }

  /// Ends the loop: it handles the inputs already sent, gives unsent bytes up to
  /// `StreamLimits.stopMax`, then closes all streams and reports each one's `.closed`. Returns once
  /// the thread is gone, or immediately on the loop's own thread.
  package func stop() {
    inbox.close()
    thread.join()
  }
}

/// The inbox of a loop's thread, for the messages of other threads.
typealias StreamInbox<Input: Sendable> = LoopInbox<StreamLetter<Input>, StreamCounters>

enum StreamLetter<Input: Sendable>: Sendable {
  case input(Input)
  case answer(StreamID, Result<[TCPAddress], ResolveError>)
}

/// The limits of a `StreamLoop`. Sizes in bytes.
package struct StreamLimits: Equatable, Sendable {
  /// The number of accepted and connected streams together. The loop closes a further accepted
  /// stream immediately, and fails a further `.connect`.
  package var streamsMax = 256
  /// Unsent bytes of one stream. If more are left after the kernel took what it could, the peer is
  /// too slow, and the loop aborts the stream. A single larger write may fail.
  package var unsentMax = 16 << 20
  /// Unsent bytes of all streams together. Beyond it, the loop aborts the stream with the most.
  package var unsentSumMax = Int.max
  /// The threshold of `StreamEvent.progress`.
  package var lowWater = 256 << 10
  /// Bytes to read from one stream in one turn, so that it does not starve the others.
  var readSize = 64 << 10
  /// Bytes to read from all streams in one turn, so that reading does not starve everything else.
  var turnReadSize = 1 << 20
  /// The timeout of a stream that the peer half closed, since the last progress.
  package var halfOpenMax = Duration.seconds(30)
  /// The timeout for the unsent bytes of a stream that the machine closes, since the last progress.
  package var closingMax = Duration.seconds(10)
  /// The timeout for the peer to close its side after the loop did. Closing the socket earlier
  /// would reset the connection if more bytes arrive, and the peer might lose unread bytes (RFC
  /// 9112 §9.6).
  package var lingerMax = Duration.seconds(1)
  /// The timeout for unsent bytes when the loop stops.
  package var stopMax = Duration.milliseconds(500)
  /// How long to pause accepting when the process or the system is out of resources.
  package var acceptPause = Duration.milliseconds(100)

  package init() {}
}

/// The counters of a `StreamLoop` since its start.
package struct StreamCounters: Equatable, Sendable {
  /// Incoming connections accepted.
  package var accepted = 0
  /// Incoming connections closed immediately because of `StreamLimits.streamsMax`.
  package var turnedAway = 0
  /// Pauses because the process or the system had no resources to accept a connection.
  package var acceptPauses = 0
  /// Streams that ended, for any reason.
  package var closed = 0
  /// Bytes that the kernel took.
  package var sent = 0
  /// Turns of the loop. Many idle turns mean that it spins.
  package var turns = 0
}
