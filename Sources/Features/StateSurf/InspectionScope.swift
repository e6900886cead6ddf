internal import SurfThreads

/// A group of values that viewers show and remove together: those of a screen, of a request, of one
/// round of a game. They appear below the name of the scope: `screen/recipe`.
///
///     let screen = transceiver.scope("screen")
///     screen.inspect("recipe", recipe)
///     screen.end()
///
/// A scope ends with `end()`, with the scope around it, or when the last reference to it is
/// dropped. Every viewer then removes all of its values. Any thread may call any member.
public final class InspectionScope: Sendable {
  /// The names of the scopes around this one, then its own. If two scopes have the same name at the
  /// same time, the later is called `screen 2`.
  public let path: String

  /// Nil if recording is off.
  private let name: ScopeNames.Name?
  /// The names of this scope and those beside it.
  private let siblings: ScopeNames
  private let parent: InspectionScope?
  private let recorder: Recorder?
  private let site: CallSite
  private let children = ScopeNames()
  private let hasEnded = Monitor(false)

  init(
    _ name: String, in parent: InspectionScope?, among siblings: ScopeNames, recorder: Recorder?,
    site: CallSite
  ) {
    // A forked child must not touch the lock.
    self.name = recorder == nil ? nil : siblings.take(name)
    let unique = self.name?.text ?? name
    path = parent.map { "\($0.path)/\(unique)" } ?? unique
    self.siblings = siblings
    self.parent = parent
    self.recorder = recorder
    self.site = site
  }

  deinit { end() }

  /// Shows a value in this scope, as `Transceiver.inspect` does. Does nothing after the scope ends.
  @discardableResult
  public func inspect(
    _ name: @autoclosure () -> String, _ value: @autoclosure () -> any Encodable & Sendable,
    file: StaticString = #fileID, line: UInt = #line
  ) -> RecordID? {
    guard let recorder, recorder.isOpen else { return nil }
    let (name, value) = ("\(path)/\(name())", value())
    return whileOpen {
      recorder.inspect(name, value, parent: nil, at: .call(file: file, line: line))
    } ?? nil
  }

  /// The same for a value of any type, read by reflection.
  @discardableResult
  public func inspect(
    _ name: @autoclosure () -> String, reflecting value: @autoclosure () -> any Sendable,
    file: StaticString = #fileID, line: UInt = #line
  ) -> RecordID? {
    guard let recorder, recorder.isOpen else { return nil }
    let (name, value) = ("\(path)/\(name())", value())
    return whileOpen {
      recorder.inspect(name, reflecting: value, parent: nil, at: .call(file: file, line: line))
    } ?? nil
  }

  /// Creates a scope in this one.
  public func scope(
    _ name: String, file: StaticString = #fileID, line: UInt = #line
  ) -> InspectionScope {
    InspectionScope(
      name, in: self, among: children, recorder: recorder, site: .call(file: file, line: line))
  }

  /// The same for a scope that ends when `body` does.
  @discardableResult
  public func scope<Result, Failure>(
    _ name: String, file: StaticString = #fileID, line: UInt = #line,
    _ body: (InspectionScope) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try scope(name, file: file, line: line).during(body)
  }

  /// The same for a `body` that waits.
  @discardableResult
  public func scope<Result, Failure>(
    _ name: String, isolation: isolated (any Actor)? = #isolation, file: StaticString = #fileID,
    line: UInt = #line, _ body: (InspectionScope) async throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    try await scope(name, file: file, line: line).during(body)
  }

  /// Runs `body`, then ends the scope.
  func during<Result, Failure>(
    _ body: (InspectionScope) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    defer { end() }
    return try body(self)
  }

  /// The same for a `body` that waits.
  func during<Result, Failure>(
    isolation: isolated (any Actor)? = #isolation,
    _ body: (InspectionScope) async throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    defer { end() }
    return try await body(self)
  }

  /// Removes all of its values. A second call does nothing.
  public func end() {
    let isFirst = hasEnded.withLock { hasEnded in
      defer { hasEnded = true }
      return !hasEnded
    }
    guard isFirst, let recorder else { return }
    guard let parent else { return takeBack(recorder) }
    // If the scope around it has ended, the values are gone already.
    parent.whileOpen { takeBack(recorder) }
  }

  private func takeBack(_ recorder: Recorder) {
    if recorder.isResumed { _ = recorder.removeValue(path, at: site) }
    if let name { siblings.free(name) }
  }

  /// Runs `body` unless this scope or one around it has ended. None of them ends meanwhile.
  @discardableResult
  private func whileOpen<Result>(_ body: () -> Result) -> Result? {
    guard let parent else { return hasEnded.withLock { $0 ? nil : body() } }
    return parent.whileOpen { hasEnded.withLock { $0 ? nil : body() } } ?? nil
  }
}

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
