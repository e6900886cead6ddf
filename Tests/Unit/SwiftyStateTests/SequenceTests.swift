import Foundation
import SurfPersistence
import SwiftyState
import TestSupport
import Testing

/// An engine's effect on one number, in fifty lines.
private struct Model {
  var coins = 0
  var past: [Int] = []
  var future: [Int] = []
  var saved: Int?
  var isRunning = true
  var heard: [[Int?]] = []

  mutating func add(_ count: Int) {
    guard isRunning, coins + count >= 0 else { return }
    change(to: coins + count, isForced: false)
  }

  mutating func change(to next: Int, isForced: Bool = true) {
    if next != coins {
      past = (past + [coins]).suffix(100)
      future = []
    }
    if isForced || next != coins { heard.append([next, coins]) }
    coins = next
  }

  mutating func undo() {
    guard let previous = past.popLast() else { return }
    future.append(coins)
    move(to: previous)
  }

  mutating func redo() {
    guard let next = future.popLast() else { return }
    past.append(coins)
    move(to: next)
  }

  private mutating func move(to next: Int) {
    heard.append([next, coins])
    coins = next
  }
}

@Suite struct SequenceTests {
  @Test(arguments: 1...20)
  func `Whatever is done in whatever order, the engine is as the model says`(
    seed: UInt64
  ) throws {
    var generator = SeededGenerator(seed: seed)
    let bank = Bank()
    let swifty = bank.swifty
    swifty.setStateValidiator(NoDebt())
    var model = Model()
    let (log, _) = bank.listen()
    for _ in 1...300 {
      switch Int.random(in: 0...13, using: &generator) {
      case 0...5:
        let count = Int.random(in: -3...4, using: &generator)
        bank.add(count)
        model.add(count)
      case 6...7:
        swifty.undo()
        model.undo()
      case 8...9:
        swifty.redo()
        model.redo()
      case 10:
        model.isRunning.toggle()
        model.isRunning ? swifty.startEngine() : swifty.stopEngine()
      case 11:
        try swifty.save()
        model.saved = model.coins
      case 12:
        guard let saved = model.saved else { continue }
        try swifty.load()
        model.change(to: saved)
      default:
        let coins = Int.random(in: -2...5, using: &generator)
        try? swifty.loadJSON(#"{"coins":\#(coins)}"#)
        if coins >= 0 { model.change(to: coins) }
      }
      try #require(bank.coins == model.coins)
    }
    #expect(log.entries == model.heard)
  }

  @Test func `Eight threads lose no action`() {
    let bank = Bank()
    bank.swifty.startDebug()
    let (log, _) = bank.listen()
    DispatchQueue.concurrentPerform(iterations: 8) { number in
      for _ in 1...200 {
        bank.add(1)
        let (_, subscription) = bank.listen()
        subscription.hotStart()
        subscription.unsubscribe()
        if number == 0 { _ = bank.swifty.getHistory() }
      }
    }
    // The thread that works for the others has returned, so the engine is idle.
    #expect(bank.coins == 1_600)
    #expect(log.entries == (1...1_600).map { [$0, $0 - 1] })
  }
}
