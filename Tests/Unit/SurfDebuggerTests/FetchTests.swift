import SurfDebugger
import SurfTimeline
import SurfViewer
import SurfWire
import TestSupport
import Testing

/// Rows that the viewer does not hold are fetched when the cursor or a search gets to them.
@Suite struct FetchTests {
  /// An app with more rows than its viewer holds, and the person who looks at it.
  struct Scene {
    var person: Person
    private(set) var requests: [ClosedRange<SequenceNumber>] = []
    private(set) var newest: SequenceNumber = 0
    /// Rows that the app no longer has.
    var lost: ClosedRange<SequenceNumber>?
    /// Octets of filling in each state.
    private let padding: Int

    init(
      newest: UInt64 = 4_000, rows: Int = 1_200, bytes: Int = 1 << 20, padding: Int = 0,
      observes: Bool = false
    ) {
      self.padding = padding
      var bounds = Catalog.Bounds()
      (bounds.timeline.rowCountMax, bounds.timeline.byteCountMax) = (rows, bytes)
      person = Person(observes: observes)
      person.catalog = Catalog(bounds: bounds)
      person.start(one)
      grow(to: newest)
    }

    mutating func grow(to number: UInt64) {
      let first = newest.next
      for number in first.rawValue...number {
        person.catalog.append(Self.record(number, padding: padding), to: one)
      }
      newest = SequenceNumber(number)
      person.send(.rows(one, first...newest))
      person.wait(.milliseconds(1))
    }

