import Glibc
import SurfSockets

/// Converts addresses to and from the kernel's `sockaddr` types.
extension TCPAddress {
  /// AF_INET or AF_INET6.
  var family: Int32 {
    switch host {
    case .v4: AF_INET
    case .v6: AF_INET6
    }
  }

  /// Nil for another family, or if there are fewer bytes than the family needs.
  init?(_ pointer: UnsafePointer<sockaddr>, size: Int) {
    guard size >= MemoryLayout<sa_family_t>.size else { return nil }
    let bytes = UnsafeRawPointer(pointer)
    switch Int32(pointer.pointee.sa_family) {
    case AF_INET where size >= MemoryLayout<sockaddr_in>.size:
      let endpoint = IPv4Endpoint(bytes.loadUnaligned(as: sockaddr_in.self))
      self.init(.v4(endpoint.address), port: endpoint.port)
    case AF_INET6 where size >= MemoryLayout<sockaddr_in6>.size:
      let address = bytes.loadUnaligned(as: sockaddr_in6.self)
      self.init(
        .v6(IPv6Address(address.sin6_addr, scope: address.sin6_scope_id)),
        port: UInt16(bigEndian: address.sin6_port))
    default:
      return nil
    }
  }

  /// Calls `body` with the form that bind and connect take.
  func withSocketAddress(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    switch host {
    case .v4(let address):
      Self.withBytes(of: sockaddr_in(IPv4Endpoint(address: address, port: port)), body)
    case .v6(let address):
      Self.withBytes(of: sockaddr_in6(address, port: port), body)
    }
  }

  private static func withBytes<Address>(
    of address: Address, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<Address>.size))
      }
    }
  }

  /// Calls getsockname, getpeername or accept4, and returns its result and the address, if any.
  static func read(
    _ call: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
  ) -> (result: Int32, address: TCPAddress?) {
    var storage = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return withUnsafeMutablePointer(to: &storage) { storage in
      storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        let result = call(pointer, &size)
        guard result >= 0 else { return (result, nil) }
        return (result, TCPAddress(UnsafePointer(pointer), size: Int(size)))
      }
    }
  }
}

extension sockaddr_in6 {
  init(_ address: IPv6Address, port: UInt16) {
    self.init()
    sin6_family = sa_family_t(AF_INET6)
    sin6_port = port.bigEndian
    sin6_addr = address.inAddress
    sin6_scope_id = address.scope
  }
}
