import SurfStore
import SystemMonitor
import Testing

@Suite("The monitor's rates")
struct MonitorTests {
  private let store = Store(initial: App.State(), reducer: App.reducer)

  @Test func loadIsWhatWasBusySinceTheSampleBefore() {
    store.dispatch(
      .cpu([
        CPUTimes(name: "cpu", busy: 100, total: 200), CPUTimes(name: "cpu0", busy: 0, total: 100),
      ]))
    #expect(store.state.cpu == 0)
    store.dispatch(
      .cpu([
        CPUTimes(name: "cpu", busy: 150, total: 400), CPUTimes(name: "cpu0", busy: 1, total: 103),
      ]))
    #expect(store.state.cpu == 25)
    #expect(store.state.cores == [33.3])
  }

  @Test func trafficIsPerSecond() {
    store.dispatch(.network([Traffic(name: "lo", inbound: 100, outbound: 0)], time: 1))
    store.dispatch(.network([Traffic(name: "lo", inbound: 300, outbound: 50)], time: 3))
    #expect(store.state.network.map(\.inbound) == [100])
    #expect(store.state.network.map(\.outbound) == [25])
  }

  @Test func aCounterThatWentBackCountsAsNothing() {
    for inbound: UInt64 in [500, 20] {
      store.dispatch(
        .disks([Traffic(name: "sda", inbound: inbound, outbound: 0)], time: Double(1_000 - inbound))
      )
    }
    #expect(store.state.disks.map(\.inbound) == [0])
    store.dispatch(.disks([Traffic(name: "sda", inbound: 900, outbound: 0)], time: 0))
    #expect(store.state.disks.map(\.inbound) == [0], "time went back, after a restore")
  }

  @Test func theTenBusiestAreShown() {
    for round: UInt64 in [0, 1] {
      let processes = (1...20).map { id in
        ProcessTimes(
          id: id, name: "p\(id)", ticks: 100 + round * UInt64(id), residentSize: UInt64(id))
      }
      store.dispatch(.processes(processes, time: Double(round), ticksPerSecond: 100))
    }
    #expect(store.state.processes.map(\.id) == Array((11...20).reversed()))
    #expect(store.state.processes.first?.cpu == 20)
  }

  @Test func theLineSaysItAll() {
    var state = App.State()
    state.cpu = 12.3
    state.memory = Memory(total: 8 << 30, available: 6 << 30, swapTotal: 0, swapFree: 0)
    #expect(state.line == "CPU 12.3 %   memory 2.0 of 8.0 GiB   rx 0.0 B/s   tx 0.0 B/s")
  }
}
