import Foundation
import StateSurf

final class Game {
  enum Piece { case bar, square }

  private var score = 0
  private var piece = Piece.bar

  var state: Reflected<(score: Int, piece: Piece)> {
    get { Reflected((score, piece)) }
    set { (score, piece) = newValue.value }
  }

  func play() {
    score += 1
    piece = piece == .bar ? .square : .bar
    draw()
    transceiver.record(action: "play", state: state)
  }

  func draw() { print("\(piece) \(score)") }
}

let transceiver = Transceiver(name: "Blocks")
let game = Game()
transceiver.onReset(initial: game.state, on: MainActor.self) { state in
  game.state = state
  game.draw()
}
transceiver.resume()
for _ in 1...3 {
  game.play()
  RunLoop.main.run(until: .now + 2)
}
transceiver.suspend()
