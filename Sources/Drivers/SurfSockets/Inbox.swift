import CSurfSockets
import Glibc
import SurfThreads

/// The buffers that one system call fills with datagrams: 2 MiB of address space, of which only
/// what was ever filled takes memory.
struct Inbox: ~Copyable {
  static let count = Int(SURF_INBOX_COUNT)

  private let pointer: OpaquePointer

  init() throws(SocketError) {
    guard let pointer = surf_inbox_create() else {
      throw .system(.allocateBuffers, errno: ENOMEM)
    }
    self.pointer = pointer
  }

  deinit { surf_inbox_free(pointer) }

  /// Returns how many buffers were filled, or a negated errno.
  func fill(from descriptor: borrowing Descriptor) -> Int32 {
    surf_inbox_receive(pointer, descriptor.raw)
  }

  /// What buffer `index` holds, until the next `fill`.
  subscript(index: Int32) -> surf_received {
    surf_inbox_at(pointer, UInt32(index))
  }
}
