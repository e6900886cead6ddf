public import FoundationEssentials
internal import SurfControl
internal import SurfWire

extension Transceiver {
  /// A state that a viewer wants the program to be in.
  public struct Reset: Equatable, Sendable {
    /// The bytes as they were recorded; `nil` for the state at the start.
    public let state: Data?
    /// What the bytes are; empty if there are none.
    public let contentType: String
    /// Who wants it: a name to show, which nobody has checked.
    public let viewerName: String
    private let coder: ValueCoder

    init(_ request: ResetRequest) {
      coder = .current
      let isInitial = request.state?.bytes.isEmpty ?? true
      state = isInitial ? nil : request.state.map { Data($0.bytes) }
      contentType = isInitial ? "" : request.state?.type ?? ""
      viewerName = request.viewerName
    }

    /// The state that the bytes describe, as the configuration's `coding` wrote it; `nil` for the
    /// state at the start.
    public func state<State: Decodable>(as type: State.Type) throws -> State? {
      try state.map { try coder.decode(type, from: $0) }
    }
  }

  /// Lets viewers set the state. Without a handler, or with one set only after `resume()`, they are
  /// told that this program takes no resets.
  ///
  /// The handler is called on a thread of StateSurf's, one reset at a time, and may take its time;
  /// four may wait, further ones are told to try again. When it returns, the reset is applied; what
  /// it throws is the reason for which it is rejected, and then the state must be what it was. It
  /// must not record, lest a look back adds to the history. It is kept as long as the transceiver.
  public func onReset(_ handler: @escaping @Sendable (Reset) throws -> Void) {
    recorder?.desk.setHandler { request, answer in
      guard !request.isCommand else { return answer(.forbidden) }
      do {
        try handler(Reset(request))
        answer(.applied)
      } catch {
        answer(.rejected(reason: explanation(of: error)))
      }
    }
  }
}
