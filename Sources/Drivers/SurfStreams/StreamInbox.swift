import SurfThreads

/// What other threads leave for the loop's thread.
typealias StreamInbox<Input: Sendable> = LoopInbox<StreamLetter<Input>, StreamCounters>

enum StreamLetter<Input: Sendable>: Sendable {
  case input(Input)
  case answer(StreamID, Result<[TCPAddress], ResolveError>)
}
