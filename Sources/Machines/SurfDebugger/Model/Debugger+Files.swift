import JSONTree
import SurfBasics
import SurfTimeline
import SurfViewer
import SurfWire

// Files that a person names, pasted states, and edited ones.
extension Debugger {
  /// A paste outside of a prompt is not a command. It may be a state, or the path of one: terminals
  /// paste the path of a file that is dropped on them.
  mutating func take(
    paste text: String, isCut: Bool, in catalog: Catalog
  ) -> [DebuggerEffect] {
    let text = String(text.trimming(where: \.isWhitespace))
    guard text.hasPrefix("{") || text.hasPrefix("[") else {
      guard !isCut, let path = Self.path(text) else {
        tell("this paste does nothing: paste a state in JSON, or the path of its file")
        return []
      }
      guard let app else {
        tell(whyNoApp, while: .noApp)
        return []
      }
      return [.examine(app, path: path)]
    }
    if isCut {
      tell(personal.keys.text("the paste is too long", .load, "loads a file"), .failed)
      return []
    }
    do throws(JSONError) {
      _ = try JSON(parsing: text)
      let bytes = Array(text.utf8)
      askToLoad(.put(bytes, about: about(text, byteCount: bytes.count)), in: catalog)
    } catch {
      tell("what was pasted is not JSON: \(error)", .failed)
    }
    return []
  }

  mutating func take(
    file path: String, _ size: Int, _ beginning: String, for session: SessionID, _ serial: Int?,
    in catalog: Catalog
  ) {
    let request = serial.flatMap { pendingMoves.settle($0, isDone: true) }
    let isStill = request.map(isStill) ?? (serial == nil && overlay == nil && session == app)
    // The person has moved on.
    guard isStill else {
      let name = Excerpt.text(path, limit: 60)
      return tell(personal.keys.text("\(name) was not loaded", .load, "loads a file"))
    }
    let about = size == 0 ? "" : about(beginning, byteCount: size)
    askToLoad(.load(path: path, about: about), in: catalog)
  }

  /// Loads what a person typed or pasted into the prompt: a state in JSON, or the path of one.
  mutating func load(typed text: String, _ instance: Instance) -> [DebuggerEffect] {
    if Self.isState(text) {
      let bytes = Array(text.utf8)
      guard instance.isLocked else { return put(bytes, instance, file: nil, typed: text) }
      ask(.put(bytes, about: about(text, byteCount: bytes.count), isTyped: true), instance)
      return []
    }
    guard instance.isLocked else { return load(text, instance) }
    let request = PendingMoves.Request(
      session: instance.session, title: "", answer: answer(.load, text))
    let serial = pendingMoves.add(request, at: now)
    return [.examine(instance.session, path: text, serial: serial)]
  }

  /// A file may be named `[id].json`.
  static func isState(_ text: String) -> Bool {
    (text.hasPrefix("{") || text.hasPrefix("[")) && JSON(ifValid: Array(text.utf8)) != nil
  }

  // MARK: Files that the person has named

  /// - Parameter replaces: whether to replace a file of that name; without it, the debugger asks.
  mutating func write(
    _ question: Prompt.Question, to path: String, replaces: Bool = false, of instance: Instance
  ) -> [DebuggerEffect] {
    let session = instance.session
    let request = PendingMoves.Request(session: session, title: "", answer: answer(question, path))
    let target = FileTarget(
      path, replaces: replaces, serial: pendingMoves.add(request, at: now))
    if case .save(let row) = question { return [.save(session, row, to: target)] }
    return [.export(session, to: target)]
  }

