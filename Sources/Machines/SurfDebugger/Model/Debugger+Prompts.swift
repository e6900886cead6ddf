import JSONTools
import JSONTree
import SurfQuery
import SurfTimeline
import SurfViewer
import SurfWire

// Prompts: the line above the footer, where a person types.
extension Debugger {
  /// - Parameters:
  ///   - proposal: the answer if nothing is typed.
  ///   - remark: why an earlier answer was not taken.
  mutating func ask(
    _ question: Prompt.Question, _ text: String = "", proposal: String = "", remark: String? = nil
  ) {
    // Nothing said before is news when the prompt closes.
    notices = []
    let view = app.flatMap { views[$0] } ?? AppView()
    var prompt = Prompt(question, text, proposal: proposal, history: answers, before: view)
    prompt.remark = remark
    overlay = .prompt(prompt)
  }

  /// Asks for an action, and shows those that Tab knows.
  mutating func askForAction(in catalog: Catalog) {
    ask(.dispatch)
    offerActions(in: catalog)
  }

  var isAskingForAction: Bool {
    if case .prompt(let prompt) = overlay { prompt.question == .dispatch } else { false }
  }

  /// Shows the actions, unless the person has begun to type or to choose.
  mutating func offerActions(in catalog: Catalog) {
    guard case .prompt(var prompt) = overlay, prompt.question == .dispatch,
      prompt.field.text.isEmpty, prompt.chosen == nil,
      let timeline = app.flatMap({ catalog[$0] })?.timeline
    else { return }
    let shapes = ActionShape.all(in: timeline)
    prompt.shapes = shapes
    prompt.offer(shapes.map(\.choice))
    overlay = .prompt(prompt)
  }

  func answer(_ question: Prompt.Question, _ text: String) -> PendingMoves.TypedAnswer {
    PendingMoves.TypedAnswer(question: question, text: text, inputCount: inputCount)
  }

  /// Says why a request has failed. Its prompt opens again for that, unless the person has gone on
  /// meanwhile: then keys would get into it that are meant for something else.
  mutating func reopen(_ request: PendingMoves.Request, because text: String) {
    guard let answer = request.answer, isStill(at: request) else { return tell(text, .failed) }
    ask(answer.question, answer.text, remark: text)
  }

  /// Why a text that looks like JSON was taken for a file's path; empty if it does not, or is JSON.
  static func fault(ofJSON answer: PendingMoves.TypedAnswer?) -> String {
    guard let answer, answer.question == .load, "{[".contains(answer.text.prefix(1)) else {
      return ""
    }
    let text = answer.text
    do throws(JSONError) {
      _ = try JSON(parsing: text)
      return ""
    } catch {
      return ", and it is not JSON: \(error)"
    }
  }

  /// Whether the person has done nothing since the request.
  func isStill(at request: PendingMoves.Request) -> Bool {
    overlay == nil && app == request.session && request.answer?.inputCount == inputCount
  }

  mutating func press(
    _ key: CommandKey, _ prompt: Prompt, in catalog: Catalog
  ) -> [DebuggerEffect] {
    var prompt = prompt
    switch key {
    case "Esc":
      overlay = prompt.question.settingsLine.map { .settings(line: $0) }
      restore(prompt)
    case "Tab" where prompt.completes: return complete(prompt, in: catalog)
    case "Tab", "Shift-Tab":
      if prompt.choose(back: key == "Shift-Tab") { chose(prompt, in: catalog) }
    case "Enter":
      guard prompt.fault == nil else { break }
      overlay = nil
      do throws(Refusal) {
        let effects = try answer(prompt, in: catalog)
        // No other prompt must offer a state as a path.
        if prompt.question != .load || !Self.isState(prompt.answer) {
          answers.add(prompt.answer, to: prompt.question.kind)
        }
        return effects
      } catch {
        prompt.remark = error.text
        prompt.offer([])
        overlay = .prompt(prompt)
      }
    case "Up", "Down": walk(prompt, back: key == "Up", in: catalog)
    default: if prompt.press(key) { edited(&prompt, in: catalog) }
    }
    return []
  }

