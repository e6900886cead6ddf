import CSurfSockets

/// How a run of datagrams to one destination is handed to the kernel.
package enum SendMethod: CaseIterable, Sendable {
  /// One sendmsg with UDP_SEGMENT: the kernel, or the card, cuts one buffer into datagrams.
  case segmentation
  /// One sendmmsg.
  case batch
  /// A sendmsg for each.
  case plain
}

/// A staging buffer for datagrams that go to the kernel with one call.
///
/// Copying them together costs a few microseconds per 64 KB, and spares pinning dozens of arrays.
struct SendRun {
  /// Limit of one call. The kernel allows 64 segments (older ones) and 65,507 bytes; staying below
  /// leaves the device driver room for headers.
  static let sizeMax = 64_000
  static let countMax = Int(SURF_SEND_COUNT_MAX)
  /// The largest payload of an IPv4 UDP datagram: 65,535 - 20 - 8.
  static let datagramSizeMax = 65_507

  private(set) var bytes: [UInt8] = []
  private(set) var sizes: [UInt16] = []

  var count: Int { sizes.count }
  var segmentSize: UInt16 { sizes.first ?? 0 }

  init() {
    bytes.reserveCapacity(Self.datagramSizeMax)
    sizes.reserveCapacity(Self.countMax)
  }

  /// Takes as many datagrams from the front as fit one call of `method`: at least one, unless the
  /// first is larger than UDP allows.
  mutating func fill(_ datagrams: some Collection<[UInt8]>, for method: SendMethod) {
    bytes.removeAll(keepingCapacity: true)
    sizes.removeAll(keepingCapacity: true)
    for datagram in datagrams {
      guard admits(datagram.count, method) else { return }
      bytes.append(contentsOf: datagram)
      sizes.append(UInt16(datagram.count))
    }
  }

  private func admits(_ size: Int, _ method: SendMethod) -> Bool {
    guard let first = sizes.first, let last = sizes.last else {
      return size <= Self.datagramSizeMax
    }
    guard count < Self.countMax, bytes.count + size <= Self.sizeMax else { return false }
    return switch method {
    // An empty datagram would leave no trace in a segmented buffer.
    case .segmentation: first == last && size > 0 && size <= Int(first)
    case .batch: true
    case .plain: false
    }
  }
}
