import CSurfSockets
import Glibc
import SurfThreads

/// The buffers that one system call fills with datagrams: 2 MiB of address space, of which only
/// what was ever filled takes memory.
struct Inbox: ~Copyable {
  private let pointer: OpaquePointer
  /// Buffers that the next call may fill.
  private var limit = Self.countMin
  /// Whether the last call filled all that it might.
  private(set) var isFull = false

  /// A few long runs stay in the processor's cache until they are read: that takes a viewer of
  /// 64 KB states a tenth less time than eight of them.
  static let countMin: Int32 = 4
  /// Datagrams that come one by one are short, and a call for each four would cost more than they.
  static let countMax = Int32(SURF_INBOX_COUNT)
  private static let longSizeMin = 16_384

  init() throws(SocketError) {
    guard let pointer = surf_inbox_create() else {
      throw .system(.allocateBuffers, errno: ENOMEM)
    }
    self.pointer = pointer
  }

  deinit { surf_inbox_free(pointer) }

  /// Returns how many buffers were filled, or a negated errno.
  mutating func fill(from descriptor: borrowing Descriptor) -> Int32 {
    let filled = surf_inbox_receive(pointer, descriptor.raw, UInt32(limit))
    isFull = filled == limit
    let mustGrow = isFull && self[filled - 1].size < Self.longSizeMin
    limit = mustGrow ? min(limit * 2, Self.countMax) : Self.countMin
    return filled
  }

  /// What buffer `index` holds, until the next `fill`.
  subscript(index: Int32) -> surf_received {
    surf_inbox_at(pointer, UInt32(index))
  }
}
