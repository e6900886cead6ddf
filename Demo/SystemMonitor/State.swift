import StateSurf

/// What the machine is doing.
package enum App: StateSurfable {
  /// All that the program remembers: what it shows, and the counters to compare the next with.
  package struct State: StateInitializable, Equatable {
    /// Percent of all processors.
    package var cpu = 0.0
    /// Percent of each processor.
    package var cores: [Double] = []
    package var memory = Memory()
    package var network: [Flow] = []
    package var disks: [Flow] = []
    /// Those that ran most, at most ten.
    package var processes: [Process] = []
    package var last = Counters()

    package init() {}
  }

  /// Bytes a second.
  package struct Flow: Codable, Equatable, Sendable {
    package let name: String
    package let inbound: Double
    package let outbound: Double
  }

  /// One process among the busiest.
  package struct Process: Codable, Equatable, Sendable {
    package let id: Int
    package let name: String
    /// Percent of one processor.
    package let cpu: Double
    /// Bytes in memory.
    package let residentSize: UInt64
  }

  /// The sample before, and when it was taken in seconds since the system started.
  package struct Counters: Codable, Equatable, Sendable {
    package var cpu: [CPUTimes] = []
    package var network: [Traffic] = []
    package var networkTime = 0.0
    package var disks: [Traffic] = []
    package var diskTime = 0.0
    package var processTicks: [Int: UInt64] = [:]
    package var processTime = 0.0
  }

  /// A sample of one kind has been taken; times are in seconds since the system started.
  package enum Action: Codable, Equatable, Sendable {
    case cpu([CPUTimes])
    case memory(Memory)
    case network([Traffic], time: Double)
    case disks([Traffic], time: Double)
    case processes([ProcessTimes], time: Double, ticksPerSecond: Double)
  }
}

extension App.Action: CustomStringConvertible {
  /// Short, because it is a row of a list; the sample itself is in the action's JSON.
  package var description: String {
    switch self {
    case .cpu(let times): "cpu(\(max(0, times.count - 1)) cores)"
    case .memory: "memory"
    case .network(let traffic, _): "network(\(traffic.count) interfaces)"
    case .disks(let traffic, _): "disks(\(traffic.count))"
    case .processes(let processes, _, _): "processes(\(processes.count))"
    }
  }
}
