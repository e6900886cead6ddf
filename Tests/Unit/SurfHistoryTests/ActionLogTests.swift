import SurfControl
import SurfHistory
import Testing

/// Actions are numbers that are appended to a list: every order leads to another state.
@Suite("The log of a store's actions")
struct ActionLogTests {
  private static func log(_ count: Int, countMax: Int = 200) -> ActionLog<Int, [Int]> {
    var log = ActionLog<Int, [Int]>(initial: [], countMax: countMax) { $1.append($0) }
    for id in 1...max(1, count) { log.append(UInt64(id), id, Array(1...id)) }
    return log
  }

  @Test func anActionLeftOutIsMissingFromAllThatFollow() throws {
    var log = Self.log(5)
    let changed = try log.setSkipped(true, 2)
    #expect(changed == [2, 3, 4, 5])
    #expect(log.state == [1, 3, 4, 5])
  }

  @Test func takenInAgainItIsAsItWas() throws {
    var log = Self.log(5)
    _ = try log.setSkipped(nil, 2)
    _ = try log.setSkipped(nil, 2)
    #expect(log.state == [1, 2, 3, 4, 5])
  }

  @Test func `a repeated request is refused, and says why`() throws {
    var log = Self.log(3)
    let taken = RefusedCommand("that row is not skipped")
    #expect(throws: taken) { try log.setSkipped(false, 1) }
    _ = try log.setSkipped(true, 1)
    #expect(throws: RefusedCommand("that row is already skipped")) {
      try log.setSkipped(true, 1)
    }
    #expect(throws: RefusedCommand("a row cannot be moved before itself")) {
      try log.reorder(2, before: 2)
    }
    #expect(log.state == [2, 3])
  }

  @Test func anotherBranchIsLeftAlone() throws {
    var log = Self.log(3)
    log.move(to: 1, [1])
    log.append(4, 40, [1, 40])
    #expect(try log.setSkipped(true, 3) == [3])
    #expect(log.state == [1, 40])
    #expect(try log.setSkipped(true, 1) == [1, 2, 3, 4])
    #expect(log.state == [40])
  }

  /// A person skips 2, goes back to row 3, which shows it still, and goes on there.
  @Test func `a skip reaches what came before a jump to a former state`() throws {
    var log = Self.log(3)
    _ = try log.setSkipped(true, 2)
    log.move(to: 3, [1, 2, 3], isFormer: true)
    log.append(5, 5, [1, 2, 3, 5])
    #expect(log.state == [1, 2, 3, 5])
    #expect(try log.setSkipped(true, 3) == [3, 5])
    #expect(log.state == [1, 5])
    _ = try log.setSkipped(true, 1)
    #expect(log.state == [5])
    for id in [1, 2, 3] as [UInt64] { _ = try log.setSkipped(false, id) }
    #expect(log.state == [1, 2, 3, 5])
  }

  @Test func whatCameFromOutsideIsABaseOfItsOwn() throws {
    var log = Self.log(2)
    log.move(to: nil, [9])
    log.append(3, 3, [9, 3])
    #expect(try log.setSkipped(true, 1) == [1, 2])
    #expect(log.state == [9, 3])
  }

  @Test func anotherOrderIsRunAsOneLine() throws {
    var log = Self.log(4)
    _ = try log.reorder(4, before: 2)
    #expect(log.ids == [1, 4, 2, 3])
    #expect(log.state == [1, 4])
    _ = try log.reorder(1, before: nil)
    #expect(log.ids == [4, 2, 3, 1])
    #expect(log.state == [4])
  }

  @Test func anotherOrderHasNoBranches() throws {
    var log = Self.log(2)
    log.move(to: 1, [1])
    log.append(3, 3, [1, 3])
    log.append(4, 4, [1, 3, 4])
    #expect(try log.reorder(4, before: nil) == [3, 4])
    #expect(log.state == [1, 2, 3, 4])
  }

  @Test func withoutAReducerTheNearestStateCounts() throws {
    var log = ActionLog<Int, [Int]>(initial: [], countMax: 200, run: nil)
    for id in 1...4 { log.append(UInt64(id), id, Array(1...id)) }
    #expect(try log.setSkipped(true, 3) == [])
    #expect(log.state == [1, 2])
    _ = try log.setSkipped(true, 2)
    #expect(log.state == [1])
    _ = try log.setSkipped(false, 3)
    #expect(log.state == [1, 2, 3])
    #expect(throws: RefusedCommand.self) { try log.reorder(4, before: 1) }
    log.move(to: 2, [1, 2])
    log.sweep()
    #expect(log.ids == [1, 3, 4])
    #expect(log.state == [1, 2], "the app stays in it, though it is in no row")
  }

  @Test func aSweepForgetsWhatIsLeftOut() throws {
    var log = Self.log(4)
    _ = try log.setSkipped(true, 2)
    _ = try log.setSkipped(true, 4)
    log.sweep()
    #expect(log.ids == [1, 3])
    #expect(log.state == [1, 3])
    #expect(throws: RefusedCommand.self) { try log.setSkipped(false, 2) }
  }

  @Test func aRollbackReturnsToTheCommitAndAResetToTheStart() {
    var log = Self.log(3)
    log.commit([1, 2, 3])
    log.append(4, 4, [1, 2, 3, 4])
    log.rollback()
    #expect(log.state == [1, 2, 3])
    #expect(log.ids == [])
    log.append(5, 5, [1, 2, 3, 5])
    log.reset()
    #expect(log.state == [])
  }

  @Test func aRollbackWithoutACommitReturnsToTheStartHoweverLongItRan() {
    var log = Self.log(50, countMax: 10)
    log.rollback()
    #expect(log.state == [])
  }

  @Test func itKeepsTheLatestAndStillRunsThemAgain() throws {
    var log = Self.log(1_000, countMax: 10)
    #expect(log.ids.count >= 10 && log.ids.count <= 20)
    #expect(log.ids.last == 1_000)
    let oldest = try #require(log.ids.first)
    #expect(log.horizon == oldest)
    _ = try log.setSkipped(true, 999)
    #expect(log.state == Array(1...998) + [1_000])
    #expect(throws: RefusedCommand.self) { try log.setSkipped(true, 5) }
  }

  @Test func whatCannotBeRunAgainKeepsItsState() throws {
    var log = Self.log(1)
    log.append(2, nil, [1, 70])
    log.append(3, 3, [1, 70, 3])
    _ = try log.setSkipped(true, 1)
    #expect(log.state == [1, 70, 3])
  }
}
