import SurfWire

extension Record {
  /// ` ×12` behind the name of equal actions that are told as one, otherwise empty.
  package var countText: String { count > 1 ? " ×\(count)" : "" }
}
