import SurfSockets

/// The room that a receiving socket asked for, and got. All in bytes, as the kernel's limits count.
package struct ReceiveBuffer: Equatable, Sendable {
  /// What every socket asks for.
  package var requested: Int
  /// What it got.
  package var granted: Int
  /// `net.core.rmem_max`, above which only a privileged process gets more; `nil` if it cannot be
  /// read, as in some containers.
  var systemMax: Int?

  /// Whether a burst may overflow it sooner than intended.
  package var isShort: Bool { granted < requested }

  /// What this socket got.
  package init(of socket: UDPSocket) {
    requested = UDPSocket.receiveBufferSize
    granted = socket.receiveBufferSize
    do throws(SocketError) {
      let text = try SystemFile.text("/proc/sys/net/core/rmem_max")
      systemMax = Int(text.prefix { $0.isNumber })
    } catch {
      systemMax = nil
    }
  }
}
