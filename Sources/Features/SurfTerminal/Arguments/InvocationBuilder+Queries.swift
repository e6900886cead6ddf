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
    if case .text(let text) = options[.sequel] {
      guard let sequel = WaitOptions.Sequel(text) else {
        throw misuse("'--then' must be back, pause, lock or 'save FILE', not '\(text)'")
      }
      wait.sequel = sequel
    }
    wait.json = has(.json)
    return wait
  }

  func traceOptions() throws(Failure) -> TraceOptions {
    var trace = TraceOptions(try QueryWords.place(positionals[0]))
    trace.json = has(.json)
    return trace
  }
}
