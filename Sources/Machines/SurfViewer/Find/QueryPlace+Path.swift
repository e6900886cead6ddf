import JSONTools
import SurfQuery

extension QueryPlace {
  /// The same place of a state.
  package init(_ path: JSONPath) {
    let steps = path.elements.map { element -> Step in
      switch element {
      case .key(let key): .key(key)
      case .index(let index): .index(index)
      }
    }
    self.init(.state, steps)
  }
}
