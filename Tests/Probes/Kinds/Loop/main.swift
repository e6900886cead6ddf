import Foundation
import StateSurf

/// Everything is under `lock`, because a restore comes on another thread.
final class Game: @unchecked Sendable {
  enum Piece { case bar, square }

  let lock = NSLock()
  private var score = 0
  private var piece = Piece.bar

  var state: Reflected<(score: Int, piece: Piece)> {
    get { Reflected((score, piece)) }
    set { (score, piece) = newValue.value }
  }

  func play() {
    lock.withLock {
      score += 1
      piece = piece == .bar ? .square : .bar
      draw()
      transceiver.record(action: "play", state: state)
    }
  }

  func draw() { print("\(piece) \(score)") }
}

let transceiver = Transceiver(name: "Blocks")
let game = Game()
transceiver.onReset(initial: game.state) { state in
  game.lock.withLock {
    game.state = state
    game.draw()
  }
}
transceiver.resume()
for _ in 1...3 {
  game.play()
  Thread.sleep(forTimeInterval: 2)
}
transceiver.suspend()
