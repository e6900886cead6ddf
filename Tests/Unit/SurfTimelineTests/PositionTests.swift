import SurfControl
import SurfTimeline
import SurfWire
import TestSupport
import Testing

@Suite struct PositionTests {
  @Test func anActionMovesThePositionToItself() {
    #expect(timeline([action(1), action(2), log(3)]).position == .record(2))
  }

  @Test func aMarkWithAStateMovesItAsTheActionsItStandsForDid() {
    let mark = Record(
      sequence: 2, kind: .mark, name: "3 actions given up", state: .keyframe(content(2)))
    #expect(timeline([action(1), mark]).position == .record(2))
    #expect(
      timeline([action(1), Record(sequence: 2, kind: .mark, name: "")]).position == .record(1))
  }

  @Test func `a row that never had a state stands for the one before it`() {
    func whose(_ rows: [Record]) -> SequenceNumber? {
      timeline(rows).rowInForce(at: 2)
    }
    func row(_ kind: Record.Kind) -> Record { Record(sequence: 2, kind: kind, name: "") }
    for kind in [.mark, .update, .remove, .log(.info), .other(99)] as [Record.Kind] {
      #expect(whose([action(1), row(kind)]) == 1, "\(kind)")
      #expect(whose([row(kind)]) == nil, "row 1 is missing")
    }
    for (command, isPaused, expected) in [
      ("describe", false, 1), ("describe", true, nil), ("pause", false, nil), ("lock", false, nil),
    ] as [(String, Bool, SequenceNumber?)] {
      let revision = Revision(
        command: command, viewerName: "ada", replay: .approximate, isLocked: false,
        isPaused: isPaused)
      let payload = Content(type: "application/json", bytes: revision.json.bytes())
      let answer = Record(sequence: 2, kind: .revision, name: "", payload: payload)
      #expect(whose([action(1), answer]) == expected, "the app may act unseen around a pause")
    }
    for kind in [.action, .restored, .revision] as [Record.Kind] {
      #expect(whose([action(1), row(kind)]) == nil, "its state could not be encoded")
    }
    let givenUp = Record(sequence: 2, kind: .mark, name: "", state: .givenUp)
    #expect(whose([action(1), givenUp]) == nil, "it had a state, which was not sent")
    // Another part of it could not be encoded, or the app says what it likes.
    let fault = Record(
      sequence: 3, kind: .log(.error), parent: 2, name: "payload not recorded: too deep")
    #expect(whose([action(1), row(.mark), fault]) == 1)
  }

  @Test func `what was lost before a move hides nothing behind it`() {
    let lost = Record(sequence: 2, kind: .action, name: "")
    var timeline = timeline([action(1), lost])
    timeline.append(log(3))
    #expect(timeline.rowInForce(at: 3) == nil)
    timeline.note(restored(to: .record(1), newest: 3, moves: 1))
    timeline.append(log(4))
    #expect(timeline.rowInForce(at: 4) == 1)
  }

  @Test func `a move to a row that comes later ends no viewer`() {
    var timeline = timeline([action(1), action(2)])
    timeline.note(restored(to: .record(15), newest: 2, moves: 1))
    timeline.append(log(3))
    for number in 4...20 as ClosedRange<SequenceNumber> { timeline.append(action(number)) }
    #expect(timeline.rowInForce(at: 3) == 15)
  }

  @Test func theBacklogLeavesThePositionAlone() {
    var timeline = Timeline()
    timeline.note(heartbeat(newest: 5, position: .record(2)))
    for sequence in [5, 3, 4] as [SequenceNumber] { timeline.append(action(sequence)) }
    #expect(timeline.position == .record(2))
    timeline.append(action(6))
    #expect(timeline.position == .record(6))
  }

  /// A late viewer is sent the newest state, and no lines of the log behind it.
  @Test func `behind rows that are missing, a row grew from where the app said that it was`() {
    func parent(_ number: SequenceNumber, _ records: [Record], at position: Position) -> Position? {
      var timeline = Timeline()
      timeline.note(heartbeat(newest: 6, position: position))
      for record in records { timeline.append(record) }
      return timeline.row(number).flatMap(timeline.parent)
    }
    #expect(parent(7, [action(4), action(7)], at: .record(4)) == .record(4))
    #expect(parent(7, [action(4), log(6), action(7)], at: .record(4)) == .record(4))
    #expect(parent(8, [log(7), action(8)], at: .initial) == .initial)
    #expect(parent(7, [action(4), action(7)], at: .elsewhere) == .elsewhere)
    // The report is about a later time, or about an earlier one.
    #expect(parent(6, [action(4), action(6)], at: .record(6)) == nil)
    #expect(parent(9, [action(4), action(9)], at: .record(4)) == nil)
    #expect(parent(9, [action(7), log(8), action(9)], at: .record(4)) == .record(7))
  }

  @Test func anOvertakenHeartbeatSaysNothing() {
    var timeline = timeline([action(1), action(2)])
    timeline.note(restored(to: .record(1), newest: 2, moves: 5))
    timeline.note(heartbeat(newest: 2, position: .record(2), moves: 4))
    #expect(timeline.position == .record(1))
    timeline.note(heartbeat(newest: 1, position: .initial, moves: 4))
    #expect(timeline.position == .record(1))
    timeline.note(heartbeat(newest: 2, position: .elsewhere, moves: 6))
    #expect(timeline.position == .elsewhere)
  }

  @Test func whatIsHeardAgainOfThePastMovesNothing() {
    var timeline = Timeline()
    timeline.note(heartbeat(newest: 4, position: .record(3), moves: 2))
    timeline.append(action(4))
    timeline.note(restored(to: .initial, newest: 4, request: 1, moves: 1))
    #expect(timeline.position == .record(3))
    #expect(timeline.back(skipsHoles: true) == .row(0))
    timeline.note(restored(to: .record(3), newest: 4, request: 2, moves: 2))
    #expect(timeline.position == .record(3))
    #expect(timeline.markers.map(\.origin) == [.record(4), .initial])
  }

  /// The app has come back to a row before the viewer hears of the action behind it.
  @Test func aHeartbeatMayBeAheadOfTheStream() {
    var timeline = timeline([action(1)])
    var ahead = heartbeat(newest: 1, position: .record(1), moves: 1)
    ahead.stamp.newestRecord = 2
    timeline.note(ahead)
    timeline.append(action(2))
    #expect(timeline.position == .record(1))
  }

  @Test func aMarkerKnowsItsOriginOnlyIfNothingIsMissingBefore() {
    var timeline = timeline([action(1), log(2)])
    timeline.note(restored(to: .initial, newest: 2, request: 1, moves: 1))
    timeline.note(restored(to: .record(1), newest: 4, request: 2, moves: 2))
    timeline.note(restored(to: .initial, newest: 4, request: 3, moves: 4))
    #expect(timeline.markers.map(\.origin) == [.record(1), nil, nil])
  }
}

