// What the kernel counts, as it counts: the values that actions carry.

/// Clock ticks that one processor, or all of them, spent since the system started.
package struct CPUTimes: Codable, Equatable, Sendable {
  /// `cpu` for all together, then `cpu0`, `cpu1` …
  package let name: String
  package let busy: UInt64
  package let total: UInt64

  /// The time of one processor, or of all.
  package init(name: String, busy: UInt64, total: UInt64) {
    self.name = name
    self.busy = busy
    self.total = total
  }
}

/// Memory in bytes.
package struct Memory: Codable, Equatable, Sendable {
  package var total: UInt64 = 0
  /// What programs could still have without swapping.
  package var available: UInt64 = 0
  package var swapTotal: UInt64 = 0
  package var swapFree: UInt64 = 0

  /// Zeroes by default.
  package init(
    total: UInt64 = 0, available: UInt64 = 0, swapTotal: UInt64 = 0, swapFree: UInt64 = 0
  ) {
    self.total = total
    self.available = available
    self.swapTotal = swapTotal
    self.swapFree = swapFree
  }

  /// The memory in use.
  package var used: UInt64 { total > available ? total - available : 0 }
}

/// Two counters in bytes: received and sent, or read and written.
package struct Traffic: Codable, Equatable, Sendable {
  package let name: String
  package let inbound: UInt64
  package let outbound: UInt64

  /// What passed an interface or a disk.
  package init(name: String, inbound: UInt64, outbound: UInt64) {
    self.name = name
    self.inbound = inbound
    self.outbound = outbound
  }
}

/// One process.
package struct ProcessTimes: Codable, Equatable, Sendable {
  package let id: Int
  package let name: String
  /// Clock ticks that it ran.
  package let ticks: UInt64
  /// Bytes that it has in memory.
  package let residentSize: UInt64

  /// The time and memory of a process.
  package init(id: Int, name: String, ticks: UInt64, residentSize: UInt64) {
    self.id = id
    self.name = name
    self.ticks = ticks
    self.residentSize = residentSize
  }
}
