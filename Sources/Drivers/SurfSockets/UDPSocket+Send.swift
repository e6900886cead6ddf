import CSurfSystem
import Glibc

/// The result of sending a run of datagrams. `accepted` counts from the front. The caller keeps or
/// drops the rest, which was not sent.
package enum SendOutcome: Equatable, Sendable {
  /// The kernel accepted all of them.
  case sent(Int)
  /// The kernel's buffer is full (EAGAIN, ENOBUFS). The rest may be sent later.
  case wouldBlock(accepted: Int)
  /// The datagram after the accepted ones was refused.
  case failed(accepted: Int, SocketError)

  /// The datagrams, from the front, that the kernel accepted.
  package var accepted: Int {
    switch self {
    case .sent(let count), .wouldBlock(accepted: let count), .failed(accepted: let count, _): count
    }
  }
}

extension UDPSocket {
  /// Sends datagrams to one destination, in order, with as few system calls as the kernel allows.
  /// Never waits.
  package func send(
    _ datagrams: some Collection<[UInt8]>, to destination: IPv4Endpoint
  ) -> SendOutcome {
    let address = sockaddr_in(destination)
    var rest = datagrams[...]
    var accepted = 0
    while !rest.isEmpty {
      let result = sendRun(rest, to: address)
      guard result > 0 else {
        return stop(accepted: accepted, errno: -result, destination)
      }
      accepted += Int(result)
      counters.sent += Int(result)
      rest = rest.dropFirst(Int(result))
    }
    return .sent(accepted)
  }

  /// Sends datagrams of one size, without copying them if the kernel segments. Never waits.
  package func send(_ run: DatagramRun, to destination: IPv4Endpoint) -> SendOutcome {
    let count = run.count
    guard sendMethod == .segmentation, count > 1, run.segmentSize <= interface.datagramSizeMax
    else { return send(run.datagrams, to: destination) }
    let error = withUnsafePointer(to: sockaddr_in(destination)) { address in
      surf_send_segmented(descriptor.raw, address, run.forSystem)
    }
    if error == 0 {
      counters.sent += count
      return .sent(count)
    }
    guard Self.isSegmentationRefusal(error) else {
      return stop(accepted: 0, errno: -error, destination)
    }
    // This finds out whether segmentation is to blame, and sends by other means.
    return send(run.datagrams, to: destination)
  }

  private func stop(
    accepted: Int, errno: Int32, _ destination: IPv4Endpoint
  ) -> SendOutcome {
    errno == EAGAIN || errno == ENOBUFS
      ? .wouldBlock(accepted: accepted)
      : .failed(accepted: accepted, .system(.send(to: destination), errno: errno))
  }

  /// Sends as much as one call can. Returns the number of datagrams, at least 1, or a negated
  /// errno.
  private func sendRun(_ datagrams: some Collection<[UInt8]>, to address: sockaddr_in) -> Int32 {
    staging.fill(datagrams, for: sendMethod)
    guard staging.count > 0 else { return -EMSGSIZE }
    // The kernel refuses segments that exceed the link's MTU. Single datagrams may be fragmented.
    guard sendMethod == .segmentation, staging.count > 1,
      Int(staging.segmentSize) <= interface.datagramSizeMax
    else { return transmit(staging.count > 1 ? .batch : .plain, to: address) }
    let result = transmit(.segmentation, to: address)
    guard Self.isSegmentationRefusal(result) else { return result }
    // Cards without checksum offload, some virtual devices and old kernels refuse. Only a
    // successful resend proves that segmentation was to blame.
    let resent = transmit(.batch, to: address)
    if resent > 0 { sendMethod = .batch }
    return resent
  }

  private static func isSegmentationRefusal(_ result: Int32) -> Bool {
    result == -EIO || result == -EINVAL || result == -ENOPROTOOPT
  }

  private func transmit(_ method: SendMethod, to address: sockaddr_in) -> Int32 {
    let result = withUnsafePointer(to: address) { address in
      staging.bytes.withUnsafeBytes { bytes in
        call(method, address, bytes.baseAddress)
      }
    }
    // A sandbox may forbid sendmmsg alone.
    guard method == .batch, result == -ENOSYS else { return result }
    sendMethod = .plain
    return transmit(.plain, to: address)
  }

  private func call(
    _ method: SendMethod, _ address: UnsafePointer<sockaddr_in>, _ bytes: UnsafeRawPointer?
  ) -> Int32 {
    switch method {
    case .segmentation:
      let octets = UnsafeRawBufferPointer(start: bytes, count: staging.bytes.count)
      let segments = DatagramRun(octets, segmentSize: Int(staging.segmentSize))
      let error = surf_send_segmented(descriptor.raw, address, segments.forSystem)
      return error == 0 ? Int32(staging.count) : error
    case .batch:
      return surf_send_batch(descriptor.raw, address, bytes, staging.sizes, UInt32(staging.count))
    case .plain:
      let error = surf_send_one(descriptor.raw, address, bytes, Int(staging.segmentSize))
      return error == 0 ? 1 : error
    }
  }
}

/// How a `UDPSocket` passes a run of datagrams to the kernel.
package enum SendMethod: CaseIterable, Sendable {
  /// One sendmsg with UDP_SEGMENT: the kernel, or the card, splits one buffer into datagrams.
  case segmentation
  /// One sendmmsg.
  case batch
  /// One sendmsg for each datagram.
  case plain
}

/// A `UDPSocket`'s staging buffer for datagrams that one system call sends.
///
/// Copying costs a few microseconds per 64 KB, and avoids pinning dozens of arrays.
struct SendRun {
  /// The limit of one call. The kernel allows 64 segments (older ones) and 65,507 bytes. Staying
  /// below leaves the device driver space for headers.
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

  /// Takes as many datagrams from the front as one call of `method` can send: at least one, unless
  /// the first exceeds the limit of UDP.
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