@Suite struct NavigationTests {
  @Test func backAtRowOneLeadsToTheInitialState() {
    #expect(timeline([action(1)]).back() == .row(0))
  }

  @Test func backAtTheInitialStateLeadsNowhere() {
    var timeline = timeline([action(1)])
    timeline.note(restored(to: .initial, newest: 1))
    #expect(timeline.back() == .end)
    #expect(timeline.forward() == .row(1))
  }

  @Test func forwardAtTheTipLeadsNowhere() {
    let timeline = timeline([action(1), action(2)])
    #expect(timeline.forward() == .end)
  }

  @Test func stepsGoThroughEveryRowAndBack() {
    var timeline = timeline((1...4).map { action($0) })
    for expected in [3, 2, 1, 0] as [SequenceNumber] {
      #expect(timeline.back() == .row(expected))
      timeline.note(
        restored(
          to: Position(wire: expected), newest: 4, request: expected.rawValue,
          moves: WireCount(4 - expected.rawValue)))
    }
    for expected in [1, 2, 3, 4] as [SequenceNumber] {
      #expect(timeline.forward() == .row(expected))
      timeline.note(
        restored(
          to: .record(expected), newest: 4, request: expected.rawValue + 10,
          moves: WireCount(expected.rawValue + 10)))
    }
    #expect(timeline.forward() == .end)
  }

  @Test func rowsWithoutAStateArePassedOver() {
    var givenUp = action(3)
    givenUp.state = .givenUp
    let timeline = timeline([action(1), log(2), givenUp, action(4)])
    #expect(timeline.back() == .row(1))
  }

