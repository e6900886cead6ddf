import SurfWire

extension Record {
  /// An action without a time, a place or a state.
  package static func action(_ sequence: SequenceNumber, _ name: String = "") -> Record {
    Record(sequence: sequence, kind: .action, name: name)
  }
}
