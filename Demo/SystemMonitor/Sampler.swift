import Foundation

/// Reads `/proc`; leaves what it cannot read out of the sample.
struct Sampler {
  private let pageSize = UInt64(clamping: sysconf(Int32(_SC_PAGESIZE)))
  private let ticksPerSecond = Double(sysconf(Int32(_SC_CLK_TCK)))

  /// One action for each kind of sample that could be taken.
  func actions() -> [App.Action] {
    let time = ProcessInfo.processInfo.systemUptime
    return [
      text("/proc/stat").map { .cpu(Parsers.cpuTimes(in: $0)) },
      text("/proc/meminfo").flatMap(Parsers.memory).map(App.Action.memory),
      text("/proc/net/dev").map { .network(Parsers.network(in: $0), time: time) },
      text("/proc/diskstats").map { .disks(wholeDisks(Parsers.disks(in: $0)), time: time) },
      .processes(processes(), time: time, ticksPerSecond: ticksPerSecond),
    ].compactMap(\.self)
  }

  private func text(_ path: String) -> String? {
    FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Without the partitions, which would count everything twice, and the loops and memory disks.
  private func wholeDisks(_ disks: [Traffic]) -> [Traffic] {
    let names = entries("/sys/block")
    return disks.filter { disk in
      names.contains(disk.name) && !disk.name.hasPrefix("loop") && !disk.name.hasPrefix("ram")
    }
  }

  private func processes() -> [ProcessTimes] {
    entries("/proc").filter { Int($0) != nil }.compactMap { id in
      text("/proc/\(id)/stat").flatMap { Parsers.process(in: $0, pageSize: pageSize) }
    }
  }

  private func entries(_ path: String) -> [String] {
    do {
      return try FileManager.default.contentsOfDirectory(atPath: path)
    } catch {
      // Some containers have no /proc or /sys, and then there is nothing to show.
      return []
    }
  }
}