  @Test func lostRowsArePassedOverAndUnloadedOnesAreAskedFor() {
    var timeline = timeline([action(1), action(8)])
    timeline.lose(4...7)
    #expect(timeline.back() == .notLoaded(2...3))
    #expect(timeline.back(skipsHoles: true) == .row(1))
    timeline.lose(2...3)
    #expect(timeline.back() == .row(1))
  }

  @Test func forwardKnowsFromTheHeartbeatWhatIsNotLoaded() {
    var timeline = Timeline()
    timeline.note(heartbeat(newest: 7, position: .record(2)))
    #expect(timeline.forward() == .notLoaded(3...7))
    timeline.append(action(7))
    #expect(timeline.forward() == .notLoaded(3...6))
    timeline.append(log(3))
    timeline.append(action(4))
    // One of these may have grown from row 2, too.
    #expect(timeline.forward() == .notLoaded(5...6))
    #expect(timeline.forward(skipsHoles: true) == .row(4))
    timeline.lose(5...6)
    #expect(timeline.forward() == .row(4))
  }

  @Test func fromAStateOutOfAFileBackLeadsToTheNewestRow() {
    var timeline = timeline([action(1), action(2), log(3)])
    timeline.note(restored(to: .elsewhere, newest: 3))
    #expect(timeline.back() == .row(2))
    #expect(timeline.forward() == .end)
  }

  @Test func `steps follow what grew from what`() {
    func grown(_ number: SequenceNumber, from origin: Position) -> Record {
      Record(
        sequence: number, kind: .action, name: "", state: .keyframe(content(1)),
        grownFrom: GrownFrom(from: origin))
    }
    var timeline = timeline([
      action(1), action(2), action(3), grown(4, from: .record(1)), grown(6, from: .record(5)),
      grown(7, from: .elsewhere), grown(8, from: .record(8)),
    ])
    func step(from row: SequenceNumber, _ step: (Timeline) -> NavigationStep) -> NavigationStep {
      var moved = timeline
      moved.note(restored(to: Position(wire: row), newest: 8))
      return step(moved)
    }
    #expect(step(from: 4) { $0.back() } == .row(1))
    #expect(step(from: 1) { $0.back() } == .row(0))
    #expect(step(from: 1) { $0.forward() } == .notLoaded(5...5))
    #expect(step(from: 1) { $0.forward(skipsHoles: true) } == .row(4))
    #expect(step(from: 2) { $0.forward(skipsHoles: true) } == .row(3))
    #expect(step(from: 3) { $0.forward(skipsHoles: true) } == .end)
    #expect(step(from: 6) { $0.back() } == .notLoaded(5...5))
    #expect(step(from: 6) { $0.back(skipsHoles: true) } == .row(4))
    // Without a parent, or with itself as parent, a row follows the row above it.
    #expect(step(from: 7) { $0.back() } == .row(6))
    #expect(step(from: 8) { $0.back() } == .row(7))
    timeline.lose(5...5)
    #expect(step(from: 6) { $0.back() } == .row(4))
    #expect(step(from: 1) { $0.forward() } == .row(4))
  }

  @Test func aHiddenRowIsNoTarget() {
    var timeline = timeline([action(1), action(2), action(3)])
    #expect(timeline.hide(2) == true)
    #expect(timeline.back() == .row(1))
  }
}

@Suite struct HidingTests {
  @Test func hidingARowNeverGivesItsNumberToAnother() {
    var timeline = timeline([action(1), action(2), action(3)])
    #expect(timeline.hide(2) == true)
    #expect(timeline.append(action(2)) == false)
    timeline.append(action(4))
    #expect(sketch(timeline) == "0 1 3 4")
    #expect(timeline.hide(0) == false)
    #expect(timeline.hide(2) == false)
  }

  @Test func oneHiddenRowIsShownAgainOrAllAre() {
    var timeline = timeline([action(1), action(2), action(3), action(4)])
    for row in [1, 2, 4] as [SequenceNumber] { timeline.hide(row) }
    timeline.showHidden(2)
    #expect(sketch(timeline) == "0 2 3" && timeline.hiddenCount == 2)
    timeline.showHidden(3)
    #expect(timeline.hiddenCount == 2)
    timeline.showHidden()
    #expect(sketch(timeline) == "0 1 2 3 4" && timeline.hiddenCount == 0)
  }
}
