import SurfThreads

/// The inbox of a loop's thread, for the messages of other threads.
typealias StreamInbox<Input: Sendable> = LoopInbox<StreamLetter<Input>, StreamCounters>

enum StreamLetter<Input: Sendable>: Sendable {
  case input(Input)
  case answer(StreamID, Result<[TCPAddress], ResolveError>)
}
