import Glibc
import SurfThreads
import SurfWire

/// What distinguishes processes on a LAN, for heartbeats and DNS-SD. By the name, `statesurf` also
/// knows which apps are on its own machine, and tells all viewers who moved an app.
package struct HostFacts: Sendable {
  /// Clipped as heartbeats carry it, so that DNS-SD announces the same name.
  package let name: String
  package let processID: UInt32

  package init(name: String, processID: UInt32) {
    self.name = name.clipped(toUTF8: Limits.labelSizeMax)
    self.processID = processID
  }

  /// Read each time, because a forked child is another process.
  package static var current: HostFacts {
    HostFacts(name: ownName, processID: UInt32(clamping: getpid()))
  }

  /// Describes the app and this machine.
  package static func introduction(version: String, identifier: String) -> Introduction {
    Introduction(version: version, identifier: identifier, system: system, machine: machine)
  }

  /// At most 64 bytes on Linux (gethostname(2)); empty if the system does not say.
  private static let ownName = kernel(\.nodename)

  /// The distribution's own name (os-release(5)), or the kernel's (uname(2)).
  private static let system =
    MachineFacts.system(osRelease: text(at: "/etc/os-release") ?? text(at: "/usr/lib/os-release"))
    ?? [kernel(\.sysname), kernel(\.release)].joined(separator: " ")

  /// The model according to the firmware of a PC or a board, or else the processor (uname(2)).
  private static let machine =
    ["/sys/class/dmi/id/product_name", "/proc/device-tree/model"].lazy
    .compactMap { text(at: $0).flatMap(MachineFacts.model) }.first ?? kernel(\.machine)

  /// Nil for a file that is missing or too large to be one of these.
  private static func text(at path: String) -> String? {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return nil }
    defer { close(file) }
    let sizeMax = 65_536
    guard let octets = FileOctets.read(from: file, sizeMax: sizeMax), octets.count <= sizeMax
    else { return nil }
    return octets.isEmpty ? nil : String(decoding: octets, as: UTF8.self)
  }

  private static func kernel<Field>(_ field: KeyPath<utsname, Field>) -> String {
    var names = utsname()
    guard uname(&names) == 0 else { return "" }
    return withUnsafeBytes(of: names[keyPath: field]) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }
}

/// Parses how an operating system describes itself.
package enum MachineFacts {
  /// The `PRETTY_NAME` of os-release(5), without its quotes, or nil.
  package static func system(osRelease text: String?) -> String? {
    let key = "PRETTY_NAME="
    let line = text?.split(whereSeparator: \.isNewline).last { $0.hasPrefix(key) }
    guard let value = line?.dropFirst(key.count) else { return nil }
    return plain(value.filter { $0 != "\"" && $0 != "'" && $0 != "\\" })
  }

  /// The model's name in the firmware; nil for the default text that its maker left in.
  package static func model(_ text: String) -> String? {
    let vague: Set = ["System Product Name", "To Be Filled By O.E.M.", "Default string", "None"]
    return plain(text).flatMap { vague.contains($0) ? nil : $0 }
  }

  /// Without control characters and surrounding white space; nil if nothing is left.
  private static func plain(_ text: some StringProtocol) -> String? {
    let scalars = text.unicodeScalars.filter { $0.properties.generalCategory != .control }
    let words = String(String.UnicodeScalarView(scalars)).split(separator: " ")
    return words.isEmpty ? nil : words.joined(separator: " ")
  }
}
