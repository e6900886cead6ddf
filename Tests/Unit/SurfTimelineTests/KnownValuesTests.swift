import SurfTimeline
import SurfWire
import Testing

@Suite struct KnownValuesTests {
  @Test func `nothing is known before somebody asks`() {
    var board = KnownValues()
    #expect(!notes(update("a", 1), &board))
    #expect(!board.isComplete)
    #expect(board.records.isEmpty)
  }

  @Test func `what an answer does not repeat is gone, unless it was told behind the horizon`() {
    var board = asked()
    board.note(update("old", 3))
    board.note(update("new", 9))
    board.add(answer: update("kept", 2))
    board.complete(horizon: 5, leftOut: 7)
    #expect(names(board) == ["kept", "new"])
    #expect(board.isComplete)
    #expect(board.leftOut == 7)
  }

  @Test func `of two words on a value the newer counts, in whichever order they come`() {
    var board = asked()
    board.note(update("live", 9))
    board.add(answer: update("live", 2))
    board.add(answer: update("answer", 8))
    board.note(update("answer", 6))
    board.complete(horizon: 8, leftOut: 0)
    #expect(board.records.map(\.name) == ["answer", "live"])
    #expect(board.records.map(\.sequence) == [8, 9])
  }

  @Test func `a remove ends what an older answer brings later`() {
    var board = asked()
    board.note(remove("screen", 10))
    board.add(answer: update("screen/a", 4))
    board.add(answer: update("screens", 4))
    board.add(answer: update("screen/b", 11))
    board.complete(horizon: 11, leftOut: 0)
    #expect(names(board) == ["screen/b", "screens"])
  }

  @Test func `a record up to the horizon changes nothing any more`() {
    var board = asked()
    board.add(answer: update("a", 4))
    board.complete(horizon: 5, leftOut: 0)
    #expect(!notes(remove("a", 5), &board))
    #expect(!notes(update("b", 5), &board))
    #expect(names(board) == ["a"])
    #expect(notes(remove("a", 6), &board))
    #expect(!notes(remove("a", 7), &board))
    #expect(names(board) == [])
  }

  @Test func `a second question keeps what is known until it is answered`() {
    var board = asked()
    board.add(answer: update("a", 1))
    board.complete(horizon: 1, leftOut: 0)
    board.begin()
    #expect(names(board) == ["a"])
    #expect(!board.isComplete)
    board.complete(horizon: 8, leftOut: 0)
    #expect(names(board) == [])
  }

  private func asked() -> KnownValues {
    var board = KnownValues()
    board.begin()
    return board
  }

  private func update(_ name: String, _ number: UInt64) -> Record {
    Record(sequence: SequenceNumber(number), kind: .update, name: name)
  }

  private func remove(_ name: String, _ number: UInt64) -> Record {
    Record(sequence: SequenceNumber(number), kind: .remove, name: name)
  }

  private func notes(_ record: Record, _ board: inout KnownValues) -> Bool { board.note(record) }

  private func names(_ board: KnownValues) -> [String] { board.records.map(\.name) }
}
