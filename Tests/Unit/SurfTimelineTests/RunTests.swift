import SurfTimeline
import SurfWire
import TestSupport
import Testing

/// Programs that start again.
@Suite struct RunTests {
  private static func session(_ number: Int) -> SessionID { SessionID(rawValue: UInt64(number)) }

  private func hear(
    _ number: Int, _ catalog: inout Catalog, app: String = "Todo", host: String = "ada",
    newest: SequenceNumber = 0
  ) {
    catalog.hear(
      Self.session(number),
      heartbeat(app: app, pid: UInt32(number), id: UInt64(number), newest: newest, host: host))
  }

  private func leave(_ number: Int, _ catalog: inout Catalog) {
    catalog.leave(Self.session(number), saidGoodbye: false)
  }

  private func next(after number: Int, _ catalog: Catalog) -> Int? {
    catalog.newestRun(after: Self.session(number)).map { Int($0.session.rawValue) }
  }

  private func order(_ catalog: Catalog) -> [Int] {
    catalog.ordered.map { Int($0.session.rawValue) }
  }

  /// Which app answers first is chance.
  @Test(arguments: [[1, 2, 3], [3, 1, 2], [2, 3, 1]])
  func `the oldest app comes first, and a later one last`(answering: [Int]) {
    var catalog = Catalog()
    func hear(_ number: Int, age: Double, at now: Duration) {
      catalog.now = now
      var beat = heartbeat(app: "A\(number)", pid: UInt32(number), id: UInt64(number))
      beat.uptime = UInt64(age * 1e9)
      catalog.hear(Self.session(number), beat)
    }
    for (index, number) in answering.enumerated() {
      hear(number, age: Double(9 - number), at: .seconds(70) + .milliseconds(20 * index))
    }
    #expect(order(catalog) == [1, 2, 3])
    hear(4, age: 600, at: .seconds(75))
    hear(5, age: 0, at: .seconds(75))
    #expect(order(catalog) == [1, 2, 3, 4, 5])
  }

  @Test func `a program that ends and starts again goes on as its new run`() {
    var catalog = Catalog()
    hear(1, &catalog, newest: 12)
    leave(1, &catalog)
    #expect(next(after: 1, catalog) == nil)
    hear(2, &catalog)
    #expect(next(after: 1, catalog) == 2)
    let text = catalog[Self.session(2)].flatMap { catalog.restartText(of: $0) }
    #expect(text == "Todo restarted · 12 rows of the last run")
    leave(2, &catalog)
    hear(3, &catalog)
    #expect(next(after: 1, catalog) == 3 && next(after: 2, catalog) == 3)
  }

  @Test func `the end of a killed run shows after its new run has begun`() {
    var catalog = Catalog()
    hear(1, &catalog)
    hear(2, &catalog)
    #expect(next(after: 1, catalog) == nil)
    leave(1, &catalog)
    #expect(next(after: 1, catalog) == 2)
  }

  @Test func `runs that were live side by side do not go on from each other`() {
    var catalog = Catalog()
    hear(1, &catalog)
    hear(2, &catalog)
    hear(1, &catalog)
    leave(1, &catalog)
    #expect(next(after: 1, catalog) == nil)
    hear(3, &catalog)
    #expect(next(after: 1, catalog) == 3)
    hear(2, &catalog)
    leave(2, &catalog)
    #expect(next(after: 2, catalog) == nil)
  }

  @Test func `of two new runs neither is the next one`() {
    var catalog = Catalog()
    hear(1, &catalog)
    hear(2, &catalog)
    hear(3, &catalog)
    leave(1, &catalog)
    #expect(next(after: 1, catalog) == nil)
    let successors = catalog[Self.session(1)].map { catalog.successors(of: $0).map(\.session) }
    #expect(successors == [Self.session(2), Self.session(3)])
  }

  @Test(arguments: [("Other", "ada"), ("Todo", "bob")])
  func `another program, or one of another machine, is no new run`(app: String, host: String) {
    var catalog = Catalog()
    hear(1, &catalog)
    leave(1, &catalog)
    hear(2, &catalog, app: app, host: host)
    #expect(next(after: 1, catalog) == nil)
  }

  @Test func `a run that is back from a breakpoint has no next one`() {
    var catalog = Catalog()
    hear(1, &catalog)
    leave(1, &catalog)
    hear(2, &catalog)
    hear(1, &catalog)
    #expect(next(after: 1, catalog) == nil)
    #expect(catalog[Self.session(2)].flatMap { catalog.restartText(of: $0) } == nil)
    leave(1, &catalog)
    #expect(next(after: 1, catalog) == nil)
  }

