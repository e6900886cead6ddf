import Foundation
import StateSurf
import SurfLive
import SurfNetwork
import SurfWire
import TestSupport
import Testing

@Suite struct InspectTests {
  private let bench = Bench()

  private func records(_ body: (Transceiver) -> Void) -> [String] {
    let transceiver = bench.transceiver()
    transceiver.resume()
    body(transceiver)
    transceiver.flush(timeout: .seconds(60))
    return bench.sink.records.map { record in
      let sign = record.kind == .remove ? "-" : ""
      return "\(sign)\(record.name)\(record.payload.map { "=\($0.text)" } ?? "")"
    }
  }

  private struct Kitchen {
    @Inspected<Int> var portions: Int
    init(_ transceiver: Transceiver) {
      _portions = Inspected(wrappedValue: 2, "portions", in: transceiver)
    }
  }

  @Test func `a scope's values lie below its name, and go when it ends`() {
    var path = ""
    let told = records { transceiver in
      let screen = transceiver.scope("screen")
      screen.inspect("recipe", 1)
      let row = screen.scope("row")
      row.inspect("title", 2)
      path = row.path
      row.end()
      screen.end()
    }
    #expect(
      told == ["screen/recipe=1", "screen/row/title=2", "-screen/row", "-screen"])
    #expect(path == "screen/row")
  }

  @Test func `a scope that has ended shows nothing, and ends once`() {
    let told = records { transceiver in
      let screen = transceiver.scope("screen")
      let row = screen.scope("row")
      screen.end()
      screen.end()
      #expect(screen.inspect("late", 1) == nil)
      #expect(row.inspect("late", 1) == nil)
      row.end()
    }
    #expect(told == ["-screen"])
  }

  @Test func `a scope that nobody has any longer ends`() {
    let told = records { transceiver in
      transceiver.scope("dropped").inspect("a", 1)
      transceiver.scope("block") { $0.inspect("b", 2) }
    }
    #expect(told == ["dropped/a=1", "-dropped", "block/b=2", "-block"])
  }

  @Test func `a scope of a name that is in use is numbered, and leaves its name behind`() {
    let told = records { transceiver in
      let first = transceiver.scope("page")
      let second = transceiver.scope("page")
      #expect([first.path, second.path] == ["page", "page 2"])
      first.end()
      let third = transceiver.scope("page")
      #expect(third.path == "page")
      third.end()
      second.end()
    }
    #expect(told == ["-page", "-page", "-page 2"])
  }

  @Test func `ten thousand open scopes of one name have each its number`() {
    let transceiver = bench.transceiver()
    transceiver.resume()
    let scopes = (0..<10_000).map { _ in transceiver.scope("request") }
    let numbers = scopes.dropFirst().map { Int($0.path.dropFirst(8)) }
    #expect(numbers == Array(2...10_000))
    scopes[4].end()
    let next = transceiver.scope("request").path
    #expect(next == "request 5")
  }

  @Test func `what throws out of a scope takes its values along`() {
    struct Fault: Error {}
    let told = records { transceiver in
      #expect(throws: Fault.self) {
        try transceiver.scope("request") { scope throws(Fault) in
          scope.inspect("url", 1)
          throw Fault()
        }
      }
    }
    #expect(told == ["request/url=1", "-request"])
  }

  @Test func `an inspected property shows its first value and each that is assigned`() {
    let told = records { transceiver in
      var kitchen = Kitchen(transceiver)
      kitchen.portions = 3
      kitchen.portions += 1
    }
    #expect(told == ["portions=2", "portions=3", "portions=4"])
  }

  private enum Gear {
    case idle
    case moving(speed: Int)
  }
  private struct Engine {
    let gear: Gear
    let start: @Sendable () -> Void
  }

  @Test func `a value that is not Encodable is shown as reflection sees it`() {
    let told = records { transceiver in
      transceiver.inspect("gear", reflecting: Gear.moving(speed: 3))
      transceiver.scope("car") { $0.inspect("idle", reflecting: Gear.idle) }
      transceiver.inspect("engine", reflecting: Engine(gear: .idle) {})
    }
    #expect(told.prefix(3) == [#"gear={"moving":{"speed":3}}"#, #"car/idle="idle""#, "-car"])
    #expect(told.last?.hasPrefix(#"engine={"gear":"idle","start":"#) == true)
  }

  @Test func `a value is taken back by its name`() {
    let told = records { transceiver in
      transceiver.inspect("a/b", 1)
      transceiver.removeValue("a")
    }
    #expect(told == ["a/b=1", "-a"])
  }

  @Test func `nothing is evaluated, and no scope has a name, while nothing is resumed`() {
    let transceiver = bench.transceiver()
    func fail() -> Int { fatalError("evaluated") }
    #expect(transceiver.inspect("a", fail()) == nil)
    let scope = transceiver.scope("a")
    #expect(scope.inspect("b", fail()) == nil)
    scope.end()
    #expect(bench.sink.records.isEmpty)
  }

  @Test func `an overfull queue keeps the last word on each value`() throws {
    var bounds = RecordQueue.Bounds()
    bounds.recordCountMax = 4
    var queue = RecordQueue(bounds: bounds)
    for number in 0..<100 {
      var entry = Entry(told: "v\(number % 3)")
      if number == 98 { entry = Entry(told: "-v2") }
      _ = queue.add(entry, at: Moment())
    }
    var names: [String] = []
    while let item = queue.take() {
      if case .record(_, let entry) = item { names.append(entry.told) }
    }
    #expect(
      names == ["v0", "v1", "v2", "v0", "96 updates given up", "v1", "-v2", "v0"])
  }

  @Test func `eight threads in scopes of one name leave nothing behind`() {
    let told = records { transceiver in
      DispatchQueue.concurrentPerform(iterations: 8) { _ in
        for _ in 0..<100 {
          transceiver.scope("job") { scope in
            scope.inspect("a", 1)
            scope.scope("inner").inspect("b", 2)
          }
        }
      }
    }
    var live: Set<String> = []
    for word in told {
      if word.hasPrefix("-") {
        let name = String(word.dropFirst())
        live = live.filter { $0 != name && !$0.hasPrefix(name + "/") }
      } else {
        live.insert(String(word.prefix { $0 != "=" }))
      }
    }
    #expect(live.isEmpty)
    #expect(told.count == 8 * 100 * 4)
  }
}