  /// Goes through earlier answers. Down then enters the choices. Up does not lead back from there.
  private mutating func walk(_ prompt: Prompt, back: Bool, in catalog: Catalog) {
    var prompt = prompt
    if prompt.chosen == nil, prompt.turn(back: back) {
      edited(&prompt, in: catalog)
    } else if prompt.chosen != nil || !back, prompt.choose(back: back) {
      chose(prompt, in: catalog)
    }
  }

  /// The choices stay, so that a person can go on to the next.
  private mutating func chose(_ prompt: Prompt, in catalog: Catalog) {
    var prompt = prompt
    follow(&prompt, in: catalog)
    overlay = .prompt(prompt)
  }

  /// The prompt's text is another now.
  mutating func edited(_ prompt: inout Prompt, in catalog: Catalog) {
    prompt.remark = nil
    prompt.offer(prompt.question == .dispatch ? actions(&prompt, in: catalog) : [], narrowed: true)
    follow(&prompt, in: catalog)
    overlay = .prompt(prompt)
  }

  /// The actions whose name begins as typed; none once it is whole.
  private func actions(_ prompt: inout Prompt, in catalog: Catalog) -> [Completion.Choice] {
    let typed = prompt.field.text
    let timeline = app.flatMap { catalog[$0] }?.timeline
    let shapes = prompt.shapes ?? timeline.map(ActionShape.all) ?? []
    prompt.shapes = shapes
    return shapes.map(\.choice).filter { $0.text.hasPrefix(typed) && $0.text != typed }
  }

  // MARK: Completing

  private mutating func complete(_ prompt: Prompt, in catalog: Catalog) -> [DebuggerEffect] {
    let typed = prompt.field.text
    // A person who loads a state may want to see the files.
    if typed.isEmpty, !prompt.proposal.isEmpty, prompt.question != .load {
      take(Completion(of: "", among: [prompt.proposal]), in: prompt, catalog)
      return []
    }
    if prompt.question.isFile { return [.complete(typed)] }
    guard let timeline = app.flatMap({ catalog[$0] })?.timeline else { return [] }
    switch prompt.question {
    case .dispatch:
      let shapes = ActionShape.all(in: timeline)
      take(Completion(ofAction: typed, among: shapes), in: prompt, catalog)
    case .find, .filter:
      var names: Set<String> = []
      let found = ActionShape.all(in: timeline).map(\.name).filter { names.insert($0).inserted }
      let state = newestState(in: timeline)
      take(Completion(ofQuery: typed, state: state, names: found), in: prompt, catalog)
    case .goTo:
      take(Completion(of: typed, among: ["app", "initial", "tip"]), in: prompt, catalog)
    case .findIn, .save, .load, .exportHistory, .importHistory, .values, .setting, .note: break
    }
    return []
  }

  /// Octets that take some milliseconds to parse.
  private static let sizeMaxAtOnce = 1 << 20

  /// The newest state, or if that is large the one on screen.
  private func newestState(in timeline: Timeline) -> JSON? {
    timeline.newestJSON(upTo: Self.sizeMaxAtOnce)
      ?? app.flatMap { views[$0]?.detail.state?.value(at: JSONPath()) }
  }

  private mutating func take(
    _ completion: Completion, in prompt: Prompt, _ catalog: Catalog
  ) {
    var prompt = prompt
    prompt.remark = nil
    prompt.take(completion)
    follow(&prompt, in: catalog)
    overlay = .prompt(prompt)
  }

  mutating func take(names: [String], of typed: String, in catalog: Catalog) {
    guard case .prompt(let prompt) = overlay, prompt.question.isFile, prompt.field.text == typed
    else { return }
    take(Completion(ofPath: typed, among: names), in: prompt, catalog)
  }

