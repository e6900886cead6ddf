import SurfWire

extension Record.Kind {
  var style: Style {
    switch self {
    case .action: .accent
    case .log(.error): .bad
    case .log(.warning), .revision: .caution
    case .log, .other: .dim
    case .update, .remove, .mark, .restored: .plain
    }
  }

  /// The style of the name: coloured where it tells of more than one row, or of a fault.
  var nameStyle: Style {
    switch self {
    case .log(.error): .bad
    case .revision: .caution
    case .action, .update, .remove, .log, .mark, .restored, .other: .plain
    }
  }
}
