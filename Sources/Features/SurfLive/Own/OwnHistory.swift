package import SurfNetwork
package import SurfWire

/// A program's own history, for a debugger within it. The packets that the program keeps for
/// viewers that join late are the history: so a debugger that is not open costs nothing, one that
/// is open holds nobody up, and neither needs a network.
package struct OwnHistory: Sendable {
  /// What became of a request; called once, on any thread.
  package typealias Completion = @Sendable (Outcome.Result) -> Void

  private let recorder: Recorder

  fileprivate init(_ recorder: Recorder) { self.recorder = recorder }

  /// As the program knows its own debugger.
  package var viewer: ViewerID { recorder.ownViewer }

  /// What was recorded, from a packet on; nil if the program has never recorded.
  package func packets(from place: SequenceNumber?, sizeMax: Int) -> OwnPackets? {
    recorder.ownPackets(from: place, sizeMax: sizeMax)
  }

  /// Asks for a state, as any viewer may. All viewers see who moved the program.
  package func reset(
    to target: Position, state: Content?, from file: String? = nil, by name: String,
    completion: @escaping Completion
  ) {
    recorder.ask(name, target, state, from: file, isCommand: false, completion)
  }

  /// Asks for something to be done with the history: the bytes of a command (Protocol.md §11.5).
  package func command(_ bytes: [UInt8], by name: String, completion: @escaping Completion) {
    let content = Content(type: "application/json", bytes: bytes)
    recorder.ask(name, .elsewhere, content, from: nil, isCommand: true, completion)
  }
}

extension Transceiver {
  /// Nil if recording is off.
  package var ownHistory: OwnHistory? { recorder.map { OwnHistory($0) } }
}

/// What a debugger within the program has asked for and not been answered.
struct OwnRequests: Sendable {
  /// A struct around the closure, for the reason that `ResetQueue` gives.
  struct Waiting: Sendable {
    let complete: OwnHistory.Completion
  }

  /// As a viewer among others.
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
