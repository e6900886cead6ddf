import SurfWire

/// What an action was: two actions with the same name and payload are the same.
package struct ActionIdentity: Hashable, Sendable {
  package let name: String
  package let payload: Content?

  init(_ record: Record) { (name, payload) = (record.name, record.payload) }

  /// `add` of `add("Milk")`, and a name without values as it is.
  static func nameWithoutValues(_ name: String) -> String {
    let stem = name.prefix { $0 != "(" }
    return stem.isEmpty ? name : String(stem)
  }
}
