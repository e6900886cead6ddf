import SurfTimeline

/// Runs one of two sessions. The named one takes the first word for an instance's name, and runs as
/// soon as such an instance is live. The plain one runs once every app had time to answer, if none
/// has that name.
package struct ReadingSession: CommandSession {
  private let name: String
  private var plain: any CommandSession
  private var named: any CommandSession
  private var choice = Choice.open

  private enum Choice { case open, plain, named }

  package init(_ name: String, plain: any CommandSession, named: any CommandSession) {
    (self.name, self.plain, self.named) = (name, plain, named)
  }

  package var deadline: Duration? {
    switch choice {
    case .open: Finder.settling
    case .plain: plain.deadline
    case .named: named.deadline
    }
  }

  package mutating func receive(
    _ event: SessionEvent, in catalog: Catalog, at now: Duration
  ) -> [CommandAction] {
    switch (choice, event) {
    case (.open, .change) where catalog.live.contains(where: { $0.isNamed(name) }):
      choice = .named
      return named.receive(.deadline(ViewerCounters()), in: catalog, at: now)
    case (.open, .deadline) where now >= Finder.settling:
      choice = .plain
      return receive(event, in: catalog, at: now)
    case (.open, _): return []
    case (.named, _): return named.receive(event, in: catalog, at: now)
    case (.plain, _): return plain.receive(event, in: catalog, at: now).flatMap(explained)
    }
  }

  package mutating func resize(columns: Int) {
    plain.resize(columns: columns)
    named.resize(columns: columns)
  }

  /// A failure of this reading also names the other one.
  private func explained(_ action: CommandAction) -> [CommandAction] {
    let other = "No live instance is named '\(name)'."
    switch action {
    case .fail(var failure):
      let gap = failure.meaning.contains("\n") ? "\n  " : " "
      failure.meaning += (failure.meaning.isEmpty ? "" : gap) + other
      return [.fail(failure)]
    case .exit(ExitCode.failed):
      return [.complain("no live instance is named '\(name)' either"), action]
    default: return [action]
    }
  }
}
