import JSONTree
import SurfControl
import SurfTimeline
import SurfViewer
import SurfWire

/// How an action is spelled for `dispatch`: text with holes for its values. Completes an action
/// that is being typed.
struct ActionShape: Equatable, Sendable {
  let name: String
  /// As JSON: one piece more than there are holes.
  private var json: [String] = [""]
  /// As the list shows it, such as `move(from: 1, to: 2)`, with the same holes; nil for an action
  /// that only JSON spells.
  private var call: [String]? = [""]
  /// For each hole the values that it had, without duplicates.
  private var values: [[String]] = []

  /// Rows to look at, from the newest on, and values to keep for a hole.
  private static let rowCountMax = 2_000
  private static let valueCountMax = 20
  /// Larger payloads are not typed.
  private static let payloadSizeMax = 4_096
  private static let depthMax = 4

  /// The actions that an app has done, the latest first, and then those that it offers.
  static func all(in timeline: Timeline) -> [ActionShape] {
    var shapes: [ActionShape] = []
    for row in timeline.rows.suffix(rowCountMax).reversed() where row.record.kind == .action {
      ActionShape(row.record).map { $0.add(to: &shapes) }
    }
    // Other revisions may be long, and have none.
    let answers = timeline.rows.reversed().lazy.filter(\.record.mayNameActions)
    let creators = answers.compactMap(\.record.revision?.creators).first { !$0.isEmpty }
    let offered = creators?.map(ActionShape.init) ?? []
    return shapes + offered.filter { shape in !shapes.contains { $0.name == shape.name } }
  }

  /// The spelling of a recorded action (Protocol.md §11.5).
  init?(_ record: Record) {
    let title = String(record.name.prefix { $0 != "(" })
    guard let payload = record.payload else {
      name = title
      addName(name)
      return
    }
    guard payload.bytes.count <= Self.payloadSizeMax, let json = JSON(ifValid: payload.bytes) else {
      return nil
    }
    // The list shows a value that is an enum's case as `filter.open`.
    let member = json.object?.members.first { $0.value.isScalar && title.hasPrefix($0.key + ".") }
    name = member?.key ?? title
    if case .string(let text) = json { addName(text) } else { addAction(json) }
  }

  /// - Parameter signature: as the app describes an action that it offers.
  init(_ signature: ActionSignature) {
    name = signature.name
    let labels = signature.labels
    guard !labels.isEmpty else {
      addName(name)
      return
    }
    addBeginning(name)
    if labels == ["_"] {
      addHole(nil)
    } else if labels.allSatisfy({ $0 == "_" }) {
      addValues(labels.map { _ in nil })
    } else {
      addMembers(labels.enumerated().map { ($1 == "_" ? "_\($0)" : $1, nil) }, depth: 1)
    }
    add("}", ")")
  }

  /// With `…` in the holes.
  var label: String { (call ?? json).joined(separator: "…") }

  /// The text before the first hole.
  fileprivate var beginning: String { (call ?? json)[0] }

  /// For an action whose values are being typed: how it looks with those that it had last.
  static func example(of typed: String, among shapes: [ActionShape]) -> String? {
    guard typed.contains(where: { "({ ".contains($0) }) else { return nil }
    let name = typed.drop { "{\"' ".contains($0) }.prefix { !"(\"': ".contains($0) }
    let shape = shapes.first { $0.name == name && !$0.values.isEmpty }
    guard let shape else { return nil }
    let pieces = typed.hasPrefix("{") ? shape.json : shape.call ?? shape.json
    let values = shape.values.map { $0.first ?? "…" } + [""]
    return zip(pieces, values).map { $0 + $1 }.joined()
  }

  var choice: Completion.Choice { Completion.Choice(text: beginning, label: label) }

  // MARK: Making

  private func add(to shapes: inout [ActionShape]) {
    guard let index = shapes.firstIndex(where: { $0.name == name && $0.json == json }) else {
      return shapes.append(self)
    }
    for (hole, value) in zip(values.indices, values.compactMap(\.first))
    where shapes[index].values[hole].count < Self.valueCountMax
      && !shapes[index].values[hole].contains(value)
    {
      shapes[index].values[hole].append(value)
    }
  }

  /// - Parameter call: what a call has at that place; the same, if nothing is said.
  private mutating func add(_ text: String, _ call: String? = nil) {
    json[json.count - 1] += text
    self.call?[json.count - 1] += call ?? text
  }

  private mutating func addHole(_ value: JSON?) {
    values.append(value.map { [$0.text()] } ?? [])
    json.append("")
    call?.append("")
  }

  private mutating func addName(_ name: String) {
    if !ActionText.isName(name) { call = nil }
    add(JSON.string(name).text(), name)
  }

  private mutating func addBeginning(_ name: String) {
    if !ActionText.isName(name) { call = nil }
    add("{" + JSON.string(name).text() + ":", name + "(")
  }

  /// Only an object with one member can be a call. The member's key is the action's name.
  private mutating func addAction(_ action: JSON) {
    guard let members = action.object?.members, members.count == 1, members[0].key != "type" else {
      call = nil
      return add(action, depth: 0)
    }
    addBeginning(members[0].key)
    switch members[0].value {
    case .object(let object) where !object.members.isEmpty:
      addMembers(object.members.map { ($0.key, $0.value) }, depth: 1)
    case let value:
      // A call without values is the name alone.
      if value.object != nil { call = nil }
      add(value, depth: 1)
    }
    add("}", ")")
  }

