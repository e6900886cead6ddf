import Foundation
import SurfThreads
import Synchronization

/// Reads what a viewer writes, on a thread of its own, and knows when each row came.
final class EyeReader: Sendable {
  /// A row that was there, and none after it, at a moment of `nanoseconds()`.
  struct Sight {
    let row: Int
    let moment: UInt64
  }

  private struct Findings {
    var sights: [Sight] = []
    /// Of the reading thread, in seconds.
    var processorTime = 0.0
  }

  private let findings = Mutex(Findings())
  private let isWanted = Atomic(true)
  private let thread = Mutex<SurfThreads.Thread?>(nil)

  /// How long the thread may take to see that it is not wanted any more.
  private static let patience: Int32 = 20

  init(_ descriptor: Int32) throws {
    let thread = try SurfThreads.Thread.start(name: "eye") { [self] in
      Self.goFirst()
      read(descriptor)
    }
    self.thread.withLock { $0 = thread }
  }

  /// The newest row seen; nil without one.
  var newest: Int? { findings.withLock { $0.sights.last?.row } }

  /// Stops reading, and returns the rows seen, in order.
  func stop() -> (sights: [Sight], processorTime: Double) {
    isWanted.store(false, ordering: .relaxed)
    thread.withLock { $0 }?.join()
    return findings.withLock { ($0.sights, $0.processorTime) }
  }

  /// Keeps waits for this thread out of the measurement, unless the system refuses.
  private static func goFirst() {
    var parameters = sched_param(sched_priority: 1)
    pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameters)
  }

  private func read(_ descriptor: Int32) {
    var finder = EyeMarkFinder()
    var bytes = [UInt8](repeating: 0, count: 65_536)
    var newest = -1
    while isWanted.load(ordering: .relaxed) {
      var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&entry, 1, Self.patience) > 0 else { continue }
      let count = Foundation.read(descriptor, &bytes, bytes.count)
      let moment = nanoseconds()
      guard count > 0 else { break }
      var sights: [Sight] = []
      for octet in bytes[..<count] {
        guard let row = finder.take(octet), row > newest else { continue }
        newest = row
        sights.append(Sight(row: row, moment: moment))
      }
      findings.withLock { $0.sights += sights }
    }
    findings.withLock { $0.processorTime = Double(threadNanoseconds()) / 1e9 }
  }
}
