/// The places whose values must not leave the process. An app's settings make it from the paths
/// that its author wrote.
package struct RedactedPaths: Equatable, Sendable {
  private let paths: [RedactedPath]
  /// How many `paths` are as written. The others are variants of them split at slashes, and apply
  /// only in a scope.
  private let writtenCount: Int
  /// Texts that are not paths. If there are any, everything is redacted.
  package let unreadable: [String]

  package static let none = RedactedPaths([])

  package init(_ texts: [String]) {
    unreadable = texts.filter { RedactedPath(parsing: $0) == nil }
    let written = unreadable.isEmpty ? texts.compactMap(RedactedPath.init(parsing:)) : [.root]
    writtenCount = written.count
    paths = written + written.compactMap(\.splitAtSlashes)
  }

  package var isEmpty: Bool { paths.isEmpty }

  /// How far each path has been followed on the way down to a value.
  struct Progress: Equatable, Sendable {
    fileprivate struct Place: Equatable, Sendable {
      let path: Int
      let step: Int
    }

    fileprivate var places: [Place] = []
    /// Whether a path ends here.
    fileprivate(set) var isAtEnd = false

    /// Whether no path continues.
    var isLost: Bool { places.isEmpty }
  }

  /// At a whole value.
  var beginning: Progress { beginning(of: 0..<writtenCount) }

  private func beginning(of paths: Range<Int>) -> Progress {
    var progress = Progress()
    for path in paths { reach(.init(path: path, step: 0), in: &progress) }
    return progress
  }

  /// How many of these names, from a whole value down, may be shown. Keys inside of a redacted
  /// value may be secrets, too.
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

  /// At a whole value inside of named scopes. A path may begin with any scope's name, or in the
  /// value. A path that ends at a scope redacts everything in it.
  func beginning(in scope: [String]) -> Progress {
    let start = scope.isEmpty ? beginning : beginning(of: paths.indices)
    return scope.reduce(start) { both(start, entering(scope: $1, from: $0, start)) }
  }

  /// Accepts every way that a person might write the scope's name. Redacting too much can be
  /// corrected; revealing too much cannot.
  private func entering(
    scope name: String, from progress: Progress, _ start: Progress
  ) -> Progress {
    var next = Progress()
    for name in [name, Self.withoutNumber(name)].compactMap(\.self) {
      next = both(next, entering(name, from: progress))
      // `cart.total` as one name, and as two.
      let words = name.split(separator: ".").map(String.init)
      guard words.count > 1 else { continue }
      next = both(next, words.reduce(progress) { both(start, passing($1, from: $0)) })
    }
    // `a//b` means `a/b`.
    if name.isEmpty { next = both(next, progress) }
    next.isAtEnd = next.isAtEnd || progress.isAtEnd
    return next
  }

  /// Like `entering`, but stays at an end.
  private func passing(_ name: String, from progress: Progress) -> Progress {
    var next = entering(name, from: progress)
    next.isAtEnd = next.isAtEnd || progress.isAtEnd
    return next
  }

  /// `card` for `card 2`: the second of several scopes that have the same name at the same time.
  private static func withoutNumber(_ name: String) -> String? {
    guard let blank = name.lastIndex(of: " ") else { return nil }
    let number = name[name.index(after: blank)...]
    let isNumber = !number.isEmpty && number.allSatisfy { $0.isASCII && $0.isNumber }
    return isNumber ? String(name[..<blank]) : nil
  }

  /// The names that `entering` distinguishes from here.
  func names(from progress: Progress) -> Set<String> {
    Set(
      progress.places.compactMap { place in
        if case .name(let name) = paths[place.path].steps[place.step] { name } else { nil }
      })
  }

  /// One step further down; nil is a name that no path contains.
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

  /// The union of both.
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