    /// `tens` changes every tenth row; each thousandth is named so.
    static func record(_ number: UInt64, padding: Int = 0) -> Record {
      let name = number.isMultiple(of: 1_000) ? "thousandth" : "step"
      let digits = String(repeating: "\(number % 10)", count: padding)
      let filling = padding == 0 ? "" : #","x":"\#(digits)""#
      return action(number, name, #"{"n":\#(number),"tens":\#(number / 10)\#(filling)}"#)
    }

    /// Answers the requests, and those that follow from the answers.
    mutating func answer(count: Int = .max) {
      for _ in 0..<count {
        takeRequests()
        guard let rows = requests.popLast() else { break }
        for number in rows {
          if lost?.contains(number) == true {
            person.catalog.lose(number...number, of: one)
          } else {
            let record = Self.record(number.rawValue, padding: padding)
            let arrived = ArrivedRecord(record, from: .backlog)
            person.catalog.add(arrived, to: one)
          }
        }
        person.send(.rows(one, rows))
        person.wait(.milliseconds(1))
      }
    }

    @discardableResult
    mutating func takeRequests() -> [ClosedRange<SequenceNumber>] {
      for case .refetch(let session, let rows) in person.takeEffects() {
        person.catalog.recall(rows, of: session)
        requests.append(rows)
      }
      return requests
    }

    /// As if the app never answered: some time goes by.
    mutating func answerNothing() {
      takeRequests()
      requests = []
      person.wait(.seconds(20))
    }

    /// The row under the cursor, read off the list; nil if it is not a row.
    var row: Int? {
      person.lines.first { $0.hasPrefix("▸") }
        .flatMap { $0.firstMatch(of: #/ (\d+) +(?:step|thousandth)/#) }.flatMap { Int($0.1) }
    }

    /// Before this nothing is requested.
    mutating func catchUp() { person.send(.caughtUp(one)) }

    mutating func go(to row: Int) {
      person.type("\(row)")
      person.press("Enter")
    }
  }

  @Test func `the cursor goes on into rows that were evicted`() throws {
    var scene = Scene()
    scene.catchUp()
    let oldest = try #require(scene.person.catalog[one]?.timeline.rows.first?.number)
    scene.go(to: Int(oldest.rawValue))
    scene.person.press("Up")
    let rows = try #require(scene.takeRequests().first)
    #expect(rows.upperBound == oldest.previous && rows.length == 256)
    #expect(scene.person.text.contains("on the way"))
    // It waits there.
    scene.person.press("Up")
    scene.answer()
    #expect(scene.row == Int(oldest.previous.rawValue))
    scene.person.press("Up")
    #expect(scene.row == Int(oldest.previous.rawValue) - 1)
    #expect(scene.person.text.contains("n: \(oldest.rawValue - 3) → \(oldest.rawValue - 2)"))
  }

  @Test func `a row number leads to a row that was evicted`() {
    var scene = Scene()
    scene.catchUp()
    scene.go(to: 1_234)
    #expect(scene.takeRequests() == [1_107...1_362])
    #expect(!scene.person.text.contains("nearest"))
    scene.answer()
    #expect(scene.row == 1234 && scene.person.text.contains("n: 1233 → 1234"))
    scene.go(to: 1)
    scene.answer()
    #expect(scene.row == 1)
    scene.go(to: 3_990)
    #expect(scene.takeRequests() == [] && scene.row == 3990)
  }

  @Test func `rows that the app no longer has are asked for once`() {
    var scene = Scene()
    scene.lost = 1...1_500
    scene.catchUp()
    scene.go(to: 1_000)
    scene.answer()
    #expect(scene.takeRequests() == [])
    #expect(scene.person.text.contains("lost: no longer available"))
    scene.person.press("Up", "Down")
    scene.answer()
    #expect(scene.person.text.contains("lost: no longer available"))
  }

  @Test func `rows that never arrive are waited for only a while`() {
    var scene = Scene()
    scene.catchUp()
    scene.go(to: 1_234)
    #expect(scene.takeRequests() == [1_107...1_362] && scene.person.text.contains("on the way"))
    scene.answerNothing()
    #expect(scene.person.text.contains("not loaded"))
    scene.go(to: 1_234)
    #expect(scene.takeRequests() == [1_107...1_362])
    scene.answerNothing()
    // The rest of the list can be had.
    scene.person.press("Up")
    #expect(scene.person.shownRow == "0")
    scene.go(to: 500)
    scene.answer()
    #expect(scene.row == 500)
  }

  @Test func `rows that arrive one by one are waited for`() {
    var scene = Scene()
    scene.catchUp()
    scene.go(to: 1_234)
    scene.takeRequests()
    for number in 1_107...1_233 as ClosedRange<SequenceNumber> {
      scene.person.catalog.append(Scene.record(number.rawValue), to: one)
      scene.person.send(.rows(one, number...number))
      scene.person.wait(.seconds(2))
    }
    #expect(scene.person.text.contains("on the way"))
  }

  @Test func `rows for which there is no room end no other request`() {
    var scene = Scene(newest: 3_000, rows: 10_000, bytes: 4_000)
    scene.catchUp()
    scene.go(to: 100)
    scene.answer()
    #expect(scene.row == nil)
    scene.answerNothing()
    scene.go(to: 1_000)
    #expect(scene.takeRequests() == [873...1_128])
  }

  @Test func `a row whose state was evicted gets it back under the cursor`() throws {
    var scene = Scene(newest: 3_000, rows: 10_000, bytes: 20_000)
    scene.catchUp()
    _ = scene.takeRequests()
    let row = try #require(scene.person.catalog[one]?.timeline.row(100))
    #expect(row.isDropped)
    scene.go(to: 100)
    #expect(scene.takeRequests().count == 1)
    scene.answer()
    #expect(scene.person.text.contains("n: 99 → 100"))
  }

  /// Its change cannot be shown without the row before it, however large both are.
  @Test func `a large state comes with its neighbours`() throws {
    var scene = Scene(newest: 4, rows: 100, bytes: 4 << 20, padding: 2_800_000)
    scene.catchUp()
    _ = scene.takeRequests()
    #expect(scene.person.catalog[one]?.timeline.row(2)?.isDropped == true)
    scene.go(to: 2)
    #expect(scene.takeRequests() == [1...3])
  }

  @Test func `nothing is fetched from a gone app, by an observer, or while rows are coming`() {
    var early = Scene()
    early.go(to: 1_234)
    #expect(early.takeRequests() == [])
    var gone = Scene()
    gone.catchUp()
    gone.person.catalog.leave(one, saidGoodbye: true)
    gone.go(to: 1_234)
    #expect(gone.takeRequests() == [])
    #expect(gone.person.text.contains("not loaded"))
    var observer = Scene(observes: true)
    observer.catchUp()
    observer.go(to: 1_234)
    #expect(observer.takeRequests() == [])
  }

  @Test func `an action is not moved across rows that are not here`() throws {
    var scene = Scene()
    scene.catchUp()
    scene.go(to: 1_234)
    scene.answer()
    let rows = try #require(scene.person.catalog[one]?.timeline.rows)
    let oldest = try #require(rows.first { $0.number > 1_500 }?.number)
    scene.go(to: Int(oldest.rawValue))
    #expect(scene.row == Int(oldest.rawValue))
    scene.person.press("K")
    #expect(scene.person.text.contains("What became of the actions before row \(oldest)"))
    scene.person.press("y", "Esc")
    #expect(scene.person.takeEffects() == [])
    scene.person.press("Down", "K", "y")
    #expect(
      scene.person.takeEffects() == [
        .command(one, .move(oldest.next, before: oldest), serial: 1)
      ])
    // Nobody here knows whether a row that is missing has left it out.
    scene.go(to: 1_234)
    scene.person.press("x")
    #expect(
      scene.person.takeEffects() == [.command(one, .toggle(1_234, skipped: nil), serial: 2)])
  }

