import SurfWire

/// Whether anybody watches an app, as far as `BroadcastMachine` can know: a viewer that follows it
/// says hello repeatedly (Protocol.md §12).
package struct Audience: Sendable {
  /// Changes since the last call.
  package struct News: Equatable, Sendable {
    /// Until when somebody watches, unless more is heard.
    package let end: Duration
    /// The viewers that were heard.
    package fileprivate(set) var viewers: Set<ViewerID>
    /// Whether nobody watched before.
    package fileprivate(set) var isArrival: Bool
  }

  private var end: Duration?
  private var news: News?

  package init() {}

  /// A viewer that watches was heard.
  package mutating func note(_ viewer: ViewerID, at now: Duration) {
    let isArrival = end.map { now >= $0 } ?? true
    end = now + Timers.audience
    news = News(
      end: now + Timers.audience, viewers: (news?.viewers ?? []).union([viewer]),
      isArrival: isArrival || news?.isArrival == true)
  }

  /// The news since the last call.
  package mutating func takeNews() -> News? { news.take() }
}

extension ViewerID {
  /// A viewer in the app's own process, which says no hello.
  package static let own = ViewerID(rawValue: 0)
}
