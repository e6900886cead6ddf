import Glibc
import SurfSockets

/// The processes that hold a UDP port of this network namespace, as far as this user may see.
package enum PortHolders {
  /// `name#pid` of each process with a socket that keeps others from binding to `group` on `port`;
  /// empty if the processes belong to another user.
  package static func names(of port: UInt16, group: UInt32) -> [String] {
    let inodes = ["/proc/net/udp", "/proc/net/udp6"].reduce(into: Set<Substring>()) {
      inodes, path in
      inodes.formUnion(self.inodes(in: text(path), port: port, group: group))
    }
    let links = Set(inodes.map { "socket:[\($0)]" })
    guard !links.isEmpty else { return [] }
    return entries(of: "/proc").filter { UInt32($0) != nil && holds($0, links) }.map { process in
      let name = text("/proc/\(process)/comm").prefix { $0 != "\n" }
      return "\(name.isEmpty ? "process" : name)#\(process)"
    }
  }

  /// Reads the form of /proc/net/udp: the second field of a line is the local address and port, in
  /// hexadecimal digits, the tenth the socket's inode. Only the wildcard and `group` (host order)
  /// stand in the way.
  package static func inodes(in text: String, port: UInt16, group: UInt32) -> Set<Substring> {
    var inodes: Set<Substring> = []
    for line in text.split(separator: "\n").dropFirst() {
      let fields = line.split(separator: " ")
      guard fields.count > 9 else { continue }
      let local = fields[1].split(separator: ":")
      guard local.count == 2, UInt16(local[1], radix: 16) == port else { continue }
      let isWildcard = local[0].allSatisfy { $0 == "0" }
      let isGroup = UInt32(local[0], radix: 16) == group.bigEndian
      if isWildcard || isGroup { inodes.insert(fields[9]) }
    }
    return inodes
  }

  private static func holds(_ process: String, _ links: Set<String>) -> Bool {
    let folder = "/proc/\(process)/fd"
    return entries(of: folder).contains { links.contains(target(of: "\(folder)/\($0)")) }
  }

  /// Empty if the folder cannot be read: the process may have ended, or belong to another user.
  private static func entries(of folder: String) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      names.append(
        withUnsafePointer(to: &entry.pointee.d_name) { name in
          name.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        })
    }
    return names
  }

  private static func target(of link: String) -> String {
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = bytes.withUnsafeMutableBytes { buffer in
      buffer.withMemoryRebound(to: CChar.self) { name in
        name.baseAddress.map { readlink(link, $0, name.count) } ?? 0
      }
    }
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }

  private static func text(_ path: String) -> String {
    do throws(SocketError) {
      return try SystemFile.text(path)
    } catch {
      return ""
    }
  }
}
