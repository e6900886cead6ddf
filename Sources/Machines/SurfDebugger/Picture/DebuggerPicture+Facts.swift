import SurfBasics
import SurfTimeline
import SurfViewer
import SurfWire
import TerminalScreen

extension DebuggerPicture {
  /// The facts about a row apart from its contents, for the Info tab.
  func facts(_ number: SequenceNumber?, _ instance: Instance) -> [DetailLine] {
    guard let number, let row = self.row(number, in: instance.timeline) else { return [] }
    let record = row.record
    let clock = clockText(record.wallTime, secondsFromGMT: model.setting.secondsFromGMT)
    var facts: [(String, String)] = [
      ("row", "\(row.number)"), ("kind", record.kind.text), ("name", record.name),
      ("at", "\(clock), \(secondsText(record.uptime)) after the start"),
      ("state", stateText(row.state)),
    ]
    if record.count > 1 {
      facts.append(("count", "\(record.count) equal actions in one row; the newest state"))
    }
    if let payload = record.payload {
      facts.append(("payload", "\(byteText(payload.bytes.count)) \(payload.type)"))
    }
    if view.leftOut.contains(row.number, in: instance.timeline) == true {
      facts.append(("in force", "no: the action is left out"))
    }
    if let note = view.marks.note(at: row.number) { facts.append(("note", note)) }
    if !record.source.isEmpty { facts.append(("source", record.source)) }
    if let grownFrom = record.grownFrom {
      facts.append(("grew from", positionText(grownFrom.origin)))
    }
    return (facts + relatives(row, instance.timeline)).map { name, value in
      DetailLine([(name.padding(to: 11), .dim), (value, .plain)])
    }
  }

  /// What the row of a restart says in every tab.
  func lastRunFacts(_ instance: Instance) -> [String] {
    guard let last = instance.timeline.previousRun.flatMap({ catalog[$0] }) else {
      return ["The last run had to make room for newer apps."]
    }
    let end = last.status == .gone(saidGoodbye: true) ? "said goodbye" : "fell silent"
    return [
      "The last run was \(last.label). It \(end).",
      model.personal.keys.hint(.open, "shows its rows.") ?? "",
    ]
  }

  private func stateText(_ state: Row.State) -> String {
    switch state {
    case .none: "none"
    case .whole(let type, let size): "\(byteText(size)) \(type)"
    case .dropped(let size): "\(byteText(size)), dropped to make room"
    case .givenUp: "not sent by the app"
    case .unmade: "sent as a change of a state that is not here"
    case .unreadable(let form): "in form \(form), which this version does not read"
    }
  }

  /// A row's causes and effects, as many as a person reads.
  private func relatives(_ row: Row, _ timeline: Timeline) -> [(String, String)] {
    var causes: [(String, String)] = []
    var cause = row.parent
    while let number = cause, causes.count < 8 {
      let parent = self.row(number, in: timeline)
      causes.append(("cause", title(number, parent)))
      // A cause that is not older than its effect is forged.
      cause = parent?.parent.flatMap { $0 < number ? $0 : nil }
    }
    let rows = timeline.rows
    let after = rows[timeline.firstIndex(from: row.number.next)...].prefix(256)
    let effects = after.lazy.filter {
      looks.add()
      return $0.parent == row.number
    }.prefix(8)
    return causes + effects.map { ("effect", title($0.number, $0)) }
  }

  private func title(_ number: SequenceNumber, _ row: Row?) -> String {
    "row \(number) \(row?.record.name ?? "(not here)")"
  }
}

extension String {
  /// Pads ASCII text with blanks.
  fileprivate func padding(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - utf8.count))
  }
}
