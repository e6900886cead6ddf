import SurfControl
import SurfTimeline
import SurfViewer
import SurfWire

// The texts of the questions: what will be lost, and who will see it.
extension Debugger {
  typealias ConsentParts = (question: String, facts: [String?], ground: Consent.Ground)

  func parts(of wish: Consent.Wish, _ instance: Instance) throws(Refusal) -> ConsentParts {
    switch wish {
    case .commit: return commitParts(instance)
    case .rollback:
      return forgettingParts(
        "roll \(instance.label) back?",
        "It returns to the state that history begins with, and forgets", instance)
    case .replace(let path):
      return forgettingParts(
        "import \(Excerpt.text(path, limit: 80))?",
        "It takes the place of the app's own history, which is forgotten:", instance)
    case .sweep: return try sweepParts(instance)
    case .move(let row, let isLater): return try moveParts(row, isLater: isLater, instance)
    case .load(let path, let about):
      let name = Excerpt.text(path, limit: Self.nameMax)
      return loadParts(name, name == path ? about : "\(path) \(about)", instance)
    case .put(_, nil, let about, _): return loadParts("this state", about, instance)
    case .put(_, _?, let about, _): return loadParts("the edited state", about, instance)
    case .edit(let path, let fault):
      return ("edit it again?", ["It is not JSON: \(fault).", "It is in \(path)."], .none)
    case .overwrite(_, let path):
      let name = Excerpt.text(path, limit: Self.nameMax)
      return (
        "replace \(name)?",
        [name == path ? nil : path, "A file of that name exists. Its content will be lost."], .none
      )
    case .takeOver:
      let driver = instance.driver
      return (
        "take the wheel of \(instance.label)?",
        [
          driver.map { "\($0.title) drives it, and will be told that you do." },
          "Then no other viewer can move it, until you give it back or leave.",
        ], .driver(driver)
      )
    }
  }

  /// A longer path moves into the facts, so that the app's name fits into the question.
  private static let nameMax = 24

  private func commitParts(_ instance: Instance) -> ConsentParts {
    let order = HistoryOrder(instance.timeline)
    let position = instance.timeline.position
    return (
      "commit \(instance.label)?",
      [
        "History begins with its current state, that of \(positionText(position)). "
          + "\(order.actionsText), and any that come before you answer, can no longer be left out, "
          + "moved or run again.",
        order.doubt, audience(of: instance),
      ], .state(order, position)
    )
  }

  /// - Parameter fact: what precedes the lost actions.
  private func forgettingParts(
    _ question: String, _ fact: String, _ instance: Instance
  ) -> ConsentParts {
    let order = HistoryOrder(instance.timeline)
    let loss = "\(fact) \(order.actionsText), and any that come before you answer."
    return (question, [loss, order.doubt, audience(of: instance)], .order(order))
  }

  private func sweepParts(_ instance: Instance) throws(Refusal) -> ConsentParts {
    let order = HistoryOrder(instance.timeline)
    // Actions may be left out in rows that this viewer has evicted.
    let mayLeaveOut = order.doubt != nil && instance.heartbeat.control.contains(.leavesOut)
    guard order.leftOutCount > 0 || mayLeaveOut else { throw Refusal("no action is left out") }
    return (
      "sweep \(instance.label)?",
      ["It forgets \(order.leftOutText).", order.doubt, audience(of: instance)], .order(order)
    )
  }

  private func moveParts(
    _ row: SequenceNumber, isLater: Bool, _ instance: Instance
  ) throws(Refusal) -> ConsentParts {
    let order = HistoryOrder(instance.timeline)
    guard order.contains(row) else { throw Refusal("row \(row) is not an action of the history") }
    guard order.isCertain(around: row, isLater: isLater) else {
      throw Refusal(order.doubt ?? "the order around row \(row) is not known here")
    }
    guard let command = isLater ? order.later(row) : order.earlier(row) else {
      throw Refusal("there is no action \(isLater ? "after" : "before") row \(row)")
    }
    return (
      "\(command.title)?",
      [
        "The app runs both actions and all after them again: "
          + "the states that they led to are lost.",
        audience(of: instance),
      ], .command(command)
    )
  }

  /// Warns if the app is locked: somebody wants to keep it as it is.
  private func loadParts(_ what: String, _ about: String, _ instance: Instance) -> ConsentParts {
    let isLocked = instance.isLocked
    return (
      "load \(what) into \(isLocked ? "the locked app" : instance.label)?",
      [
        about.isEmpty ? nil : about,
        isLocked ? lockFact(of: instance) : nil,
        audience(of: instance),
      ], .lock(isLocked)
    )
  }

  private func lockFact(of instance: Instance) -> String {
    let who = ownLocks.contains(instance.session) ? "You" : "Somebody"
    return personal.keys.text(
      "\(who) made \(instance.label) refuse its own actions", separator: ". ", .lock,
      "unlocks it") + "."
  }

  /// The other viewers that see what this one does to an app. Only those that moved it are known;
  /// the person's own commands are viewers, too.
  private func audience(of instance: Instance) -> String {
    let others = otherMovers(of: instance).filter { name in
      !name.hasPrefix(setting.viewerName + " (") && name != setting.viewerName
    }
    let names = others.prefix(3).joined(separator: ", ")
    let known = names.isEmpty ? "" : " \(names) moved it before you."
    return "All viewers of the app see it.\(known)"
  }

  /// The names of the other viewers that have moved an app, the latest first. Nobody knows whether
  /// they are still there: each use of the command is a viewer of its own.
  ///
  /// - Parameter last: a move whose viewer is named elsewhere.
  func otherMovers(of instance: Instance, besides last: Marker? = nil) -> [String] {
    let named = last.flatMap { $0.viewer == setting.viewer ? nil : $0.viewerName }
    let moves = instance.timeline.lastMoves.filter {
      $0.viewer != setting.viewer && $0.viewerName != named && !$0.viewerName.isEmpty
    }
    return moves.map(\.viewerName).counted
  }
}

extension [String] {
  /// Each name once, with how often it is there: `root@vm (3)`.
  var counted: [String] {
    var counts: [String: Int] = [:]
    for name in self { counts[name, default: 0] += 1 }
    return compactMap { name in
      counts.removeValue(forKey: name).map { $0 == 1 ? name : "\(name) (\($0))" }
    }
  }
}

extension Instance {
  var isLocked: Bool { heartbeat.control.contains(.locked) }
}

extension HistoryOrder {
  fileprivate var actionsText: String {
    isCertain ? countText(steps.count, "action") : "at least \(countText(certainCount, "action"))"
  }

  fileprivate var leftOutText: String {
    unknownUpTo == nil
      ? "the \(countText(leftOutCount, "action")) left out"
      : "all actions left out; how many these are is not known here"
  }

  /// Why the app's order may differ; nil if nothing suggests that.
  fileprivate var doubt: String? {
    unknownUpTo.map {
      "What became of the actions before row \($0) is not known here: rows that say it are missing."
    }
  }
}
