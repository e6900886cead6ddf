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
    guard let bytes = FileOctets.read(from: descriptor.raw, sizeMax: sizeMax) else {
      throw .system(.readFile(path), errno: errno)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
