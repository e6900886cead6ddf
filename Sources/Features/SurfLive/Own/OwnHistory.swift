package import SurfNetwork
package import SurfWire

/// A program's own history, for `StateSurfDebugger`. It reads the packets that the program keeps
/// for viewers that join late. So a closed debugger costs nothing, an open one delays nobody, and
/// neither needs a network.
package struct OwnHistory: Sendable {
  /// Receives the result of a request; called once, on any thread.
  package typealias Completion = @Sendable (Outcome.Result) -> Void

  private let recorder: Recorder

  package init(_ recorder: Recorder) { self.recorder = recorder }

  /// The viewer id that the program gives its own debugger.
  package var viewer: ViewerID { recorder.ownViewer }

  /// The recorded packets from `place` on; nil if the program has never resumed.
  package func packets(from place: SequenceNumber?, sizeMax: Int) -> OwnPackets? {
    recorder.ownPackets(from: place, sizeMax: sizeMax)
  }

  /// Puts the program into a state, as any viewer may. All viewers see who moved it.
  package func reset(
    to target: Position, state: Content?, from file: String? = nil, by name: String,
    completion: @escaping Completion
  ) {
    recorder.ask(name, target, state, from: file, isCommand: false, completion)
  }

  /// Sends a command about the history, as encoded bytes (Protocol.md §11.5).
  package func command(_ bytes: [UInt8], by name: String, completion: @escaping Completion) {
    let content = Content(type: "application/json", bytes: bytes)
    recorder.ask(name, .elsewhere, content, from: nil, isCommand: true, completion)
  }
}

/// The unanswered requests of a debugger within the program.
struct OwnRequests: Sendable {
  /// A struct around the closure, for the reason that `ResetQueue.Decider` gives.
  struct Waiting: Sendable {
    let complete: OwnHistory.Completion
  }

  /// The debugger's id among viewers.
  let viewer = ViewerID(rawValue: .random(in: 1 ... .max))
  private var newest: UInt64 = 0
  private var waiting: [UInt64: Waiting] = [:]

  mutating func add(_ completion: @escaping OwnHistory.Completion) -> UInt64 {
    newest += 1
    waiting[newest] = Waiting(complete: completion)
    return newest
  }

  mutating func take(_ request: UInt64) -> Waiting? { waiting.removeValue(forKey: request) }
}
