import JSONTree

/// A value of the app's in both forms: `clear` as it is, and `told` as viewers see it, with marks.
/// The app's own fills the marks in one that a viewer sends.
package struct AppValue: Equatable, Sendable {
  package let clear: JSON
  /// Nil if unknown.
  package let told: JSON?

  package init(clear: JSON, told: JSON?) { (self.clear, self.told) = (clear, told) }
}

extension AppValue {
  /// How many of these names, from the whole value down, may be shown to viewers.
  package func openCount(of names: [String]) -> Int {
    var told = told
    for (count, name) in names.enumerated() {
      if told?.marked != nil { return count }
      let index = Int(name)
      told =
        if let elements = told?.array, let index, elements.indices.contains(index) {
          elements[index]
        } else {
          told?[name]
        }
    }
    return names.count
  }
}
