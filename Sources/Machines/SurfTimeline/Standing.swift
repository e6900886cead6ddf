/// What a viewer knows of whether an app is the one that it says to be (Protocol.md §18.5).
package enum Standing: String, Equatable, Sendable {
  /// Neither is sealed, nor has the viewer a key.
  case plain
  /// The viewer has a key, and the app is not sealed: anybody may pose as it.
  case open
  /// Sealed under a key of the viewer's, and it has answered.
  case sealed
  /// The same, and nobody has asked it: a recording of it may be played.
  case unproven

  /// For people; nil for what needs no word.
  package var note: String? {
    switch self {
    case .plain, .sealed: nil
    case .open: "open"
    case .unproven: "liveness unproven"
    }
  }
}