  /// - Parameter depth: 1 for what a call has as its arguments.
  private mutating func addMembers(_ members: [(key: String, value: JSON?)], depth: Int) {
    let areArguments = depth == 1
    add("{", areArguments ? "" : nil)
    for (index, (key, value)) in members.enumerated() {
      if areArguments, !ActionText.isLabel(key) { call = nil }
      add(
        (index == 0 ? "" : ",") + JSON.string(key).text() + ":",
        areArguments ? (index == 0 ? "" : ", ") + key + ": " : nil)
      switch value {
      case nil: addHole(nil)
      case let value? where depth == 0 && key == "type": add(value.text())
      case let value?: add(value, depth: depth + 1)
      }
    }
    add("}", areArguments ? "" : nil)
  }

  private mutating func addValues(_ values: [JSON?]) {
    for (index, value) in values.enumerated() {
      add(index == 0 ? "[" : ",", index == 0 ? "" : ", ")
      addHole(value)
    }
    add("]", "")
  }

  private mutating func add(_ value: JSON, depth: Int) {
    if depth == 1, let elements = value.array, elements.count > 1 { return addValues(elements) }
    guard depth < Self.depthMax, let members = value.object?.members else { return addHole(value) }
    addMembers(members.map { ($0.key, $0.value) }, depth: depth)
  }

  // MARK: Completing

  /// Completions of the typed text, up to the next hole, or past its value.
  fileprivate func continuations(of typed: String) -> [(text: String, label: String)] {
    let isJSON = typed.first { $0 != " " }.map { "{\"'".contains($0) } == true
    guard let pieces = isJSON ? json : call else { return [] }
    var rest = typed[...]
    for (index, piece) in pieces.enumerated() {
      guard let missing = rest.take(piece) else { return [] }
      if rest.isEmpty, !missing.isEmpty { return [(typed + missing, label)] }
      guard index < values.count else { break }
      if let begun = rest.takeValue() {
        let fits = values[index].filter { $0.hasPrefix(begun) }
        if fits.isEmpty, begun.isBegunText { return [("\(typed)\"\(pieces[index + 1])", label)] }
        return fits.isEmpty && begun.isEmpty
          ? [(typed, label)] : fits.map { (typed.dropLast(begun.count) + $0, $0) }
      }
    }
    return rest.isEmpty ? [(typed, label)] : []
  }
}

extension Record {
  fileprivate var mayNameActions: Bool {
    kind == .revision && payload?.bytes.contains(Array(#""creators":"#.utf8)) == true
  }
}

extension Completion {
  /// Completes an action: by its name, or by its next field or value.
  init(ofAction typed: String, among shapes: [ActionShape]) {
    let opening = typed.prefix { "{\"' ".contains($0) }
    let name = typed.dropFirst(opening.count)
    let isName = name.allSatisfy { $0.isLetter || $0.isNumber || "._".contains($0) }
    let named = shapes.filter { $0.name.hasPrefix(name) }
    guard isName, !named.isEmpty else {
      let choices = shapes.flatMap { $0.continuations(of: typed) }
      var texts: Set<String> = []
      self.init(of: typed, among: choices.filter { texts.insert($0.text).inserted })
      return
    }
    let choices = named.map {
      (text: named.count == 1 ? $0.beginning : "\(opening)\($0.name)", label: $0.label)
    }
    // A person who has typed JSON goes on in it.
    self.init(
      of: typed, among: choices, inserting: opening.isEmpty ? named.map(\.beginning) : nil)
  }
}

extension String {
  /// Whether a quotation mark makes it a JSON string.
  fileprivate var isBegunText: Bool {
    hasPrefix("\"") && reversed().prefix { $0 == "\\" }.count.isMultiple(of: 2)
  }
}

extension Substring {
  /// Takes the beginning that is also that of `piece`, whatever blanks either has between.
  ///
  /// - Returns: what is missing at the end of `piece`; nil if the text differs from it.
  fileprivate mutating func take(_ piece: String) -> String? {
    var missing = piece[...]
    while let next = missing.first {
      guard let letter = first else { return String(missing) }
      // Bare words follow a space, and a parenthesis would begin the first of them.
      if letter == " ", next == "(" { return nil }
      if letter == next || letter == " " { removeFirst() }
      if letter == next || letter != " " && next == " " { missing.removeFirst() }
      guard letter == next || letter == " " || next == " " else { return nil }
    }
    return ""
  }

  /// Takes a value of JSON.
  ///
  /// - Returns: nil if the value is whole; otherwise its beginning, which may be empty.
  fileprivate mutating func takeValue() -> String? {
    while first == " " { removeFirst() }
    let start = self
    var (depth, isQuoted, isEscaped) = (0, false, false)
    while let letter = first {
      if !isQuoted, depth == 0, ",]})".contains(letter) { break }
      removeFirst()
      let wasQuoted = isQuoted
      if letter == "\"", !isEscaped { isQuoted.toggle() }
      isEscaped = letter == "\\" && !isEscaped
      if !isQuoted, "[{".contains(letter) { depth += 1 }
      if !isQuoted, "]}".contains(letter) { depth -= 1 }
      // What closes ends a string or a container.
      if depth == 0, !isQuoted, wasQuoted || "]}".contains(letter) { return nil }
    }
    return start.isEmpty || isQuoted || depth > 0 ? String(start) : nil
  }
}
