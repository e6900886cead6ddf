import SurfStore

extension App {
  /// Rates are differences from the sample before; the first one has none, and is all zeroes.
  package static let reducer = Reducer<Action, State>.reduce { action, state in
    switch action {
    case .cpu(let times):
      reduce(times, into: &state)
    case .memory(let memory):
      state.memory = memory
    case .network(let traffic, let time):
      state.network = flows(
        traffic, since: state.last.network, seconds: time - state.last.networkTime)
      (state.last.network, state.last.networkTime) = (traffic, time)
    case .disks(let traffic, let time):
      state.disks = flows(traffic, since: state.last.disks, seconds: time - state.last.diskTime)
      (state.last.disks, state.last.diskTime) = (traffic, time)
    case .processes(let processes, let time, let ticksPerSecond):
      let seconds = time - state.last.processTime
      state.processes = busiest(
        processes, since: state.last.processTicks, ticks: seconds * ticksPerSecond)
      state.last.processTicks = ticks(of: processes)
      state.last.processTime = time
    }
  }

  private static func reduce(_ times: [CPUTimes], into state: inout State) {
    let before = Dictionary(state.last.cpu.map { ($0.name, $0) }) { first, _ in first }
    let loads = times.map { now in
      let then = before[now.name] ?? now
      return percent(growth(then.busy, now.busy), of: growth(then.total, now.total))
    }
    state.cpu = zip(times, loads).first { $0.0.name == "cpu" }?.1 ?? 0
    state.cores = zip(times, loads).filter { $0.0.name != "cpu" }.map(\.1)
    state.last.cpu = times
  }

  private static func flows(
    _ traffic: [Traffic], since last: [Traffic], seconds: Double
  ) -> [Flow] {
    let before = Dictionary(last.map { ($0.name, $0) }) { first, _ in first }
    return traffic.map { now in
      let then = before[now.name] ?? now
      return Flow(
        name: now.name, inbound: rate(growth(then.inbound, now.inbound), seconds),
        outbound: rate(growth(then.outbound, now.outbound), seconds))
    }
  }

  private static func busiest(
    _ processes: [ProcessTimes], since last: [Int: UInt64], ticks: Double
  ) -> [Process] {
    let loads = processes.map { now in
      let ran = growth(last[now.id] ?? now.ticks, now.ticks)
      return Process(
        id: now.id, name: now.name, cpu: percent(ran, of: ticks), residentSize: now.residentSize)
    }
    let sorted = loads.sorted {
      ($0.cpu, $0.residentSize, $1.id) > ($1.cpu, $1.residentSize, $0.id)
    }
    return Array(sorted.prefix(10))
  }

  private static func ticks(of processes: [ProcessTimes]) -> [Int: UInt64] {
    Dictionary(processes.map { ($0.id, $0.ticks) }) { first, _ in first }
  }

  /// A counter that went back belongs to a new interface or process of that name.
  private static func growth(_ then: UInt64, _ now: UInt64) -> Double {
    now > then ? Double(now - then) : 0
  }

  private static func rate(_ bytes: Double, _ seconds: Double) -> Double {
    seconds > 0 ? (bytes / seconds).rounded() : 0
  }

  /// One decimal place: with more, noise would make every state differ from the last.
  private static func percent(_ part: Double, of whole: Double) -> Double {
    whole > 0 ? (part / whole * 1_000).rounded() / 10 : 0
  }
}
