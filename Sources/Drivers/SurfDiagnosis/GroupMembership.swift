import SurfSockets

/// A group that some socket of this machine has joined, as the kernel lists it.
package struct GroupMembership: Hashable, Sendable {
  /// The interface it was joined on.
  package var interfaceIndex: UInt32
  /// In host order.
  package var group: UInt32

  /// A membership of `group` (host order) on an interface.
  package init(interfaceIndex: UInt32, group: UInt32) {
    self.interfaceIndex = interfaceIndex
    self.group = group
  }

  /// Every membership of this network namespace.
  package static func all() throws(SocketError) -> [GroupMembership] {
    parse(try SystemFile.text("/proc/net/igmp"))
  }

  /// Reads the form of /proc/net/igmp. Each interface has a line that begins with its index, then
  /// an indented line for each group. That line begins with the group's address: eight hexadecimal
  /// digits of a word whose bytes lie in network order. Other lines are skipped.
  package static func parse(_ text: String) -> [GroupMembership] {
    var memberships: [GroupMembership] = []
    var interfaceIndex: UInt32?
    for line in text.split(separator: "\n") {
      guard let field = line.split(whereSeparator: { $0 == "\t" || $0 == " " }).first else {
        continue
      }
      guard line.first == "\t" else {
        interfaceIndex = UInt32(field)
        continue
      }
      guard let interfaceIndex, let word = UInt32(field, radix: 16) else { continue }
      memberships.append(
        GroupMembership(interfaceIndex: interfaceIndex, group: UInt32(bigEndian: word)))
    }
    return memberships
  }
}
