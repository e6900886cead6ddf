import Glibc
import SurfSockets
import SurfThreads

/// Files in which the kernel tells about itself.
enum SystemFile {
  /// Far above the size of any file read here.
  private static let sizeMax = 1 << 20

  static func text(_ path: String) throws(SocketError) -> String {
    let raw = open(path, O_RDONLY | O_CLOEXEC)
    let descriptor = try Descriptor(owning: raw < 0 ? -errno : raw, .readFile(path))
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while bytes.count < sizeMax {
      let count = read(descriptor.raw, &buffer, buffer.count)
      if count < 0 { throw .system(.readFile(path), errno: errno) }
      if count == 0 { break }
      bytes += buffer[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
