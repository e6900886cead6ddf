import DevTools
import SurfThreads
import Testing

/// DNS-SD as the test wants it.
final class FakeBrowser: RelayBrowser {
  private final class Token: Sendable {
    let onEnd: @Sendable () -> Void
    init(_ onEnd: @escaping @Sendable () -> Void) { self.onEnd = onEnd }
    deinit { onEnd() }
  }

  struct Browse {
    let type: String
    let handler: @Sendable (RelaySighting) -> Void
    var isActive = true
  }

  let browses = Monitor<[Browse]>([])

  func browse(
    _ type: String, _ handler: @escaping @Sendable (RelaySighting) -> Void
  ) -> any Sendable & AnyObject {
    let index = browses.withLock { $0.count }
    browses.withLock { $0.append(Browse(type: type, handler: handler)) }
    return Token { [browses] in browses.withLock { $0[index].isActive = false } }
  }

  /// The types of all browses so far.
  var types: [String] { browses.withLock { $0.map(\.type) } }
  var activeCount: Int { browses.withLock { $0.count { $0.isActive } } }

  /// Tells everybody who browses, once somebody has.
  func tell(
    _ sighting: RelaySighting, browse count: Int = 1,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let isSo = browses.wait(until: monotonicNow() + patience) { $0.count >= count }
    try #require(isSo, sourceLocation: sourceLocation)
    for browse in browses.withLock({ $0 }) where browse.isActive { browse.handler(sighting) }
  }

  func waitUntilActive(
    _ count: Int, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let isSo = browses.wait(until: monotonicNow() + patience) { browses in
      browses.count { $0.isActive } == count
    }
    try #require(isSo, sourceLocation: sourceLocation)
  }
}

extension DiscoveredService {
  static let usualType = "_reduxdevtools._tcp."

  static func relay(_ name: String, port: UInt16? = nil) -> DiscoveredService {
    DiscoveredService(
      name: name, type: usualType, host: port == nil ? nil : "127.0.0.1", port: port)
  }
}
