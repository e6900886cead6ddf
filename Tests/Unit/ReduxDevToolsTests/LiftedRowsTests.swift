import JSONTree
import ReduxDevTools
import SurfControl
import SurfWire
import TestSupport
import Testing

/// A record that reaches a viewer: an action's row, or a revision with its row.
enum Arrival: Sendable {
  case action(SequenceNumber)
  case revision(SequenceNumber, Revision)

  static func revision(
    _ row: SequenceNumber, from oldest: UInt64, _ items: Revision.Item..., committed: JSON? = nil,
    current: UInt64? = nil
  ) -> Arrival {
    .revision(
      row,
      Revision(
        command: "toggle", viewerName: "ada", replay: .exact, isLocked: false, isPaused: false,
        staging: .init(oldest: oldest, committed: committed, items: items, current: current)))
  }
}

extension LiftedRows {
  init(_ arrivals: [Arrival]) {
    self.init()
    for arrival in arrivals {
      switch arrival {
      case .action(let row): append(row)
      case .revision(let row, let revision): apply(revision, of: row)
      }
    }
  }
}

@Suite struct LiftedRowsTests {
  struct Story: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let arrivals: [Arrival]
    let staged: [SequenceNumber]
    var skipped: Set<SequenceNumber> = []
    var states: [SequenceNumber: String] = [:]
    var committed: String?

