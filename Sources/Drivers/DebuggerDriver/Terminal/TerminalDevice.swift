internal import CSurfTTY
import Glibc
import SurfThreads
import TerminalScreen

/// The descriptor and mode of a `Terminal`. Nothing waits for the terminal itself. `hold` and
/// `write` may wait briefly for a thread or handler that is giving it back.
struct TerminalDevice: ~Copyable {
  private let descriptor: Descriptor
  /// The mode before we changed it.
  private let former: termios

  var raw: Int32 { descriptor.raw }

  private init(_ descriptor: consuming Descriptor, _ former: termios) {
    self.descriptor = descriptor
    self.former = former
  }

  /// Opens the terminal again, because standard input, which others may share, must keep blocking.
  static func open(path: String) throws(TerminalError) -> TerminalDevice {
    let raw = Glibc.open(path, O_RDWR | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    let descriptor = try Descriptor(owning: raw < 0 ? -errno : raw) {
      TerminalError.noTerminal(errno: $0)
    }
    var mode = termios()
    guard tcgetattr(descriptor.raw, &mode) == 0 else { throw .noTerminal(errno: errno) }
    return TerminalDevice(descriptor, mode)
  }

  /// Whether it belongs to another job of the shell, which must not be disturbed.
  var isInBackground: Bool {
    let owner = tcgetpgrp(raw)
    return owner > 0 && owner != getpgrp()
  }

  /// 80 by 24 if unknown.
  var size: ScreenSize {
    var size = winsize()
    guard ioctl(raw, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
      return ScreenSize(width: 80, height: 24)
    }
    return ScreenSize(width: Int(size.ws_col), height: Int(size.ws_row))
  }

  /// Puts the terminal into raw mode. Giving it back writes `off` and restores the mode.
  func hold(off: [UInt8]) throws(TerminalError) {
    var former = former
    let result = off.withUnsafeBytes {
      surf_tty_hold(raw, &former, $0.baseAddress?.assumingMemoryBound(to: CChar.self), $0.count)
    }
    guard result != -EINVAL else { throw .noResources(errno: EINVAL) }
    guard result == 0 else { throw .closed }
  }

  /// Nil if nothing has arrived.
  func read() throws(TerminalError) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 4_096)
    let count = Glibc.read(raw, &bytes, bytes.count)
    if count < 0, errno == EAGAIN || errno == EINTR { return nil }
    guard count > 0 else { throw .closed }
    return Array(bytes.prefix(count))
  }

  /// The octets written. 0 if the terminal takes none now or we do not hold it.
  func write(_ bytes: ArraySlice<UInt8>) throws(TerminalError) -> Int {
    let count = bytes.withUnsafeBytes { surf_tty_write(raw, $0.baseAddress, $0.count) }
    guard count >= 0 else { throw .closed }
    return count
  }
}
