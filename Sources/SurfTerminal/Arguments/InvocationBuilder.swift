/// Makes a command of the words and options of a command line.
struct InvocationBuilder {
  let subcommand: Subcommand
  let positionals: [String]
  let options: [OptionName: OptionValue]

  func command() throws(Failure) -> Command {
    try checkPositionals()
    switch subcommand {
    case .list: return .list(json: has(.json), wait: duration(.wait) ?? .seconds(1))
    case .watch: return .watch(try watchOptions())
    case .show: return .show(try row(0), raw: has(.raw), payload: has(.payload))
    case .diff: return .diff(try row(0), try row(1))
    case .back: return .back
    case .forward: return .forward
    case .jump: return .jump(try row(0))
    case .reset: return .reset
    case .save: return .save(try row(0), to: path(1))
    case .load: return .load(from: path(0))
    case .doctor: return .doctor(json: has(.json))
    }
  }

  private func checkPositionals() throws(Failure) {
    let wanted = subcommand.spec.positionals
    let needed = wanted.filter { !$0.hasPrefix("[") }
    if positionals.count < needed.count {
      let missing = needed[positionals.count]
      throw misuse("'\(subcommand.rawValue)' needs a \(missing)")
    }
    if positionals.count > wanted.count {
      throw misuse("'\(subcommand.rawValue)' takes no '\(positionals[wanted.count])'")
    }
    if subcommand == .watch, !positionals.isEmpty, options[.instance] != nil {
      throw misuse("the instance is given twice")
    }
  }

  private func watchOptions() throws(Failure) -> WatchOptions {
    var watch = WatchOptions()
    if has(.since), has(.last) { throw misuse("'--since' and '--last' exclude each other") }
    // Row 0 has no record: all there is begins with 1.
    if let row = number(.since) { watch.wish = .since(max(1, row)) }
    if let count = number(.last) { watch.wish = .last(count) }
    watch.json = has(.json)
    watch.duration = duration(.duration)
    watch.recordCount = number(.untilRecords)
    return watch
  }

  private func row(_ index: Int) throws(Failure) -> RowReference {
    if let row = RowReference(positionals[index]) { return row }
    throw Failure(
      "'\(positionals[index])' is no row",
      meaning: "A row is a number, initial, tip, or ~1 for the one before the tip.",
      advice: "statesurf \(subcommand.rawValue) --help", exitCode: ExitCode.misuse)
  }

  private func path(_ index: Int) -> String? {
    positionals[index] == "-" ? nil : positionals[index]
  }

  private func has(_ name: OptionName) -> Bool { options[name] != nil }

  private func number(_ name: OptionName) -> UInt64? {
    if case .number(let number) = options[name] { number } else { nil }
  }

  private func duration(_ name: OptionName) -> Duration? {
    if case .duration(let duration) = options[name] { duration } else { nil }
  }

  private func misuse(_ what: String) -> Failure {
    ArgumentParser.misuse(what, [], subcommand)
  }
}
