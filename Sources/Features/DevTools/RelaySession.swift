internal import RelayClient
internal import SurfStreams

/// One try to be connected, and what became of it.
struct RelaySession {
  let stream: StreamID
  let address: RelayAddress
  /// When it must be ready.
  let giveUpAt: Duration
  /// Nil until the stream stands.
  var link: RelayLink?
  /// What the relay calls us; nil until frames may be sent.
  var id: String?

  var deadline: Duration? {
    let patience = id == nil ? giveUpAt : nil
    return [patience, link?.deadline].compactMap(\.self).min()
  }
}

/// How long to wait before the next try: a second, then twice as long each time, at most thirty;
/// less by chance, so that the apps of a room do not all come at once.
enum RetryDelay {
  static let max = Duration.seconds(30)

  static func after(failures: Int, first: Duration, random: UInt64) -> Duration {
    let shift = min(Swift.max(failures - 1, 0), 16)
    let longest = min(first * (1 << shift), max)
    return longest / 2 + longest * Double(random % 1024) / 2048
  }
}
