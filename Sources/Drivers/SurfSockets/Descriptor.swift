import Glibc
import SurfThreads

extension Descriptor {
  /// Takes ownership of a descriptor. A negative number is a negated errno.
  package init(owning raw: Int32, _ operation: SocketError.Operation) throws(SocketError) {
    try self.init(owning: raw) { SocketError.system(operation, errno: $0) }
  }

  /// A non-blocking UDP socket that child processes do not inherit.
  static func udp() throws(SocketError) -> Descriptor {
    let type = Int32(SOCK_DGRAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    let raw = socket(AF_INET, type, Int32(IPPROTO_UDP))
    return try Descriptor(owning: raw < 0 ? -errno : raw, .open)
  }

  /// Returns the error number, or 0.
  package func trySet<Value: BitwiseCopyable>(_ level: Int32, _ option: Int32, _ value: Value)
    -> Int32
  {
    let result = withUnsafeBytes(of: value) { bytes in
      setsockopt(raw, level, option, bytes.baseAddress, socklen_t(bytes.count))
    }
    return result < 0 ? errno : 0
  }

  package func set<Value: BitwiseCopyable>(
    _ level: Int32, _ option: Int32, _ value: Value, _ name: String
  ) throws(SocketError) {
    let error = trySet(level, option, value)
    guard error == 0 else { throw .system(.setOption(name), errno: error) }
  }

  /// The value of a numeric option; 0 if it cannot be read.
  package func number(_ level: Int32, _ option: Int32) -> Int32 {
    var value: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    return getsockopt(raw, level, option, &value, &size) == 0 ? value : 0
  }

  func bind(to endpoint: IPv4Endpoint) throws(SocketError) {
    let result = withSocketAddress(endpoint) { Glibc.bind(raw, $0, $1) }
    guard result == 0 else { throw .system(.bind(endpoint), errno: errno) }
  }

  func localEndpoint() throws(SocketError) -> IPv4Endpoint {
    var address = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(raw, $0, &size) }
    }
    guard result == 0 else { throw .system(.readLocalEndpoint, errno: errno) }
    return IPv4Endpoint(address)
  }

  private func withSocketAddress(
    _ endpoint: IPv4Endpoint, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    withUnsafePointer(to: sockaddr_in(endpoint)) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }
}

extension sockaddr_in {
  package init(_ endpoint: IPv4Endpoint) {
    self.init()
    sin_family = sa_family_t(AF_INET)
    sin_port = endpoint.port.bigEndian
    sin_addr = in_addr(endpoint.address)
  }
}

extension in_addr {
  /// From an address in host order.
  init(_ address: UInt32) {
    self.init(s_addr: address.bigEndian)
  }
}

extension IPv4Endpoint {
  package init(_ address: sockaddr_in) {
    self.init(
      address: UInt32(bigEndian: address.sin_addr.s_addr),
      port: UInt16(bigEndian: address.sin_port))
  }
}
