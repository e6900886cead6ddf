import SurfControl
import SurfTimeline
import SurfViewer
import SurfWire

// What cannot be undone: a person is asked before.
extension Debugger {
  mutating func rewrite(_ command: ViewerCommand, in catalog: Catalog) {
    guard let app, let instance = catalog[app] else { return }
    let order = HistoryOrder(instance.timeline)
    switch command {
    case .commit:
      askConsent(
        .command(.commit, done: "committed"), "commit \(instance.label)?",
        "History begins with its current state. \(Self.count(order.steps.count)) can no longer be "
          + "left out, moved or run again.", instance)
    case .rollback:
      askConsent(
        .command(.rollback, done: "rolled back"), "roll \(instance.label) back?",
        "It returns to the state that history begins with, and forgets "
          + "\(Self.count(order.steps.count)).", instance)
    case .sweep:
      guard order.leftOutCount > 0 else { return tell("no action is left out") }
      askConsent(
        .command(.sweep, done: "swept"), "sweep \(instance.label)?",
        "It forgets the \(Self.count(order.leftOutCount)) left out.", instance)
    case .moveEarlier, .moveLater: askToMove(isLater: command == .moveLater, order, instance)
    default: break
    }
  }

  private mutating func askToMove(isLater: Bool, _ order: HistoryOrder, _ instance: Instance) {
    guard let row = views[instance.session]?.row(in: instance.timeline) else { return }
    guard let command = isLater ? order.later(row) : order.earlier(row) else {
      return tell("no action is \(isLater ? "behind" : "before") row \(row)")
    }
    askConsent(
      .command(command, done: command.title), "\(command.title)?",
      "The app runs both actions and all behind them again: the states that they led to are lost.",
      instance)
  }

  /// To replace the history by the one in a file.
  mutating func askToReplace(by path: String, _ instance: Instance) {
    let count = HistoryOrder(instance.timeline).steps.count
    askConsent(
      .replace(path: path), "import \(Excerpt.text(path, limit: 80))?",
      "It takes the place of the app's own history: \(Self.count(count)) are forgotten.", instance)
  }

  /// A locked app is one that somebody wants to keep as it is.
  mutating func askToLoad(_ path: String, _ instance: Instance) {
    askConsent(
      .load(path: path), "load \(Excerpt.text(path, limit: 80)) into the locked app?",
      personal.keys.text(
        "Somebody made \(instance.label) refuse its own actions", separator: ". ", .undo,
        "undoes it") + ".",
      instance)
  }

  private mutating func askConsent(
    _ deed: Consent.Deed, _ question: String, _ loss: String, _ instance: Instance
  ) {
    overlay = .consent(
      Consent(
        session: instance.session, deed: deed, question: question,
        facts: [loss, audience(of: instance)]))
  }

  /// Who else sees what is done to an app, as far as viewers can know.
  private func audience(of instance: Instance) -> String {
    let names = otherMovers(of: instance).prefix(3).map(\.name)
    let known = names.isEmpty ? "" : " \(names.joined(separator: ", ")) moved it before you."
    return "All viewers of the app see it.\(known)"
  }

  func otherMovers(of instance: Instance) -> [Mover] {
    instance.timeline.movers.filter { $0.name != setting.viewerName && !$0.name.isEmpty }
  }

  private static func count(_ count: Int) -> String {
    count == 1 ? "1 action" : "\(count) actions"
  }

  // MARK: The answer

  mutating func press(
    _ key: CommandKey, _ consent: Consent, in catalog: Catalog
  ) -> [DebuggerEffect] {
    switch key {
    case "y", "Y", "Enter": overlay = nil
    case "n", "N", "q", "Esc":
      overlay = nil
      return []
    default: return []
    }
    guard let instance = catalog[consent.session], instance.status == .live else {
      tell(CommandNeed.liveApp.whyNot, .failed)
      return []
    }
    switch consent.deed {
    case .command(let command, let done): return ask(command, done, instance)
    case .load(let path): return load(path, instance)
    case .replace(let path):
      let request = MoveLedger.Request(
        session: instance.session, title: "imported \(Excerpt.text(path, limit: 80))", origin: nil,
        isUndo: false)
      return [.replace(instance.session, path: path, serial: ledger.add(request))]
    }
  }
}
