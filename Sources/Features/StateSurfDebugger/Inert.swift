#if !Live
  internal import StateSurf
  internal import SurfNetwork
  internal import SurfWire

  /// Without the trait `Live` nothing is recorded: this type has no values, and no debugger opens.
  struct OwnHistory {
    private let never: Never

    var viewer: ViewerID { switch never {} }

    func packets(from place: SequenceNumber?, sizeMax: Int) -> OwnPackets? { switch never {} }

    func reset(
      to target: Position, state: Content?, from file: String?, by name: String,
      completion: @escaping @Sendable (Outcome.Result) -> Void
    ) {}

    func command(
      _ bytes: [UInt8], by name: String,
      completion: @escaping @Sendable (Outcome.Result) -> Void
    ) {}
  }

  extension Transceiver {
    var ownHistory: OwnHistory? { nil }
  }
#endif
