import JSONTools
import JSONTree
import SurfBasics
import SurfQuery
import SurfTimeline
import SurfViewer
import SurfWire
import TerminalScreen

/// A subcommand of `statesurf`, for what a person types into the palette.
package struct ShellSubcommand: Equatable, Sendable {
  package let name: String
  package let summary: String
  /// Whether it takes `-i`, and the options of the network.
  package let takesInstance: Bool
  package let takesReach: Bool

  package init(_ name: String, _ summary: String, takesInstance: Bool, takesReach: Bool) {
    self.name = name
    self.summary = summary
    self.takesInstance = takesInstance
    self.takesReach = takesReach
  }
}

/// The `statesurf` command that shows in a shell what the person is looking at.
struct ShellCommand {
  /// Quoted for `sh`.
  let text: String

  init(
    _ model: Debugger, _ view: AppView, _ instance: Instance, in catalog: Catalog
  ) throws(Debugger.Refusal) {
    try Self.check(instance)
    let words = try Self.words(model, view, instance, in: catalog)
    text = (["statesurf"] + words + model.setting.reach).map(shellWord).joined(separator: " ")
  }

  /// The beginning of a subcommand, for the app on screen if that is live.
  init(_ subcommand: ShellSubcommand, _ model: Debugger, in catalog: Catalog) {
    let instance = subcommand.takesInstance ? model.app.flatMap { catalog[$0] } : nil
    self.init(
      subcommand.name, instance?.status == .live ? instance : nil,
      subcommand.takesReach ? model.setting.reach : [], in: catalog)
  }

  init(_ name: String, _ instance: Instance?, _ reach: [String], in catalog: Catalog) {
    let app = instance.map { ["-i", Self.name(of: $0, in: catalog)] } ?? []
    text = (["statesurf", name] + app + reach).map(shellWord).joined(separator: " ")
  }

  private static func words(
    _ model: Debugger, _ view: AppView, _ instance: Instance, in catalog: Catalog
  ) throws(Debugger.Refusal) -> [String] {
    let app = ["-i", name(of: instance, in: catalog)]
    if model.page == .values { return ["values"] + app }
    guard let row = view.row(in: instance.timeline) else {
      throw Debugger.Refusal(CommandNeed.row.whyNot)
    }
    let place = model.pane == .detail ? view.detail.place(in: model.tab) : nil
    let path = place.flatMap { $0.elements.isEmpty ? nil : [word(for: $0)] } ?? []
    switch model.tab {
    case .state, .facts: return ["show", "\(row)"] + path + app
    case .action: return ["show", "\(row)", "--payload"] + app
    case .changes: break
    }
    if let foreign = model.foreignRow(view.comparison, in: catalog) {
      guard let other = catalog[foreign.session], let base = foreign.row?.number else {
        throw Debugger.Refusal("there is no state to compare with")
      }
      try check(other)
      let apps = ["-i", name(of: other, in: catalog), "--with", name(of: instance, in: catalog)]
      return ["diff", "\(base)", "\(row)"] + path + apps
    }
    guard let base = view.compared(with: row, in: instance.timeline)?.row else {
      throw Debugger.Refusal("there is no state to compare with")
    }
    return ["diff", "\(base)", "\(row)"] + path + app
  }

  /// A viewer started in a shell sees only live apps. Instead of this one, it would find a later
  /// run with the same id.
  private static func check(_ instance: Instance) throws(Debugger.Refusal) {
    guard instance.status == .live else {
      throw Debugger.Refusal("\(instance.label) is gone: no command in a shell would find it")
    }
  }

  /// A name that finds this app only, or else its id. A name with characters other than printable
  /// ASCII could attack the shell into which it is pasted, so it is not used.
  private static func name(of instance: Instance, in catalog: Catalog) -> String {
    let names = [instance.label, "\(instance.label)@\(instance.host)"]
    let name = names.first { name in
      guard name.unicodeScalars.allSatisfy({ (" "..."~").contains($0) }),
        case .one(let found) = catalog.find(name)
      else { return false }
      return found.session == instance.session
    }
    return name ?? instance.id.description
  }

  /// A path that no terminal mistakes for a control sequence.
  private static func word(for path: JSONPath) -> String {
    "\(path)".unicodeScalars.map { scalar in
      isPlain(scalar)
        ? String(scalar)
        : String(scalar).utf16.map { "\\u" + $0.digits(4, radix: 16) }.joined()
    }.joined()
  }

  /// Other scalars occur only in quoted keys, where they can be escaped.
  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .otherLetter, .decimalNumber: true
    default: (" "..."~").contains(scalar)
    }
  }
}

extension Debugger {
  /// Searches for the rows that wrote the place under the cursor, and goes to the last one up to
  /// the row that is shown.
  mutating func findWriters(in catalog: Catalog) {
    guard let app, let instance = catalog[app], let view = views[app],
      let path = view.detail.place(in: tab)
    else { return }
    let query = Query.test(QueryTest(QueryPlace(path), .changed(from: nil, to: nil)))
    do throws(QueryError) {
      views[app]?.find = try RowSearch(
        "\(query)", in: instance.timeline, secondsFromGMT: setting.secondsFromGMT)
      answers.add("\(query)", to: .query)
      // Now `n` is for the rows.
      views[app]?.detail.search = nil
      let row = view.detail.shown?.row ?? view.selection.place.number
      hunt(.writer, from: row.next, instance)
    } catch {
      tell("no query finds this place: \(error)", .failed)
    }
  }
}
