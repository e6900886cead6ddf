internal import SurfThreads

/// The names in use for the scopes directly inside one scope, or at the top.
final class ScopeNames: Sendable {
  /// A scope's name, and the number that distinguishes it from others of that name.
  struct Name: Sendable {
    fileprivate let base: String
    fileprivate let number: Int

    var text: String { number == 1 ? base : "\(base) \(number)" }
  }

  /// How often one name is in use.
  private struct Uses {
    var count = 0
    /// No lower number is free. Without this, a search among thousands of scopes would take long.
    var lowestFree = 1
  }

  private struct Names {
    var taken: Set<String> = []
    var uses: [String: Uses] = [:]
  }

  private let names = Monitor(Names())

  /// Reserves the name, with the lowest number that makes it unique.
  func take(_ base: String) -> Name {
    names.withLock { names in
      var uses = names.uses[base] ?? Uses()
      var name = Name(base: base, number: uses.lowestFree)
      while !names.taken.insert(name.text).inserted {
        name = Name(base: base, number: name.number + 1)
      }
      uses.count += 1
      uses.lowestFree = name.number + 1
      names.uses[base] = uses
      return name
    }
  }

  func free(_ name: Name) {
    names.withLock { names in
      names.taken.remove(name.text)
      guard var uses = names.uses[name.base], uses.count > 1 else {
        names.uses[name.base] = nil
        return
      }
      uses.count -= 1
      uses.lowestFree = min(uses.lowestFree, name.number)
      names.uses[name.base] = uses
    }
  }
}
