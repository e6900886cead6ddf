import JSONTools
import JSONTree
import Redaction
import SurfBasics
import SurfTimeline
import SurfViewer
import SurfWire
import TerminalScreen

/// Prints the differences of two states, for `diff`.
struct DifferenceView {
  struct Side {
    let instance: Instance
    let row: SequenceNumber
    /// Nil for an initial state that the app does not send.
    let state: Content?
    /// Says that another row was named, which has no state of its own.
    let note: String?
  }

  let options: DiffOptions
  let old: Side
  let new: Side

  func actions() throws(Failure) -> [CommandAction] {
    TargetTask.told(old.note) + TargetTask.told(new.note) + (try comparison())
  }

  private func comparison() throws(Failure) -> [CommandAction] {
    guard let before = old.state, let after = new.state else {
      let note = old.note ?? new.note
      throw Failure(
        "the initial state cannot be compared",
        meaning: note ?? "No row carries this state, and the app does not send it.",
        // Of two apps, the one that lacks it may be either.
        advice: old.instance.session == new.instance.session && note == nil
          ? "statesurf diff 1 tip \(SurfTerminal.option(for: new.instance.label))" : "")
    }
    let (first, second) = (PayloadJSON(before), PayloadJSON(after))
    guard case .json(let first) = first, case .json(let second) = second else {
      return try compare(before, after)
    }
    let difference = try difference(first, second)
    let changes = difference.changes
    switch options.form {
    case .lines:
      let lines = changes.map(\.line).map { Line($0.description, $0.kind.style) }
      return direction + (lines.isEmpty ? [nothing(in: first)] : lines.map { .print($0) })
    case .json:
      return changes.isEmpty
        ? [nothing(in: first)] : changes.map { .printBytes(line($0, in: difference)) }
    case .patch: return [.printBytes(EventJSON.bytes(JSON.patch(changes), .pretty))]
    }
  }

  /// Names both apps. The differences alone do not show which one is the old side.
  private var direction: [CommandAction] {
    guard old.instance.session != new.instance.session else { return [] }
    func text(_ side: Side) -> String { "row \(side.row) of \(side.instance.label)" }
    return [.complain("from \(text(old)) to \(text(new))")]
  }

  /// A place in only one of the states was added or removed.
  private func difference(_ first: JSON, _ second: JSON) throws(Failure) -> Difference {
    let path = options.path
    switch (first[path.pointer], second[path.pointer]) {
    case (let old?, let new?): return Difference(from: old, to: new, at: path)
    case (let old?, nil): return Difference(.removed(path, old))
    case (nil, let new?): return Difference(.added(path, new))
    case (nil, nil):
      throw Failure(
        lacking: "neither state has", path, in: second, of: new.row, in: new.instance)
    }
  }

  /// Of states that are not JSON, reports only whether they differ.
  private func compare(_ before: Content, _ after: Content) throws(Failure) -> [CommandAction] {
    let sizes = "\(byteText(before.bytes.count)) and \(byteText(after.bytes.count))"
    guard options.form == .lines, options.path.elements.isEmpty else {
      throw Failure("the states are not both JSON", meaning: "They are \(sizes).")
    }
    return before == after ? [nothing()] : [.print(Line("bytes differ, \(sizes); not JSON"))]
  }

  /// On standard error, because programs count the lines of standard output.
  ///
  /// - Parameter state: either state. Its marks are equal whatever they replace.
  private func nothing(in state: JSON? = nil) -> CommandAction {
    .complain(
      state?[options.path.pointer]?.hasMark == true
        ? "no difference that can be seen: the app redacts values" : "no difference")
  }

  /// `event: "change"`, `kind`, `path`, `pointer` (RFC 6901), `old` and `new` if there is one, and
  /// `from` and `row`, the two rows. In a list `by`, the key that matched the elements, or `index`;
  /// if the element moved, `was`, its old path. With two instances also `with`, the second's id.
  private func line(_ change: Change, in difference: Difference) -> [UInt8] {
    var members: JSONObject = [
      "path": .string(change.path.description),
      "pointer": .string(change.path.pointer.description),
      "from": .number(old.row), "row": .number(new.row),
    ]
    switch change {
    case .added(_, let value): (members["kind"], members["new"]) = ("added", value)
    case .removed(_, let value): (members["kind"], members["old"]) = ("removed", value)
    case .changed(_, let old, let new):
      members["kind"] = "changed"
      (members["old"], members["new"]) = (old, new)
    case .moved(let move):
      (members["kind"], members["was"]) = ("moved", .string(move.from.description))
    }
    members["by"] = difference.match(of: change).map { .string($0.description) }
    if new.instance.id != old.instance.id {
      members["with"] = .string(new.instance.id.description)
    }
    return EventJSON.line("change", old.instance, members)
  }
}

extension DiffLine.Kind {
  var style: Style {
    switch self {
    case .added: .good
    case .removed: .bad
    case .changed: .caution
    case .moved: .accent
    }
  }
}

extension Failure {
  /// Says how far a path leads, and what is there instead.
  ///
  /// - Parameters:
  ///   - lacking: the beginning of the error, such as "the newest state has no".
  ///   - row: the row whose state or payload it is.
  init(
    lacking: String, _ path: JSONPath, in json: JSON, of row: SequenceNumber,
    _ part: ShowOptions.Part = .state, in instance: Instance
  ) {
    let place = AbsentPlace(path, in: json)
    let reached = place.map { $0.reached.elements.isEmpty ? "" : " '\($0.reached)'" } ?? ""
    let part = part == .payload ? " --payload" : ""
    self.init(
      "\(lacking) '\(path)'", meaning: place?.meaning(escaped) ?? "",
      advice: "statesurf show \(row)\(reached)\(part) \(SurfTerminal.option(for: instance.label))")
  }
}
