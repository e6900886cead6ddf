import SurfObserver
import SurfTimeline
import SurfWire

/// `diff` of two instances: takes a state of the one, then one of the other, and compares them.
package struct PairSession: CommandSession {
  private let options: DiffOptions
  private let interface: String
  private let host: String?
  private let timeout: Duration
  private let observes: Bool
  private var current: TargetSession
  /// What was taken of the first, while the second is looked for.
  private var first: TargetSession.Taken?

  package init(
    _ options: DiffOptions, instance: String?, host: String? = nil, interface: String,
    timeout: Duration,
    observes: Bool = false
  ) {
    (self.options, self.interface, self.host) = (options, interface, host)
    (self.timeout, self.observes) = (timeout, observes)
    current = TargetSession(
      .take(options.old ?? .tip(before: 0)), instance: instance, host: host,
      interface: interface, timeout: timeout, observes: observes)
  }

  package var deadline: Duration? { current.deadline }

  package mutating func receive(
    _ change: CatalogChange, in catalog: Catalog, at now: Duration
  ) -> [CommandAction] {
    pass(current.receive(change, in: catalog, at: now), catalog, now)
  }

  package mutating func receive(
    _ answer: ResetAnswer, in catalog: Catalog, at now: Duration
  ) -> [CommandAction] {
    pass(current.receive(answer, in: catalog, at: now), catalog, now)
  }

  package mutating func advance(
    to now: Duration, in catalog: Catalog, counters: ViewerCounters
  ) -> [CommandAction] {
    pass(current.advance(to: now, in: catalog, counters: counters), catalog, now)
  }

  private mutating func pass(
    _ actions: [CommandAction], _ catalog: Catalog, _ now: Duration
  ) -> [CommandAction] {
    guard let taken = current.taken else { return actions }
    guard let first else {
      first = taken
      current = TargetSession(
        .take(options.new), instance: options.other, host: host, interface: interface,
        timeout: timeout,
        observes: observes)
      // It may be there already, so that nothing more would be heard of it.
      return actions + advance(to: now, in: catalog, counters: ViewerCounters())
    }
    return actions + compare(first, taken, catalog)
  }

  private func compare(
    _ first: TargetSession.Taken, _ second: TargetSession.Taken, _ catalog: Catalog
  ) -> [CommandAction] {
    guard let old = side(first, catalog), let new = side(second, catalog) else {
      return [.fail(Failure("an app is gone", advice: "statesurf list"))]
    }
    do throws(Failure) {
      let view = DifferenceView(options: options, old: old, new: new)
      return try view.actions() + [.exit(ExitCode.done)]
    } catch {
      return [.fail(error)]
    }
  }

  private func side(
    _ taken: TargetSession.Taken, _ catalog: Catalog
  ) -> DifferenceView.Side? {
    catalog[taken.session].map {
      DifferenceView.Side(instance: $0, row: taken.row, state: taken.state)
    }
  }
}
