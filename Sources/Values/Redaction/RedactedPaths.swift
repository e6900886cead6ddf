/// The places whose values do not leave the process.
package struct RedactedPaths: Equatable, Sendable {
  private let paths: [RedactedPath]
  /// Texts that are no paths. What they mean nobody knows, and so all is redacted.
  package let unreadable: [String]

  package static let none = RedactedPaths([])

  package init(_ texts: [String]) {
    unreadable = texts.filter { RedactedPath(parsing: $0) == nil }
    paths = unreadable.isEmpty ? texts.compactMap(RedactedPath.init(parsing:)) : [.root]
  }

  /// Whether no place is one of these.
  package var isEmpty: Bool { paths.isEmpty }

  /// How far the paths have come on the way down to a value.
  struct Progress: Equatable, Sendable {
    fileprivate struct Place: Equatable, Sendable {
      let path: Int
      let step: Int
    }

    fileprivate var places: [Place] = []
    /// Whether a path ends here.
    fileprivate(set) var isAtEnd = false

    /// Whether no path leads on.
    var isLost: Bool { places.isEmpty }
  }

  /// At a whole value.
  var beginning: Progress {
    var progress = Progress()
    for path in paths.indices { reach(.init(path: path, step: 0), in: &progress) }
    return progress
  }

  /// How many of these names, from a whole value down, may be told: what is redacted may have keys
  /// that are secrets as well.
  ///
  /// - Parameter scope: as in `redact`.
  package func openCount(of names: [String], in scope: [String] = []) -> Int {
    var progress = beginning(in: scope)
    for (count, name) in names.enumerated() {
      if progress.isAtEnd { return count }
      progress = entering(name, from: progress)
    }
    return names.count
  }

  /// At a whole value that has a name, with which a path may begin.
  func beginning(in scope: [String]) -> Progress {
    guard !scope.isEmpty else { return beginning }
    return both(beginning, scope.reduce(beginning) { entering($1, from: $0) })
  }

  /// The names that make a difference from here.
  func names(from progress: Progress) -> Set<String> {
    Set(
      progress.places.compactMap { place in
        if case .name(let name) = paths[place.path].steps[place.step] { name } else { nil }
      })
  }

  /// One way further down; nil is a name that no path has.
  func entering(_ name: String?, from progress: Progress) -> Progress {
    var next = Progress()
    for place in progress.places {
      let following = Progress.Place(path: place.path, step: place.step + 1)
      switch paths[place.path].steps[place.step] {
      case .name(let wanted): if wanted == name { reach(following, in: &next) }
      case .any: reach(following, in: &next)
      case .anyDepth: reach(place, in: &next)
      }
    }
    return next
  }

  /// Both ways at once.
  func both(_ one: Progress, _ other: Progress) -> Progress {
    var progress = one
    for place in other.places { reach(place, in: &progress) }
    progress.isAtEnd = one.isAtEnd || other.isAtEnd
    return progress
  }

  private func reach(_ place: Progress.Place, in progress: inout Progress) {
    let steps = paths[place.path].steps
    guard place.step < steps.count else {
      progress.isAtEnd = true
      return
    }
    guard !progress.places.contains(place) else { return }
    progress.places.append(place)
    if steps[place.step] == .anyDepth {
      reach(.init(path: place.path, step: place.step + 1), in: &progress)
    }
  }
}
