import SurfSockets
import SurfWire

/// The program of `wait --then`, which replaces the command.
package struct Successor: Equatable, Sendable {
  /// Its name, looked up in `PATH`, and its arguments.
  package let words: [String]
  let instance: InstanceID
  let row: SequenceNumber

  /// Environment variables for it, whose values `statesurf` takes after `-i` and as a row.
  package var variables: [(name: String, value: String)] {
    [("STATESURF_INSTANCE", "\(instance)"), ("STATESURF_ROW", "\(row)")]
  }
}

extension Invocation.Common {
  /// Environment variables that make another command use the same network and realm.
  var variables: [(name: String, value: String)] {
    [
      ("STATESURF_INTERFACE", interface), ("STATESURF_GROUP", IPv4.text(group)),
      ("STATESURF_PORT", "\(port)"), ("STATESURF_REALM", realms.text),
    ]
  }
}