  // MARK: Searching while typing

  /// Updates the search or filter on each keystroke. While the text is not a valid query, the last
  /// valid one stays.
  private mutating func follow(_ prompt: inout Prompt, in catalog: Catalog) {
    if prompt.question == .values, let app { views[app]?.values.filter = prompt.field.text }
    if case .findIn(let tab) = prompt.question, let app {
      let before = prompt.before.detail.outline(in: tab)
      let origin = before.flatMap { outline in outline.cursor.map(outline.order) } ?? .start
      views[app]?.detail.find(prompt.field.text, in: tab, from: origin)
    }
    guard let app, let timeline = catalog[app]?.timeline else { return }
    if prompt.question == .dispatch {
      prompt.example = ActionShape.example(of: prompt.field.text, among: prompt.shapes ?? [])
    }
    guard prompt.question.isSearch else { return }
    prompt.fault = nil
    do throws(QueryError) {
      show(try filter(prompt.field.text, timeline), of: prompt, app)
    } catch {
      if error.fault == .empty { show(nil, of: prompt, app) } else { prompt.fault = error }
    }
  }

  /// Keeps a running search if the query is the same.
  private mutating func show(_ search: RowSearch?, of prompt: Prompt, _ app: SessionID) {
    let shown = prompt.question == .find ? views[app]?.find : views[app]?.filter
    guard search?.query != shown?.query else { return }
    if prompt.question == .find {
      views[app]?.find = search
    } else {
      views[app]?.filter = search
    }
    views[app]?.selection = prompt.before.selection
  }

  private mutating func restore(_ prompt: Prompt) {
    if prompt.question == .values, let app {
      views[app]?.values.filter = prompt.before.values.filter
    }
    if case .findIn = prompt.question, let app {
      let detail = prompt.before.detail
      // Another row may be there by now.
      if views[app]?.detail.edition == detail.edition { views[app]?.detail = detail }
      views[app]?.detail.search = detail.search
    }
    guard let app, prompt.question.isSearch else { return }
    views[app]?.find = prompt.before.find
    views[app]?.filter = prompt.before.filter
    views[app]?.selection = prompt.before.selection
  }

  // MARK: Answering

  private mutating func answer(
    _ prompt: Prompt, in catalog: Catalog
  ) throws(Refusal) -> [DebuggerEffect] {
    let text = prompt.answer
    if case .setting(let name, let line) = prompt.question {
      overlay = .settings(line: line)
      // An empty text removes the line from the file, even if the line's value is empty.
      let isSame = personal.lines.contains {
        $0.name == name && $0.value == text && !(text.isEmpty && $0.origin.hasPrefix("line"))
      }
      return isSame ? [] : [.set(name, text)]
    }
    guard let app, let instance = catalog[app] else { throw Refusal(whyNoApp) }
    let met = met(in: catalog)
    if let command = prompt.question.command, let refusal = refusal(of: command, met: met) {
      throw Refusal(refusal)
    }
    switch prompt.question {
    case .goTo: try goTo(text, in: instance)
    case .note(let row): views[app]?.marks.set(row, note: text)
    case .find: views[app]?.jumps.leave(prompt.before.selection.place)
    case .findIn, .filter, .values, .setting: break
    case .save, .load, .dispatch, .exportHistory, .importHistory:
      if !text.isEmpty { return try send(text, as: prompt.question, to: instance) }
    }
    return []
  }

  private mutating func send(
    _ text: String, as question: Prompt.Question, to instance: Instance
  ) throws(Refusal) -> [DebuggerEffect] {
    switch question {
    case .save, .exportHistory: return write(question, to: text, of: instance)
    case .load: return load(typed: text, instance)
    case .importHistory:
      let request = PendingMoves.Request(
        session: instance.session, title: "", answer: answer(question, text))
      return [.check(instance.session, path: text, serial: pendingMoves.add(request, at: now))]
    default: return try dispatch(text, instance)
    }
  }
}
