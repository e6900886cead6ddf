public import SurfPersistence
public import SurfStore

/// Why nothing was done. The state is as it was.
public enum SwiftyStateError: Error, Hashable, Sendable, CustomStringConvertible {
  /// `setStore` was not called yet.
  case noStore
  /// The file was not read or written.
  case file(PersistenceError)
  /// The JSON was cut, or describes no state of the store's type.
  case malformed(reason: String)
  /// The state cannot be written as JSON.
  case unencodable(reason: String)
  /// The state may not be.
  case rejected(Objection)

  /// What happened, in one line.
  public var description: String {
    switch self {
    case .noStore: "no store is set"
    case .file(let error): error.description
    case .malformed(let reason): "not such a state: \(reason)"
    case .unencodable(let reason): "the state cannot be written: \(reason)"
    case .rejected(let objection): "rejected (\(objection))"
    }
  }
}
