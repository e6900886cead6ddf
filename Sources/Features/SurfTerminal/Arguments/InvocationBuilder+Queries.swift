import SurfQuery

// The commands that ask a history.
extension InvocationBuilder {
  func findOptions() throws(Failure) -> FindOptions {
    var find = FindOptions(try QueryWords.query(positionals))
    let picks: [(OptionName, FindOptions.Picks)] = [
      (.firstRow, .first), (.lastRow, .last), (.count, .count),
    ]
    let wanted = picks.filter { has($0.0) }
    if wanted.count > 1 {
      throw misuse("'--\(wanted[0].0.word)' and '--\(wanted[1].0.word)' exclude each other")
    }
    if let pick = wanted.first { find.picks = pick.1 }
    if case .text(let paths) = options[.shown] {
      for path in paths.split(separator: ",") {
        find.shown.append(try QueryWords.place(String(path)))
      }
    }
    find.json = has(.json)
    return find
  }

  func waitOptions() throws(Failure) -> WaitOptions {
    var wait = WaitOptions(try QueryWords.query(positionals))
    wait.patience = duration(.duration)
    wait.sequel = try sequel()
    wait.json = has(.json)
    return wait
  }

  private func sequel() throws(Failure) -> WaitOptions.Sequel? {
    switch options[.sequel] {
    case .texts(let words):
      guard !words.isEmpty else { throw misuse("'--then --' needs a program") }
      return .program(words)
    case .text(let text):
      guard let task = WaitOptions.Task(text) else {
        throw misuse(
          "'--then' must be back, pause, lock, 'save FILE' or '-- PROGRAM', not '\(text)'")
      }
      return .task(task)
    default: return nil
    }
  }

  func traceOptions() throws(Failure) -> TraceOptions {
    var trace = TraceOptions(try QueryWords.place(positionals[0]))
    trace.json = has(.json)
    return trace
  }
}
