/// What a terminal has not taken yet: one screen at most, as no other is made before.
struct OutgoingBytes {
  private var bytes: ArraySlice<UInt8> = []
  private let patience: Duration
  /// When it is an error that the terminal takes nothing; nil if there is nothing to take.
  private(set) var deadline: Duration?

  init(patience: Duration) { self.patience = patience }

  var isEmpty: Bool { bytes.isEmpty }

  mutating func add(_ more: [UInt8]) { bytes += more }

  /// The shell had the terminal meanwhile: the rest means nothing any more.
  mutating func drop() {
    bytes = []
    deadline = nil
  }

  /// Does not wait.
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
