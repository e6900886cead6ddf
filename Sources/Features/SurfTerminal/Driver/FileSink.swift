import Glibc
import SurfThreads

/// Writes all bytes to a descriptor.
struct FileSink {
  private let descriptor: Int32
  init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// False if it failed; `errno` says why.
  func write(_ bytes: [UInt8]) -> Bool {
    var offset = 0
    while offset < bytes.count {
      let count = bytes.withUnsafeBytes { bytes in
        Glibc.write(descriptor, bytes.baseAddress?.advanced(by: offset), bytes.count - offset)
      }
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN {
        waitForRoom()
        continue
      }
      guard count > 0 else { return false }
      offset += count
    }
    return true
  }

  /// Another process that shares the descriptor may have made it non-blocking.
  private func waitForRoom() {
    do throws(ThreadError) {
      _ = try Poller.wait(writing: [descriptor], until: nil)
    } catch {
      // Then it is tried again at once, which may fail again.
    }
  }
}