  // MARK: Searching

  private func search(_ text: String, in scene: inout Scene) {
    scene.person.press("/")
    scene.person.type(text)
    scene.person.wait(.seconds(1))
    scene.person.press("Enter")
    scene.person.wait(.seconds(1))
  }

  @Test func `a search goes on among rows that are not here`() {
    var scene = Scene()
    scene.catchUp()
    search("name:thousandth", in: &scene)
    #expect(scene.row == 4000)
    scene.person.press("N")
    #expect(scene.row == 3000)
    scene.person.press("N")
    #expect(scene.person.text.contains("looking in rows"))
    scene.answer()
    #expect(scene.row == 2000)
    scene.person.press("N")
    scene.answer()
    #expect(scene.row == 1000)
    // All has been searched: it wraps around.
    scene.person.press("N")
    scene.answer()
    #expect(scene.row == 4000)
  }

  @Test func `a search that is stopped leaves the cursor where it was`() {
    var scene = Scene()
    scene.catchUp()
    scene.go(to: 2_850)
    search("name:absent", in: &scene)
    scene.person.press("N")
    scene.answer(count: 1)
    #expect(scene.person.text.contains("looking in rows"))
    scene.person.press("Down")
    #expect(!scene.person.text.contains("looking in rows"))
    // The rows around the cursor have made room; they come back.
    scene.answer()
    #expect(scene.row == 2850 && scene.takeRequests() == [])
    scene.person.press("Down")
    #expect(scene.row == 2851)
  }

  @Test func `a search that finds nothing says so once it has looked at every row`() {
    var scene = Scene(newest: 3_000)
    scene.catchUp()
    scene.go(to: 2_900)
    search("name:absent", in: &scene)
    scene.person.press("N")
    scene.answer(count: 1)
    #expect(!scene.person.text.contains("nothing found"))
    scene.answer()
    #expect(scene.person.text.contains("nothing found for name:absent"))
    #expect(scene.row == 2900)
  }

  /// All rows are here, but most have lost their states.
  private func stateless(observes: Bool = false) -> Scene {
    var scene = Scene(newest: 6_000, rows: 10_000, bytes: 40_000, observes: observes)
    scene.catchUp()
    return scene
  }

  @Test func `a search gets the states that it needs`() throws {
    var scene = stateless()
    let rows = try #require(scene.person.catalog[one]?.timeline.rows)
    let oldest = try #require(rows.first { !$0.isDropped }?.number)
    let known = Int(oldest.rawValue / 10 + 1) * 10
    search("tens changed", in: &scene)
    scene.go(to: known + 15)
    scene.person.press("N")
    #expect(scene.row == known + 10 && scene.takeRequests() == [])
    for row in [known, known - 10, known - 20] {
      scene.person.press("N")
      scene.answer()
      #expect(scene.row == row)
    }
    // The answers of a search are kept, whether or not the states are still here.
    scene.person.press("n")
    #expect(scene.row == known - 10 && scene.takeRequests() == [])
  }

  @Test func `a search that could not read everything says so`() {
    var scene = stateless(observes: true)
    search("n over 9999", in: &scene)
    scene.person.press("N")
    #expect(
      scene.person.text.contains("nothing found for n over 9999: some rows could not be searched"))
    scene.person.press("Esc")
    search("tens changed from 599 to 600", in: &scene)
    scene.person.press("N")
    #expect(scene.row == 6000)
    #expect(scene.person.text.contains("there is no other hit: some rows could not be searched"))
    // Names are here.
    search("name:absent", in: &scene)
    scene.person.press("N")
    #expect(scene.person.text.contains("nothing found for name:absent"))
    #expect(!scene.person.text.contains("could not be searched"))
  }

