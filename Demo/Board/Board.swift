import Observation

package struct Card: Codable, Equatable, Sendable, Identifiable {
  package enum Column: String, Codable, Sendable, CaseIterable { case todo, doing, done }

  package let id: Int
  package var title: String
  package var column = Column.todo

  package init(id: Int, title: String) { (self.id, self.title) = (id, title) }
}

/// The cards as one of the two programs knows them.
@Observable @MainActor
package final class Board {
  /// A change that one board sends to the other.
  package enum Message: Codable, Sendable {
    case cards([Card])
    case card(Card)
    case removed(Int)
  }

  package private(set) var cards: [Card] = []
  /// Changes that the other board has not received yet, by the card's id.
  @ObservationIgnored private var unsent: [Int: Message] = [:]
  @ObservationIgnored private let send: (Message) -> Void
  /// 1 or 2. The other board gives its cards the other numbers, so that no two cards share one.
  @ObservationIgnored private let firstID: Int

  /// A card of another program may have any number.
  private static let ids = 1...1_000_000

  package init(firstID: Int, send: @escaping (Message) -> Void) {
    (self.firstID, self.send) = (firstID, send)
  }

  package func obey(_ command: Command) {
    switch command {
    case .add(let title):
      let newest = cards.map(\.id).filter { $0 % 2 == firstID % 2 && Self.ids ~= $0 }.max()
      let card = Card(id: newest.map { $0 + 2 } ?? firstID, title: title)
      cards.append(card)
      unsent[card.id] = .card(card)
    case .edit(let id, let title): change(id) { $0.title = title }
    case .move(let id, let column): change(id) { $0.column = column }
    case .remove(let id):
      cards.removeAll { $0.id == id }
      unsent[id] = .removed(id)
    }
  }

  package func has(_ id: Int) -> Bool { cards.contains { $0.id == id } }

  private func change(_ id: Int, _ body: (inout Card) -> Void) {
    guard let place = cards.firstIndex(where: { $0.id == id }) else { return }
    body(&cards[place])
    unsent[id] = .card(cards[place])
  }

  /// Sends what has changed here.
  package func share() {
    for message in unsent.sorted(by: { $0.key < $1.key }).map(\.value) { send(message) }
    unsent = [:]
  }

  /// Takes over all cards, and makes the other board do so.
  package func replace(with cards: [Card]) {
    (self.cards, unsent) = (cards, [:])
    send(.cards(cards))
  }

  // The fault of this demo: a card replaces the whole card, also what somebody has changed here and
  // not sent yet. Then each board has what the other one had.
  package func receive(_ message: Message) {
    switch message {
    case .cards(let cards): (self.cards, unsent) = (cards, [:])
    case .card(let card):
      if let place = cards.firstIndex(where: { $0.id == card.id }) {
        cards[place] = card
      } else {
        cards.append(card)
      }
    case .removed(let id): cards.removeAll { $0.id == id }
    }
  }
}

package enum Command: Equatable {
  case add(String)
  case edit(Int, String)
  case move(Int, Card.Column)
  case remove(Int)

  package struct Misuse: Error {
    package let message: String
  }

  /// Reads a line such as `move 2 done`.
  package init(_ line: String) throws(Misuse) {
    let words = line.split(separator: " ", maxSplits: 2).map(String.init)
    let rest = line.split(separator: " ", maxSplits: 1).dropFirst().first.map(String.init)
    let id = words.count > 1 ? Int(words[1]) : nil
    let last = words.count > 2 ? words[2] : ""
    switch (words.first, id, rest) {
    case ("add", _, let title?): self = .add(title)
    case ("edit", let id?, _) where !last.isEmpty: self = .edit(id, last)
    case ("move", let id?, _):
      guard let column = Card.Column(rawValue: last) else {
        throw Misuse(message: "move takes a card and todo, doing or done, as in: move 1 done")
      }
      self = .move(id, column)
    case ("remove", let id?, _): self = .remove(id)
    default: throw Misuse(message: "\"\(line)\" is not a command; try help")
    }
  }

  /// The card that must be there.
  package var card: Int? {
    switch self {
    case .add: nil
    case .edit(let id, _), .move(let id, _), .remove(let id): id
    }
  }
}
