internal import SurfThreads

/// Values that belong together, and go together: those of a screen, of a request, of one round of a
/// game. They show under the name of the scope: `screen/recipe`.
///
///     let screen = transceiver.scope("screen")
///     screen.inspect("recipe", recipe)
///     screen.end()
///
/// A scope ends with `end()`, with the scope that it lies in, or when nobody has it any longer. All
/// of its values then go in every viewer. Any thread may call any member.
public final class InspectionScope: Sendable {
  /// Its name behind those of the scopes that it lies in. Of two that have one name at the same
  /// time, the later is called `screen 2`.
  public let path: String

  /// Nil if nothing is shown.
  private let name: ScopeNames.Name?
  private let parent: InspectionScope?
  private let recorder: Recorder?
  private let source: CallSite
  private let children = ScopeNames()
  private let hasEnded = Monitor(false)

  init(_ name: String, in parent: InspectionScope?, recorder: Recorder?, source: CallSite) {
    self.name = (parent?.children ?? recorder?.scopeNames)?.take(name)
    let unique = self.name?.text ?? name
    path = parent.map { "\($0.path)/\(unique)" } ?? unique
    self.parent = parent
    self.recorder = recorder
    self.source = source
  }

  deinit { end() }

  /// Shows a value in this scope, as `Transceiver.inspect` does; nothing once the scope has ended.
  @discardableResult
  public func inspect(
    _ name: @autoclosure () -> String, _ value: @autoclosure () -> any Encodable & Sendable,
    file: StaticString = #fileID, line: UInt = #line
  ) -> RecordID? {
    show(name(), .value(value()), from: .call(file: file, line: line))
  }

  /// The same for a value of any type, as reflection sees it.
  @discardableResult
  public func inspect(
    _ name: @autoclosure () -> String, reflecting value: @autoclosure () -> any Sendable,
    file: StaticString = #fileID, line: UInt = #line
  ) -> RecordID? {
    show(name(), .reflection(value()), from: .call(file: file, line: line))
  }

  private func show(
    _ name: @autoclosure () -> String, _ value: @autoclosure () -> Piece, from source: CallSite
  ) -> RecordID? {
    guard let recorder, recorder.isOpen else { return nil }
    var entry = Entry(.update, "\(path)/\(name())", source: source)
    entry.payload = value()
    return whileOpen { recorder.mailbox.add(entry) } ?? nil
  }

  /// A scope in this one.
  public func scope(
    _ name: String, file: StaticString = #fileID, line: UInt = #line
  ) -> InspectionScope {
    InspectionScope(
      name, in: self, recorder: recorder, source: .call(file: file, line: line))
  }

  /// The same while `body` runs.
  @discardableResult
  public func scope<Result, Failure>(
    _ name: String, file: StaticString = #fileID, line: UInt = #line,
    _ body: (InspectionScope) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try scope(name, file: file, line: line).during(body)
  }

  /// Ends when `body` does.
  func during<Result, Failure>(
    _ body: (InspectionScope) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    defer { end() }
    return try body(self)
  }

  /// Takes all of its values back. A second call does nothing.
  public func end() {
    let isFirst = hasEnded.withLock { hasEnded in
      defer { hasEnded = true }
      return !hasEnded
    }
    guard isFirst, let recorder else { return }
    guard let parent else { return takeBack(recorder) }
    // The values of one that lies in a scope which has ended went with it.
    parent.whileOpen { takeBack(recorder) }
  }

  private func takeBack(_ recorder: Recorder) {
    if recorder.mailbox.isOpen { _ = recorder.mailbox.add(Entry(.remove, path, source: source)) }
    if let name { (parent?.children ?? recorder.scopeNames).free(name) }
  }

  /// Runs `body` unless it has ended, or a scope that it lies in; none of them ends meanwhile.
  @discardableResult
  private func whileOpen<Result>(_ body: () -> Result) -> Result? {
    guard let parent else { return hasEnded.withLock { $0 ? nil : body() } }
    return parent.whileOpen { hasEnded.withLock { $0 ? nil : body() } } ?? nil
  }
}
