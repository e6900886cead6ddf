import JSONTools
import SurfTimeline
import SurfViewer
import SurfWire

/// The subcommand that shows in a shell what a person looks at.
struct ShellCommand {
  let text: String

  init(_ model: Debugger, _ view: AppView, _ instance: Instance, row: SequenceNumber) {
    let place = model.pane == .detail ? view.detail.place(in: model.tab) : nil
    let path = place.flatMap { $0.elements.isEmpty ? nil : "\($0)" }
    var words: [String]
    switch model.tab {
    case .changes:
      let base = view.compared(with: row, in: instance.timeline)
      words = ["diff", "\(base ?? 0)", "\(row)"]
    case .state, .facts: words = ["show", "\(row)"]
    case .action: words = ["show", "\(row)", "--payload"]
    }
    if let path, model.tab != .action { words.append(path) }
    words += ["-i", Self.name(of: instance)]
    if model.setting.interface != "lo" { words += ["--interface", model.setting.interface] }
    text = "statesurf " + words.map(Self.quoted).joined(separator: " ")
  }

  /// A stranger's name may drive a shell into which it is pasted: then the id stands for it.
  private static func name(of instance: Instance) -> String {
    let isPlain = instance.label.unicodeScalars.allSatisfy { (" "..."~").contains($0) }
    return isPlain ? instance.label : instance.id.description
  }

  private static func quoted(_ word: String) -> String {
    let isWord = word.unicodeScalars.allSatisfy { scalar in
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", "_", "-", ".", "/", ":", "@": true
      default: false
      }
    }
    return isWord && !word.isEmpty
      ? word : "'" + word.replacing("'", with: "'\\''") + "'"
  }
}