  mutating func settle(_ serial: Int, _ answer: FileAnswer, in catalog: Catalog) {
    guard let request = pendingMoves.settle(serial, isDone: true), let typed = request.answer else {
      return
    }
    let name = Excerpt.text(typed.text, limit: 60)
    switch answer {
    case .written(let text): tell(text, .done)
    case .failed(let text): reopen(request, because: text + Self.fault(ofJSON: typed))
    case .exists(let path):
      guard isStill(at: request), let instance = catalog[request.session] else {
        return tell("\(name) exists, and was not replaced: you went on meanwhile", .failed)
      }
      ask(.overwrite(typed.question, path: path), instance)
    case .readable:
      guard isStill(at: request), let instance = catalog[request.session] else {
        return tell("\(name) was not imported: you went on before it was read")
      }
      ask(.replace(path: typed.text), instance)
    }
  }

  private mutating func askToLoad(_ wish: Consent.Wish, in catalog: Catalog) {
    guard !refuses(.load, in: catalog), let app, let instance = catalog[app] else { return }
    ask(wish, instance)
  }

  private func about(_ text: String, byteCount: Int) -> String {
    "(\(byteText(byteCount))): \(Excerpt.text(String(text.prefix { !$0.isNewline }), limit: 60))"
  }

  // MARK: Editing

  mutating func edit(_ command: ViewerCommand, in catalog: Catalog) -> [DebuggerEffect] {
    guard let app, let instance = catalog[app],
      let row = views[app]?.shownRow(in: instance.timeline)
    else { return [] }
    if command == .edit { return [.edit(app, instance.timeline.rowInForce(at: row) ?? row)] }
    let source = instance.timeline.row(row)?.record.source ?? ""
    return [.openSource(source, folders: personal.sourceFolders)]
  }

  mutating func take(
    _ state: EditedState, of session: SessionID, in catalog: Catalog
  ) -> [DebuggerEffect] {
    guard let instance = catalog[session] else {
      tell("the app is no longer here; what you wrote is in \(state.path)", .failed)
      return []
    }
    switch state {
    case .changed(let bytes, let path):
      guard instance.isLocked else { return put(bytes, instance, file: path) }
      ask(.put(bytes, file: path, about: ""), instance)
    case .invalid(let reason, let path):
      ask(.edit(path: path, fault: reason), instance)
    }
    return []
  }

  /// - Parameters:
  ///   - file: the edited file, if any. It is removed once the app has taken the state.
  ///   - typed: the prompt's text, if any. The prompt opens again if the app refuses the state.
  mutating func put(
    _ bytes: [UInt8], _ instance: Instance, file: String?, typed: String? = nil
  ) -> [DebuggerEffect] {
    let request = PendingMoves.Request(
      session: instance.session,
      title: file == nil ? "loaded the state" : "loaded the edited state",
      undo: .move(instance.timeline.position), answer: typed.map { answer(.load, $0) })
    return [.put(instance.session, bytes, serial: pendingMoves.add(request, at: now), file: file)]
  }

  /// A path as terminals paste it for a dropped file: quoted, escaped or as a URI. Nil if the text
  /// cannot be a path.
  private static func path(_ text: String) -> String? {
    guard !text.isEmpty, text.utf8.count < 4_096, !text.contains(where: \.isNewline) else {
      return nil
    }
    if text.hasPrefix("file://") {
      return text.dropFirst("file://".count).drop { $0 != "/" }.removingPercents
    }
    for quote in ["'", "\""] where text.count > 1 && text.hasPrefix(quote) && text.hasSuffix(quote)
    {
      return String(text.dropFirst().dropLast())
    }
    return text.replacing(#/\\(.)/#) { $0.1 }
  }
}

extension Substring {
  /// Decodes RFC 3986 §2.1 escapes and keeps everything else. Nil if they are not UTF-8.
  fileprivate var removingPercents: String? {
    var isText = true
    let escapes = #/(%[0-9A-Fa-f]{2})+/#.matchingSemantics(.unicodeScalar)
    let text = replacing(escapes) { match in
      let octets = match.0.split(separator: "%").compactMap { UInt8($0, radix: 16) }
      let text = String(validating: octets, as: UTF8.self)
      isText = isText && text != nil
      return text ?? ""
    }
    return isText ? String(text) : nil
  }
}