    init(
      _ name: String, _ arrivals: [Arrival], staged: [SequenceNumber],
      skipped: Set<SequenceNumber> = [],
      states: [SequenceNumber: String] = [:], committed: String? = nil
    ) {
      testDescription = name
      self.arrivals = arrivals
      self.staged = staged
      self.skipped = skipped
      self.states = states
      self.committed = committed
    }
  }

  static func actions(_ rows: ClosedRange<SequenceNumber>) -> [Arrival] { rows.map(Arrival.action) }
  static func kept(_ rows: UInt64...) -> [Revision.Item] { rows.map { Revision.Item(row: $0) } }

  static let stories = [
    Story("no revision", actions(1...5), staged: [1, 2, 3, 4, 5]),
    Story(
      "skip",
      actions(1...3) + [
        .revision(
          4, from: 0, .init(row: 1), .init(row: 2, isSkipped: true),
          .init(row: 3, state: ["n": 2]))
      ] + actions(5...6),
      staged: [1, 2, 3, 5, 6], skipped: [2], states: [3: ##"{"n":2}"##]),
    Story(
      "skip and put back",
      actions(1...2) + [
        .revision(3, from: 0, .init(row: 1, isSkipped: true), .init(row: 2, state: 1)),
        .revision(4, from: 0, .init(row: 1), .init(row: 2, state: 2)),
      ],
      staged: [1, 2], states: [2: "2"]),
    Story(
      "a state that was told before",
      actions(1...2) + [
        .revision(3, from: 0, .init(row: 1, isSkipped: true), .init(row: 2, state: 1)),
        .revision(4, from: 0, .init(row: 1, isSkipped: true), .init(row: 2)),
      ],
      staged: [1, 2], skipped: [1], states: [2: "1"]),
    Story(
      "reorder",
      actions(1...3) + [.revision(4, from: 0, .init(row: 3), .init(row: 1), .init(row: 2))]
        + actions(5...7),
      staged: [3, 1, 2, 5, 6, 7]),
    Story(
      "sweep",
      actions(1...3) + [
        .revision(4, from: 0, .init(row: 1), .init(row: 2, isSkipped: true), .init(row: 3)),
        .revision(5, from: 0, .init(row: 1), .init(row: 3)),
      ] + actions(6...6),
      staged: [1, 3, 6]),
    Story(
      "commit", actions(1...3) + [.revision(4, from: 0, committed: ["n": 3])] + actions(5...6),
      staged: [5, 6], committed: ##"{"n":3}"##),
    Story(
      "commit and reset",
      actions(1...3) + [.revision(4, from: 0, committed: 3)] + actions(5...6) + [
        .revision(7, from: 0)
      ] + actions(8...8),
      staged: [8]),
    Story(
      "only the end is decided about",
      actions(1...6) + [
        .revision(7, from: 4, .init(row: 6), .init(row: 4, isSkipped: true), .init(row: 5))
      ] + actions(8...9),
      staged: [1, 2, 3, 6, 4, 5, 8, 9], skipped: [4]),
    Story(
      "the beginning by one, the end by a later one",
      actions(1...4) + [
        .revision(
          5, from: 0, .init(row: 3), .init(row: 1, isSkipped: true), .init(row: 4, state: 7),
          committed: 1)
      ] + actions(6...9) + [
        .revision(10, from: 4, .init(row: 8), .init(row: 4, state: 8), .init(row: 6))
      ] + actions(11...12),
      staged: [3, 1, 8, 4, 6, 11, 12], skipped: [1], states: [4: "8"], committed: "1"),
    Story(
      "rows between two revisions that neither decides about",
      actions(1...2) + [.revision(3, from: 0, .init(row: 2))] + actions(4...8) + [
        .revision(9, from: 7, .init(row: 8), .init(row: 7))
      ],
      staged: [2, 4, 5, 6, 8, 7]),
    Story(
      "a revision that decides about less than the one after it",
      actions(1...5) + [
        .revision(6, from: 3, .init(row: 4, state: 1), .init(row: 5)),
        .revision(7, from: 2, .init(row: 5), .init(row: 4), .init(row: 2)),
      ],
      staged: [1, 5, 4, 2], states: [4: "1"]),
  ]

  @Test(arguments: stories)
  func `Each revision is obeyed in turn`(story: Story) {
    check(LiftedRows(story.arrivals), story)
  }

  @Test(arguments: stories)
  func `The newest may come first`(story: Story) {
    check(LiftedRows(story.arrivals.reversed()), story)
  }

  @Test(arguments: stories)
  func `The order of arrival makes no difference`(story: Story) {
    let expected = LiftedRows(story.arrivals)
    for seed in 0..<200 {
      var generator = SeededGenerator(seed: UInt64(seed))
      let isSame = LiftedRows(story.arrivals.shuffled(using: &generator)) == expected
      #expect(isSame, "seed \(seed)")
    }
  }

  @Test(arguments: stories)
  func `What comes twice counts once`(story: Story) {
    check(LiftedRows(story.arrivals + story.arrivals), story)
  }

  private func check(_ rows: LiftedRows, _ story: Story) {
    #expect(rows.staged == story.staged)
    #expect(rows.skipped == story.skipped)
    for row in 1...12 as ClosedRange<SequenceNumber> {
      let state = rows.revisedState(of: row).map { String(decoding: $0.bytes, as: UTF8.self) }
      #expect(state == story.states[row])
    }
    let committed = rows.committed.map { String(decoding: $0.bytes, as: UTF8.self) }
    #expect(committed == story.committed)
    #expect(rows.beginsAtStart == (story.committed == nil))
  }

  @Test func `Locks and pauses are as the newest revision says, whenever it comes`() {
    func revision(_ isLocked: Bool, _ isPaused: Bool) -> Revision {
      Revision(
        command: "lock", viewerName: "ada", replay: .exact, isLocked: isLocked, isPaused: isPaused)
    }
    let arrivals: [Arrival] = [
      .revision(3, revision(true, false)), .revision(5, revision(false, true)), .action(4),
    ]
    for arrivals in [arrivals, arrivals.reversed()] {
      let rows = LiftedRows(arrivals)
      #expect(!rows.isLocked)
      #expect(rows.isPaused)
      #expect(rows.staged == [4], "and no rows are touched by it")
    }
  }

  @Test func `The app is where the newest revision left it`() {
    let arrivals: [Arrival] = [
      .action(1), .action(2), .revision(3, from: 0, .init(row: 1), .init(row: 2), current: 2),
      .revision(4, from: 0, .init(row: 1), current: 1),
    ]
    #expect(LiftedRows(arrivals).current == 1)
    #expect(LiftedRows(arrivals.reversed()).current == 1)
  }

  @Test func `A revision that lies does no harm`() {
    let rows = LiftedRows([
      .action(1), .action(2), .action(9),
      .revision(
        5, from: 0, .init(row: .max), .init(row: 9), .init(row: 2), .init(row: 2), .init(row: 0),
        .init(row: 5)),
      .revision(6, from: .max, .init(row: 1)),
    ])
    #expect(rows.staged == [2, 9], "no row twice, none of the future, and not row 0")
  }

  @Test func `A skip without a reducer leads to the nearest state before`() {
    var rows = LiftedRows(Self.actions(1...5))
    #expect(rows.toggleApproximately(3) == 2)
    #expect(rows.toggleApproximately(2) == 1, "the skipped one is passed over")
    #expect(rows.toggleApproximately(1) == 0)
    #expect(rows.skipped == [1, 2, 3])
    #expect(rows.toggleApproximately(5) == 4)
    #expect(rows.toggleApproximately(3) == 3, "taken in again, it is its own nearest")
    #expect(rows.skipped == [1, 2, 5])
    #expect(rows.toggleApproximately(6) == nil)
    #expect(rows.toggleApproximately(0) == nil)
    #expect(rows.skipped == [1, 2, 5])
    rows.sweep()
    #expect(rows.staged == [3, 4])
    #expect(rows.skipped == [])
  }

  @Test func `After a restart the past stays gone`() {
    var rows = LiftedRows(Self.actions(2...4))
    _ = rows.toggleApproximately(3)
    rows.restart(from: Content(type: "application/json", bytes: Array("1".utf8)), of: 4, after: 4)
    rows.append(1)
    rows.append(5)
    #expect(rows.staged == [5])
    #expect(rows.skipped == [])
    #expect(!rows.beginsAtStart)
  }

  @Test func `Rows that there is no room for go with all that is known of them`() {
    var rows = LiftedRows(
      Self.actions(1...3) + [
        .revision(
          4, from: 0, .init(row: 1, isSkipped: true), .init(row: 2, state: 1),
          .init(row: 3, isSkipped: true, state: 2))
      ])
    rows.drop(before: 1)
    #expect(rows.staged == [1, 2, 3])
    rows.drop(before: 3)
    #expect(rows.staged == [3])
    #expect(rows.skipped == [3])
    #expect(rows.revisedState(of: 2) == nil)
    #expect(rows.revisedState(of: 3) != nil)
  }
}
