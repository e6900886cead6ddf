public import FoundationEssentials
internal import ValueCoding

/// The one state of a program, for `SwiftyState`.
///
/// If it is `Equatable`, an action that leaves it equal does not call subscribers. Otherwise every
/// action counts as a change.
public protocol SwiftyStateStoreProtocol: Codable, Sendable {}

/// An action that changes the state. Any number of types may conform, usually enums.
public protocol SwiftyAction: Sendable {
  /// The state after this action. It must have the type of `state`, and depend on nothing else.
  func reducer(state: any SwiftyStateStoreProtocol) -> any SwiftyStateStoreProtocol
}

/// Decides which states are valid.
public protocol SwiftyStateValidiator: Sendable {
  /// Whether `state` is valid. The answer must depend on nothing else.
  func validiator(_ state: any SwiftyStateStoreProtocol) -> Bool
}

/// The same in the usual spelling.
public typealias SwiftyStateValidator = SwiftyStateValidiator

extension SwiftyStateStoreProtocol {
  /// Indented JSON in UTF-8.
  public func toData() throws(SwiftyStateError) -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    do {
      return try encoder.encode(self)
    } catch {
      throw .unencodable(reason: explanation(of: error))
    }
  }

  /// Indented JSON.
  public func toJSON() throws(SwiftyStateError) -> String {
    String(decoding: try toData(), as: UTF8.self)
  }

  /// Decodes a state of this type. The receiver is not used.
  public func fromJSON(_ json: String) throws(SwiftyStateError) -> Self {
    do {
      return try JSONDecoder().decode(Self.self, from: Data(json.utf8))
    } catch {
      throw .malformed(reason: explanation(of: error))
    }
  }

  /// False for another type, or for a type without `==`.
  func isEqual(to other: any SwiftyStateStoreProtocol) -> Bool {
    (self as? any Equatable)?.isEqual(to: other) ?? false
  }
}

extension Equatable {
  fileprivate func isEqual(to other: Any) -> Bool { (other as? Self) == self }
}