  @Test func `a last run that had to make room is not counted`() {
    var bounds = Catalog.Bounds()
    bounds.instanceCountMax = 2
    var catalog = Catalog(bounds: bounds)
    hear(1, &catalog)
    leave(1, &catalog)
    hear(2, &catalog)
    hear(3, &catalog, app: "Other")
    let text = catalog[Self.session(2)].flatMap { catalog.restartText(of: $0) }
    #expect(text == "Todo restarted; its last run is no longer here")
  }

  @Test func `a new run takes the place of the last one, and those that are gone come last`() {
    var catalog = Catalog()
    hear(1, &catalog)
    hear(2, &catalog, app: "Other")
    hear(3, &catalog, app: "Third")
    leave(1, &catalog)
    #expect(order(catalog) == [2, 3, 1])
    hear(4, &catalog)
    leave(2, &catalog)
    #expect(order(catalog) == [4, 3, 2, 1])
    hear(2, &catalog, app: "Other")
    #expect(order(catalog) == [4, 2, 3, 1])
  }

  // MARK: Whatever comes and goes

  /// The rules again, as a list of everything heard.
  private struct Model {
    enum Event { case heard, left }

    var events: [(number: Int, event: Event)] = []
    var next: [Int: Int] = [:]
    /// The tabs from left to right; in each, the runs of a program that had it.
    var tabs: [[Int]] = []

    func isLive(_ number: Int) -> Bool { events.last { $0.number == number }?.event == .heard }
    func hasStarted(_ number: Int) -> Bool { events.contains { $0.number == number } }
    func program(_ number: Int) -> Int { number % 2 }

    private func index(_ number: Int, isFirst: Bool) -> Int {
      let heard = events.indices.filter {
        events[$0].number == number && events[$0].event == .heard
      }
      return (isFirst ? heard.first : heard.last) ?? 0
    }

    private func left(_ number: Int) -> Int { events.lastIndex { $0.number == number } ?? 0 }

    mutating func hear(_ number: Int) {
      let isNew = !hasStarted(number)
      let isBack = !isNew && !isLive(number)
      events.append((number, .heard))
      if isNew { tabs.append([number]) }
      if isBack { next[number] = nil }
      guard isNew else { return }
      let gone = Set(events.map(\.number)).filter { !isLive($0) && program($0) == program(number) }
      for former in gone.sorted(by: { left($0) < left($1) }) where next[former] == nil {
        link(former)
      }
    }

    mutating func leave(_ number: Int) {
      guard isLive(number) else { return }
      events.append((number, .left))
      link(number)
    }

    private mutating func link(_ former: Int) {
      let possible = Set(events.map(\.number)).filter {
        isLive($0) && program($0) == program(former)
          && index($0, isFirst: true) > index(former, isFirst: false)
      }
      guard possible.count == 1, let new = possible.first else { return }
      next[former] = new
      guard let tab = tabs.firstIndex(where: { $0.contains(former) }) else { return }
      for index in tabs.indices { tabs[index].removeAll { $0 == new } }
      tabs[tab].append(new)
    }

    func newest(after number: Int) -> Int? {
      var newest: Int?
      while let following = next[newest ?? number] { newest = following }
      return newest
    }
  }

  @Test(arguments: 0..<200)
  func `runs and tabs are those of the rules`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var catalog = Catalog()
    var model = Model()
    for _ in 0..<40 {
      let number = Int.random(in: 1...8, using: &random)
      if Int.random(in: 0..<3, using: &random) == 0 {
        leave(number, &catalog)
        model.leave(number)
      } else {
        hear(number, &catalog, app: "App\(model.program(number))")
        model.hear(number)
      }
      for number in 1...8 { #expect(next(after: number, catalog) == model.newest(after: number)) }
      let live = order(catalog).filter(model.isLive)
      #expect(
        live
          == model.tabs.flatMap { $0.sorted { first($0, model) < first($1, model) } }
          .filter(model.isLive))
      #expect(order(catalog).drop(while: model.isLive).allSatisfy { !model.isLive($0) })
    }
  }

  private func first(_ number: Int, _ model: Model) -> Int {
    model.events.firstIndex { $0.number == number } ?? 0
  }
}
