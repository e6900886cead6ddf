import DemoSupport
import Foundation
import StateSurf

@main
enum Main {
  static let help = """
    Board: cards that two people edit, each in a program of their own.

    Usage: Board (--listen | --join) ADDRESS:PORT [--name NAME] [--help]

      --listen ADDRESS:PORT   wait there for the other board, as 127.0.0.1:7000
      --join ADDRESS:PORT     join the board that waits there
      --name NAME             how viewers list this board (Board)

    Reads commands, from a person or from a pipe:
      add TEXT                a new card                remove N   take card N away
      edit N TEXT             change the text of card N list       show the cards
      move N COLUMN           to todo, doing or done    quit       leave
    """

  /// What viewers see.
  private struct State: Codable, Sendable {
    let cards: [Card]
  }

  /// What happens to a board.
  private enum Event: Sendable {
    case line(String)
    case message(Board.Message)
    case time
    case left
    case end
  }

  static func main() async {
    do {
      let arguments = try Arguments(
        Array(CommandLine.arguments.dropFirst()), texts: ["--listen", "--join", "--name"])
      if arguments.isHelpWanted { return Terminal.say(help) }
      try await run(arguments.texts)
    } catch let error as Arguments.Misuse {
      Terminal.misused("Board", error.message)
    } catch {
      Terminal.failed("Board", "\(error)")
    }
  }

  @MainActor
  private static func run(_ options: [String: String]) async throws {
    let peer: Peer
    switch (options["--listen"], options["--join"]) {
    case (let place?, nil):
      peer = try Peer.listening(at: place) {
        Terminal.say("waiting for the other board: Board --join \(place)")
      }
    case (nil, let place?): peer = try Peer.joining(place)
    default: throw Arguments.Misuse(message: "say either --listen or --join")
    }
    let board = Board(firstID: options["--listen"] == nil ? 2 : 1, send: peer.send)
    let transceiver = Transceiver(name: options["--name"] ?? "Board")
    let token = transceiver.observe {
      State(cards: board.cards)
    } restore: {
      board.replace(with: $0.cards)
    }
    transceiver.resume()
    let signals = Signals { transceiver.suspend() }
    for await event in events(from: peer) {
      guard handle(event, board, transceiver) else { break }
      // So that each event has a row of its own.
      await Task.yield()
    }
    board.share()
    transceiver.suspend()
    withExtendedLifetime((signals, token)) {}
  }

  /// False at the end.
  @MainActor
  private static func handle(_ event: Event, _ board: Board, _ transceiver: Transceiver) -> Bool {
    switch event {
    case .line("list"): Terminal.say(board.text)
    case .line("help"): Terminal.say(help)
    case .line("quit"), .end: return false
    case .line(""): break
    case .line(let line): obey(line, board, transceiver)
    case .message(let message):
      transceiver.log("received \(message.name)")
      board.receive(message)
      if Terminal.isInteractive { Terminal.say("\n" + board.text) }
    case .time: board.share()
    case .left: transceiver.log("the other board has left", level: .warning)
    }
    return true
  }

  @MainActor
  private static func obey(_ line: String, _ board: Board, _ transceiver: Transceiver) {
    do throws(Command.Misuse) {
      let command = try Command(line)
      if let card = command.card, !board.has(card) {
        throw Command.Misuse(message: "there is no card \(card)")
      }
      board.obey(command)
      if Terminal.isInteractive { Terminal.say(board.text) }
    } catch {
      Terminal.say(error.message)
      transceiver.log(error.message, level: .warning, attributes: ["line": line])
    }
  }

  /// The typed lines, the other board's messages, and twice a second the time to send.
  private static func events(from peer: Peer) -> AsyncStream<Event> {
    let (events, source) = AsyncStream<Event>.makeStream()
    Thread.detachNewThread {
      Terminal.forEachLine(prompt: "board> ") { line in
        source.yield(.line(line.trimmingCharacters(in: .whitespaces)))
        return true
      }
      source.yield(.end)
    }
    Thread.detachNewThread {
      peer.forEachMessage { source.yield(.message($0)) }
      source.yield(.left)
    }
    Thread.detachNewThread {
      while true {
        Thread.sleep(forTimeInterval: 0.5)
        source.yield(.time)
      }
    }
    return events
  }
}

extension Board {
  /// The cards for a person.
  fileprivate var text: String {
    guard !cards.isEmpty else { return "no cards" }
    return cards.map { "\($0.id). \($0.column.rawValue): \(Terminal.printable($0.title))" }
      .joined(separator: "\n")
  }
}

extension Board.Message {
  fileprivate var name: String {
    switch self {
    case .cards(let cards): "all \(cards.count) cards"
    case .card(let card): "card \(card.id)"
    case .removed(let id): "the removal of card \(id)"
    }
  }
}
