import Foundation
import SurfPersistence
import SurfStore
import SwiftyState
import TestSupport
import Testing

@Suite struct SwiftyStateTests {
  private let bank = Bank()
  private var swifty: SwiftyState { bank.swifty }

  @Test func `Without a store nothing happens, and nothing traps`() {
    let bank = Bank(coins: nil)
    let swifty = bank.swifty
    let (log, subscription) = bank.listen()
    swifty.startDebug()
    bank.add(1)
    swifty.undo()
    swifty.redo()
    subscription.hotStart()
    #expect(swifty.getRawState() == nil && swifty.getState(as: Purse.self) == nil)
    #expect(log.entries == [])
    #expect(swifty.getHistory().last?.reason == "SwiftyState: no store is set")
    #expect(throws: SwiftyStateError.noStore) { try swifty.save() }
    #expect(throws: SwiftyStateError.noStore) { try swifty.load() }
    #expect(throws: SwiftyStateError.noStore) { try swifty.toJSON() }
    #expect(throws: SwiftyStateError.noStore) { try swifty.loadJSON("{}") }
    #expect(throws: SwiftyStateError.self) { try swifty.restore(Purse()) }
  }

  @Test func `Subscribers hear of the new state and the old one until they unsubscribe`() {
    let (log, first) = bank.listen()
    let (_, second) = bank.listen()
    #expect([first.id, second.id] == ["f1", "f2"])
    bank.add(2, 3)
    first.hotStart()
    first.unsubscribe()
    first.unsubscribe()
    first.hotStart()
    bank.add(1)
    #expect(log.entries == [[2, 0], [5, 2], [5, nil]])
  }

  @Test func `An equal state is told only by force`() {
    let (log, _) = bank.listen()
    bank.add(0)
    swifty.action(a: Coin.add(0), force: true)
    #expect(log.entries == [[0, 0]])
  }

  @Test func `A rejected action changes nothing, and only the history has it`() {
    swifty.setStateValidiator(NoDebt())
    swifty.setStateValidiator(
      Validator("not rich") { state in
        (state as? Purse).flatMap { $0.coins > 9 ? "\($0.coins) coins" : nil }
      })
    swifty.startDebug()
    let (log, _) = bank.listen()
    bank.add(-1, 10, 9)
    #expect(log.entries == [[9, 0]])
    #expect(swifty.getHistory().map(\.valid) == [true, false, false, true])
    #expect(swifty.getHistory().map(\.reason) == [nil, "NoDebt", "not rich: 10 coins", nil])
    #expect(swifty.getHistory().map { ($0.state as? Purse)?.coins } == [0, 0, 0, 9])
  }

  @Test func `A validator of the same name takes the place of the first`() {
    swifty.setStateValidiator(NoDebt(), name: "rule")
    swifty.setStateValidiator(Validator("rule") { _ in true })
    bank.add(-1)
    #expect(bank.coins == -1)
  }

  @Test func `A state of another type is rejected`() {
    swifty.startDebug()
    swifty.action(a: Coin.become("note"))
    #expect(bank.coins == 0)
    #expect(swifty.getHistory().last?.reason == "SwiftyState: a Note is not a Purse")
    swifty.setStore(Note(text: "new"))
    #expect(swifty.getState(as: Note.self)?.text == "new")
  }

  @Test func `While the engine is stopped, actions are recorded and do not happen`() {
    let (log, _) = bank.listen()
    swifty.startDebug()
    swifty.stopEngine()
    bank.add(1)
    #expect(bank.coins == 0 && log.entries == [])
    #expect(swifty.getHistory().last?.fate == .frozen)
    swifty.startEngine()
    bank.add(1)
    #expect(bank.coins == 1)
  }

  @Test func `The history is bounded, and ends with stopDebug`() {
    bank.add(1)
    swifty.startDebug(rowCountMax: 3)
    #expect(swifty.getHistory().map(\.action) == ["SwiftyState debug started"])
    bank.add(2, 3, 4)
    #expect(swifty.getHistory().map(\.action) == ["add(2)", "add(3)", "add(4)"])
    swifty.stopDebug()
    bank.add(5)
    swifty.startDebug(rowCountMax: 3)
    #expect(swifty.getHistory().count == 3)
  }

  @Test func `A hundred changes can be undone, and no row tells of that`() {
    swifty.startDebug()
    for _ in 1...103 { bank.add(1) }
    for _ in 1...105 { swifty.undo() }
    #expect(bank.coins == 3)
    for _ in 1...200 { swifty.redo() }
    #expect(bank.coins == 103)
    #expect(swifty.getHistory().count == 104)
  }

  @Test func `Actions from inside a subscriber wait for their turn`() {
    let (log, _) = bank.listen()
    let subscription = swifty.subscribe { [swifty] new, _ in
      if let purse = new as? Purse, purse.coins < 3 { swifty.action(a: Coin.add(1)) }
    }
    bank.add(1)
    #expect(log.entries == [[1, 0], [2, 1], [3, 2]])
    subscription.unsubscribe()
  }

  @Test func `JSON comes in as an action does`() throws {
    swifty.setStateValidiator(NoDebt())
    swifty.startDebug()
    let (log, _) = bank.listen()
    try swifty.loadJSON(#"{"coins":4}"#)
    #expect(throws: SwiftyStateError.rejected(Objection(validator: "NoDebt", reason: nil))) {
      try swifty.loadJSON(#"{"coins":-4}"#)
    }
    #expect(throws: SwiftyStateError.self) { try swifty.loadJSON(#"{"coins":"#) }
    #expect(log.entries == [[4, 0]])
    #expect(swifty.getHistory().map(\.action).dropFirst() == ["loadJSON", "loadJSON"])
    #expect(swifty.getHistory().map(\.valid) == [true, true, false])
    #expect(try swifty.fromJSON(#"{"coins":7}"#) as? Purse == Purse(coins: 7))
    #expect(bank.coins == 4)
    swifty.undo()
    #expect(bank.coins == 0)
  }

  @Test func `What is saved is loaded, and validated`() throws {
    bank.add(5)
    try swifty.save()
    bank.add(1)
    let (log, _) = bank.listen()
    try swifty.load()
    #expect(log.entries == [[5, 6]])
    try bank.persistence.save(Purse(coins: -1))
    swifty.setStateValidiator(NoDebt())
    #expect(throws: SwiftyStateError.rejected(Objection(validator: "NoDebt", reason: nil))) {
      try swifty.load()
    }
    try bank.persistence.save(Note())
    #expect(throws: SwiftyStateError.self) { try swifty.load() }
    try swifty.resetSavedState()
    #expect(throws: SwiftyStateError.file(.nothingSaved(path: bank.persistence.path))) {
      try swifty.load()
    }
    #expect(bank.coins == 5)
  }

  @Test func `A program that persists begins where it ended`() throws {
    let watch = try swifty.persist(signals: [])
    #expect(bank.coins == 0 && watch.watched == [])
    bank.add(2)
    try swifty.save()
    swifty.setStore(Purse())
    _ = try swifty.persist(signals: [])
    #expect(bank.coins == 2)
  }

  @Test func `Observers are told of every row, collected or not`() {
    swifty.setStateValidiator(NoDebt())
    let log = Log<String>()
    let observation = swifty.observe { log.append("\($0.action) \($0.reason ?? "")") }
    bank.add(1, -2)
    observation.cancel()
    bank.add(1)
    #expect(log.entries == ["add(1) ", "add(-2) NoDebt"])
    #expect(swifty.getHistory().isEmpty)
  }
}
