import Foundation
import StateSurf

/// Files away what viewers send.
// Unchecked: `count` is only touched while `lock` is held.
final class Desk: @unchecked Sendable {
  private let directory: URL
  private let lock = NSLock()
  private var count = 0

  init(directory: URL) { self.directory = directory }

  func take(_ reset: Transceiver.Reset) throws {
    if reset.state?.starts(with: Data("no".utf8)) == true { throw Refusal() }
    let number = lock.withLock {
      count += 1
      return count
    }
    let name = reset.state == nil ? "initial.\(number)" : "reset.\(number)"
    try (reset.state ?? Data()).write(to: directory.appending(path: name))
  }
}

/// Why a state was refused, in the words that a viewer shows.
struct Refusal: Error, CustomStringConvertible {
  let description = "this probe takes nothing that begins with no"
}
