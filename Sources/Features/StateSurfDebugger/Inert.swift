#if !Live
  internal import StateSurf
  internal import SurfNetwork
  internal import SurfWire

  /// Stands in for the real type without the trait `Live`: nothing is recorded, and no debugger
  /// opens.
  struct OwnHistory: Sendable {
    var viewer: ViewerID { ViewerID(rawValue: 0) }

    func packets(from place: SequenceNumber?, sizeMax: Int) -> OwnPackets? { nil }

    func reset(
      to target: Position, state: Content?, from file: String?, by name: String,
      completion: @escaping @Sendable (Outcome.Result) -> Void
    ) {
      completion(.forbidden)
    }

    func command(
      _ bytes: [UInt8], by name: String,
      completion: @escaping @Sendable (Outcome.Result) -> Void
    ) {
      completion(.forbidden)
    }
  }

  extension Transceiver {
    var ownHistory: OwnHistory? { nil }
  }
#endif
