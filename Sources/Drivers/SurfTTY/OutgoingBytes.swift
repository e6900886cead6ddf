/// Octets that a `Terminal` has not taken yet: one screen at most, because no other is made before.
struct OutgoingBytes {
  private var bytes: ArraySlice<UInt8> = []
  private let patience: Duration
  /// When a terminal that takes nothing counts as stuck; nil while it keeps up.
  private(set) var deadline: Duration?

  init(patience: Duration) { self.patience = patience }

  var isEmpty: Bool { bytes.isEmpty }

  mutating func add(_ more: [UInt8]) { bytes += more }

  /// The shell had the terminal meanwhile, so the rest is meaningless.
  mutating func drop() {
    bytes = []
    deadline = nil
  }

  /// Writes what the terminal takes now.
  mutating func write(to device: borrowing TerminalDevice, at now: Duration) throws(TerminalError) {
    while !bytes.isEmpty {
      let count = try device.write(bytes)
      guard count > 0 else {
        if let deadline, now >= deadline { throw .stuck }
        deadline = deadline ?? now + patience
        return
      }
      bytes = bytes.dropFirst(count)
      deadline = nil
    }
    bytes = []
    deadline = nil
  }
}
