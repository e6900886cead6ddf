import Board
import SurfBasics
import TestSupport
import Testing

/// Two boards, and the messages on their way from each to the other.
@MainActor
private final class Table {
  var sent: [[Board.Message]] = [[], []]
  lazy var boards = [0, 1].map { side in
    Board(firstID: side + 1) { [unowned self] in sent[side].append($0) }
  }

  func share(_ side: Int) {
    boards[side].share()
    for message in sent[side] { boards[1 - side].receive(message) }
    sent[side] = []
  }

  var isOne: Bool {
    boards[0].cards.sorted { $0.id < $1.id } == boards[1].cards.sorted { $0.id < $1.id }
  }
}

@Suite("Board")
@MainActor
struct BoardTests {
  @Test(arguments: 1...50)
  func `boards agree as long as nobody edits before hearing of the other`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let table = Table()
    for step in 0..<100 {
      let side = Int.random(in: 0...1, using: &random)
      let id = table.boards[side].cards.randomElement(using: &random)?.id ?? 0
      let column = Card.Column.allCases.randomElement(using: &random)?.rawValue ?? ""
      let line =
        ["add card \(step)", "edit \(id) text \(step)", "move \(id) \(column)", "remove \(id)"]
        .randomElement(using: &random) ?? ""
      table.boards[side].obey(try Command(line))
      table.share(side)
      #expect(table.isOne, "\(line)")
    }
  }

  @Test func `each board gets what the other typed if both edit a card at the same time`() throws {
    let table = Table()
    table.boards[0].obey(.add("Buy milk"))
    table.share(0)
    table.boards[0].obey(.edit(1, "Buy oat milk"))
    table.boards[1].obey(.move(1, .done))
    table.boards[0].share()
    table.share(1)
    table.share(0)
    #expect(table.boards[0].cards.map(\.title) == ["Buy milk"])
    #expect(table.boards[1].cards.map(\.title) == ["Buy oat milk"])
    #expect(table.boards.flatMap(\.cards).map(\.column) == [.done, .todo])
  }

  @Test func `a restored board tells the other one, and forgets what it has not sent`() {
    let table = Table()
    table.boards[0].obey(.add("Buy milk"))
    let cards = table.boards[0].cards
    table.share(0)
    table.boards[0].obey(.remove(1))
    table.boards[0].replace(with: cards)
    table.share(0)
    #expect(table.isOne && table.boards[1].cards == cards)
  }

  @Test func `a card with any number is taken, and numbers go on`() {
    let table = Table()
    table.boards[1].receive(.cards([Card(id: .max, title: "far"), Card(id: .min, title: "off")]))
    table.boards[1].obey(.add("near"))
    #expect(table.boards[1].cards.map(\.id) == [.max, .min, 2])
    table.boards[0].receive(.card(Card(id: .max, title: "far")))
    table.boards[0].obey(.add("near"))
    #expect(table.boards[0].cards.map(\.id) == [.max, 1])
  }

  @Test func `two boards give their cards different numbers`() {
    let table = Table()
    for side in [0, 1, 0, 1] { table.boards[side].obey(.add("a card")) }
    (0...1).forEach(table.share)
    #expect(table.boards.map { $0.cards.map(\.id).sorted() } == [[1, 2, 3, 4], [1, 2, 3, 4]])
  }

  @Test(arguments: [
    ("add Buy milk", Command.add("Buy milk")), ("edit 2 Call Bob", .edit(2, "Call Bob")),
    ("move 12 doing", .move(12, .doing)), ("remove 3", .remove(3)),
  ])
  func `a line is a command`(line: String, command: Command) throws {
    #expect(try Command(line) == command)
  }

  @Test(arguments: ["", "add", "edit 2", "edit x y", "move 1", "move 1 never", "remove", "say 1"])
  func `another line is not`(line: String) {
    #expect(throws: Command.Misuse.self) { try Command(line) }
  }
}
