import DemoSupport

extension App.State {
  /// The state in a line: `CPU 12.3 %   memory 3.1 of 7.8 GiB   rx 1.2 kB/s   tx 0 B/s`.
  package var line: String {
    let gibibyte = 1_073_741_824.0
    let used = tenths(Double(memory.used) / gibibyte)
    let total = tenths(Double(memory.total) / gibibyte)
    let received = network.reduce(0) { $0 + $1.inbound }
    let sent = network.reduce(0) { $0 + $1.outbound }
    return [
      "CPU \(tenths(cpu)) %", "memory \(used) of \(total) GiB",
      "rx \(speed(received))", "tx \(speed(sent))",
      processes.first.map { "busiest \(Terminal.printable($0.name)) \(tenths($0.cpu)) %" } ?? "",
    ].filter { !$0.isEmpty }.joined(separator: "   ")
  }

  private func speed(_ bytes: Double) -> String {
    switch bytes {
    case ..<1_000: "\(tenths(bytes)) B/s"
    case ..<1_000_000: "\(tenths(bytes / 1_000)) kB/s"
    default: "\(tenths(bytes / 1_000_000)) MB/s"
    }
  }

  private func tenths(_ number: Double) -> String { "\((number * 10).rounded() / 10)" }
}
