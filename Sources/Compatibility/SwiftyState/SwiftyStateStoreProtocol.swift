public import FoundationEssentials
internal import SurfStore
internal import SurfThreads
internal import ValueCoding

/// The one state of a program.
///
/// If it is `Equatable` too, an action that leaves it equal notifies nobody; otherwise every action
/// counts as a change.
public protocol SwiftyStateStoreProtocol: Codable, Sendable {}

/// Something that can happen to the state. Any number of types may conform, enums as a rule.
public protocol SwiftyAction: Sendable {
  /// The state after this action. It must be of the type of `state`, and depend on nothing else.
  func reducer(state: any SwiftyStateStoreProtocol) -> any SwiftyStateStoreProtocol
}

/// Decides which states may be.
public protocol SwiftyStateValidiator: Sendable {
  /// Whether the program may be in `state`. It must depend on nothing else.
  func validiator(_ state: any SwiftyStateStoreProtocol) -> Bool
}

/// The same in the usual spelling.
public typealias SwiftyStateValidator = SwiftyStateValidiator

extension SwiftyStateStoreProtocol {
  /// JSON that people can read, in UTF-8.
  public func toData() throws(SwiftyStateError) -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    do {
      return try encoder.encode(self)
    } catch {
      throw .unencodable(reason: explanation(of: error))
    }
  }

  /// JSON that people can read.
  public func toJSON() throws(SwiftyStateError) -> String {
    String(decoding: try toData(), as: UTF8.self)
  }

  /// The state of this type that `json` describes. This one stays as it is.
  public func fromJSON(_ json: String) throws(SwiftyStateError) -> Self {
    do {
      return try JSONDecoder().decode(Self.self, from: Data(json.utf8))
    } catch {
      throw .malformed(reason: explanation(of: error))
    }
  }

  /// Of another type, or of a type without `==`, is not equal.
  func isEqual(to other: any SwiftyStateStoreProtocol) -> Bool {
    (self as? any Equatable)?.isEqual(to: other) ?? false
  }
}

extension Equatable {
  fileprivate func isEqual(to other: Any) -> Bool { (other as? Self) == self }
}

/// A closure that the store calls with each change, but not with the state that it begins with.
final class SwiftyListener: Sendable {
  private struct Listening: Sendable {
    /// What the store calls first is no change.
    var hasBegun = false
    var isCancelled = false
    var subscription: Subscription?
  }

  let body: SwiftySubscription.Body
  private let listening = Monitor(Listening())

  init(_ body: @escaping SwiftySubscription.Body) { self.body = body }

  func hear(_ held: HeldState) {
    let isLater = listening.withLock { listening in
      defer { listening.hasBegun = true }
      return listening.hasBegun && !listening.isCancelled
    }
    guard isLater, held.isNews, let state = held.state else { return }
    body(state, held.previous)
  }

  /// Keeps what keeps it listening, unless it was cancelled meanwhile.
  func keep(_ subscription: Subscription) {
    let isCancelled = listening.withLock { listening in
      if !listening.isCancelled { listening.subscription = subscription }
      return listening.isCancelled
    }
    if isCancelled { subscription.cancel() }
  }

  func cancel() {
    let subscription = listening.withLock { listening in
      listening.isCancelled = true
      return listening.subscription.take()
    }
    subscription?.cancel()
  }
}

/// A closure that is told of each row.
final class RowObserver: Sendable {
  let body: @Sendable (SwiftyRow) -> Void

  init(_ body: @escaping @Sendable (SwiftyRow) -> Void) { self.body = body }
}
