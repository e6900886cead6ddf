// Turns the text under /proc (proc(5)) into values. The parsers skip a malformed line: kernels
// differ, and processes end while we read.

/// Reads what `/proc` says; knows no file and no library.
package enum Parsers {
  /// `/proc/stat`: the lines that begin with `cpu`.
  package static func cpuTimes(in text: String) -> [CPUTimes] {
    text.split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ")
      guard let name = words.first, name.hasPrefix("cpu") else { return nil }
      // user nice system idle iowait irq softirq steal; the guests' times behind are in `user`.
      let times = words.dropFirst().prefix(8).map { UInt64($0) }
      let known = times.compactMap(\.self)
      guard known.count == times.count, known.count >= 4 else { return nil }
      let total = known.reduce(0, &+)
      let idle = known[3] &+ (known.count > 4 ? known[4] : 0)
      return CPUTimes(name: String(name), busy: total &- idle, total: total)
    }
  }

  /// `/proc/meminfo`, which counts in KiB; nil without the two lines that matter.
  package static func memory(in text: String) -> Memory? {
    var fields: [Substring: UInt64] = [:]
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2, let word = parts[1].split(whereSeparator: \.isWhitespace).first,
        let number = UInt64(word)
      else { continue }
      fields[parts[0]] = bytes(number, of: 1_024)
    }
    guard let total = fields["MemTotal"], let available = fields["MemAvailable"] else { return nil }
    return Memory(
      total: total, available: available, swapTotal: fields["SwapTotal"] ?? 0,
      swapFree: fields["SwapFree"] ?? 0)
  }

  /// `/proc/net/dev`: bytes received are the first number behind the name, bytes sent the ninth.
  package static func network(in text: String) -> [Traffic] {
    text.split(separator: "\n").compactMap { line in
      // The last colon: an alias such as `eth0:1` has one in its name.
      guard let colon = line.lastIndex(of: ":") else { return nil }
      let words = line[line.index(after: colon)...].split(separator: " ")
      guard words.count >= 9, let received = UInt64(words[0]), let sent = UInt64(words[8]),
        let name = line[..<colon].split(separator: " ").first
      else { return nil }
      return Traffic(name: String(name), inbound: received, outbound: sent)
    }
  }

  /// `/proc/diskstats`, which counts in sectors of 512 bytes whatever the disk has.
  package static func disks(in text: String) -> [Traffic] {
    text.split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ")
      guard words.count >= 10, let read = UInt64(words[5]), let written = UInt64(words[9]) else {
        return nil
      }
      return Traffic(
        name: String(words[2]), inbound: bytes(read, of: 512), outbound: bytes(written, of: 512))
    }
  }

  /// `/proc/<id>/stat`. The name may contain anything, also `)`: it ends at the last one.
  package static func process(in text: String, pageSize: UInt64) -> ProcessTimes? {
    guard let open = text.firstIndex(of: "("), let close = text.lastIndex(of: ")"), open < close,
      let id = Int(text[..<open].split(separator: " ").first ?? "")
    else { return nil }
    // From field 3 on: utime is field 14, stime 15, rss 24.
    let fields = text[text.index(after: close)...].split(whereSeparator: \.isWhitespace)
    guard fields.count >= 22, let user = UInt64(fields[11]), let system = UInt64(fields[12]),
      let pages = Int64(fields[21])
    else { return nil }
    return ProcessTimes(
      id: id, name: String(text[text.index(after: open)..<close]), ticks: user &+ system,
      residentSize: bytes(UInt64(clamping: pages), of: pageSize))
  }

  private static func bytes(_ count: UInt64, of size: UInt64) -> UInt64 {
    let (product, overflows) = count.multipliedReportingOverflow(by: size)
    return overflows ? .max : product
  }
}