  @Test func `a search that could not have every row says so`() {
    var scene = Scene()
    scene.catchUp()
    search("name:absent", in: &scene)
    scene.person.press("N")
    // Half of what was asked for, and then the rest.
    let rows = scene.takeRequests()[0]
    for number in rows.prefix(500) {
      let arrived = ArrivedRecord(Scene.record(number.rawValue), from: .backlog)
      scene.person.catalog.add(arrived, to: one)
    }
    scene.person.send(.rows(one, rows))
    scene.answerNothing()
    #expect(scene.person.text.contains("looking in rows"))
    scene.answer()
    #expect(
      scene.person.text.contains("nothing found for name:absent: some rows could not be searched"))
    scene.person.catalog.leave(one, saidGoodbye: true)
    scene.person.send(.news)
    scene.person.press("N")
    #expect(
      scene.person.text.contains("nothing found for name:absent: some rows could not be searched"))
  }

  @Test(arguments: 0..<12)
  func `n and N lead to the next hit, whatever is here`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let newest = UInt64.random(in: 1_500...5_000, using: &random)
    let rows = Int.random(in: 1_300...6_000, using: &random)
    var scene = Scene(
      newest: newest, rows: rows, bytes: 5 * min(rows, Int(newest)) + 12_000)
    scene.catchUp()
    search("tens changed", in: &scene)
    for _ in 0..<12 {
      let row = Int.random(in: 11..<Int(newest) / 10 * 10, using: &random)
      scene.go(to: row)
      scene.answer()
      let isNext = Bool.random(using: &random)
      scene.person.press(isNext ? "n" : "N")
      scene.answer()
      let hit = isNext ? (row / 10 + 1) * 10 : (row - 1) / 10 * 10
      #expect(scene.row == hit, "\(seed): from \(row)")
    }
  }

  @Test func `a search ends where rows never arrive, and can be made again`() {
    var scene = Scene()
    scene.catchUp()
    search("name:absent", in: &scene)
    scene.person.press("N")
    let rows = scene.takeRequests()
    #expect(rows.count == 1)
    scene.answerNothing()
    #expect(scene.person.text.contains("looking in rows") == false)
    scene.person.press("N")
    #expect(scene.takeRequests() == rows)
    scene.person.wait(.seconds(11))
    #expect(scene.person.text.contains("did not arrive: the search for name:absent ends there"))
  }

  @Test(arguments: 0..<20)
  func `whatever is pressed, the cursor gets to the row that was meant`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var scene = Scene(
      newest: UInt64.random(in: 1_500...4_000, using: &random),
      rows: Int.random(in: 1_100...1_500, using: &random))
    if Bool.random(using: &random) {
      let first = SequenceNumber(UInt64.random(in: 1...300, using: &random))
      scene.lost = first...first.advanced(by: 40)
    }
    scene.catchUp()
    search("tens changed", in: &scene)
    for _ in 0..<60 {
      let keys: [CommandKey] = ["Up", "Down", "PageUp", "PageDown", "n", "N", "Home", "End", "r"]
      switch Int.random(in: 0..<13, using: &random) {
      case 0: scene.grow(to: scene.newest.rawValue + UInt64.random(in: 1...90, using: &random))
      case 1...3: scene.answer(count: 1)
      case 4, 5:
        if Bool.random(using: &random) { scene.answerNothing() }
        let row = Int.random(in: 1...Int(scene.newest.rawValue), using: &random)
        scene.go(to: row)
        scene.answer()
        if scene.lost?.contains(SequenceNumber(UInt64(row))) != true {
          #expect(scene.row == row, "\(seed)")
        }
      default: scene.person.press(keys.randomElement(using: &random) ?? "Up")
      }
      scene.takeRequests()
      #expect(scene.person.catalog[one]?.timeline.rows.count ?? 0 <= 1_500)
      // What is shown of a row is that row's.
      if let row = scene.row, scene.person.text.contains(" n: ") {
        #expect(scene.person.text.contains("n: \(row - 1) → \(row)"), "\(seed): row \(row)")
      }
    }
    scene.answer()
    #expect(!scene.person.text.contains("▸ ░░ rows") || !scene.person.text.contains("not loaded"))
  }
}
