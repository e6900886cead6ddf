import Glibc
import SurfThreads
import TerminalScreen

/// Writes all bytes to a descriptor.
struct FileSink {
  private let descriptor: Int32
  init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// The bytes of an app. A terminal gets escapes in place of those that would drive it or be
  /// unseen; all else gets the bytes themselves.
  func write(foreign bytes: [UInt8]) -> Bool {
    write(isatty(descriptor) == 1 ? Self.harmless(bytes) : bytes)
  }

  /// Line by line, and between tabs: text without the need for an escape stays as it is.
  static func harmless(_ bytes: [UInt8]) -> [UInt8] {
    let pieces = bytes.split(omittingEmptySubsequences: false) { $0 == 0x09 || $0 == 0x0A }
    return pieces.reduce(into: []) { result, piece in
      result += escaped(String(decoding: piece, as: UTF8.self)).utf8
      if piece.endIndex < bytes.endIndex { result.append(bytes[piece.endIndex]) }
    }
  }

  /// False if it failed; `errno` says why.
  func write(_ bytes: [UInt8]) -> Bool { FileOctets.write(bytes, to: descriptor) }
}
