import SurfSockets
import SurfWire

/// A program that takes the place of a command that has waited for its time.
package struct Successor: Equatable, Sendable {
  /// Its name, searched for as a shell does, and its arguments.
  package let words: [String]
  let instance: InstanceID
  let row: SequenceNumber

  /// What it finds in its environment, fit for `-i` and for a row's place.
  package var variables: [(name: String, value: String)] {
    [("STATESURF_INSTANCE", "\(instance)"), ("STATESURF_ROW", "\(row)")]
  }
}

extension Invocation.Common {
  /// What makes another command look where this one did.
  var variables: [(name: String, value: String)] {
    [
      ("STATESURF_INTERFACE", interface), ("STATESURF_GROUP", IPv4.text(group)),
      ("STATESURF_PORT", "\(port)"), ("STATESURF_REALM", realms.text),
    ]
  }
}
