import DemoSupport
import StateSurf

@main
enum Main {
  static let help = """
    Todo: a list of things to do, which a viewer can surf.

    Usage: Todo [--help]

    Reads commands, from a person or from a pipe:
      add TEXT        put something on the list     clear      remove what is done
      done N          mark it as done               filter F   show open, done or all
      undone N        mark it as open               list       show the list
      edit N TEXT     change its text               help       show this text
      remove N        remove it                     quit       leave
    """

  static func main() {
    let arguments: Arguments
    do {
      arguments = try Arguments(Array(CommandLine.arguments.dropFirst()))
    } catch {
      Terminal.misused("Todo", error.message)
    }
    if arguments.isHelpWanted { return Terminal.say(help) }
    run()
  }

  private static func run() {
    let history = HistoryTransceiver<App>(name: "Todo")
    history.resume()
    let signals = Signals { history.suspend() }
    // A person sees every change, even one that a viewer made; a pipe sees what it asks for.
    let subscription =
      Terminal.isInteractive ? history.store.subscribe { Terminal.say("\n" + $0.text) } : nil
    Terminal.forEachLine(prompt: "todo> ") { line in
      do throws(Command.Misuse) {
        return obey(try Command(line), with: history)
      } catch {
        Terminal.say(error.message)
        history.transceiver.log(error.message, level: .warning, attributes: ["line": line])
        return true
      }
    }
    subscription?.cancel()
    history.suspend()
    withExtendedLifetime(signals) {}
  }

  /// False if it is time to leave.
  private static func obey(_ command: Command, with history: HistoryTransceiver<App>) -> Bool {
    switch command {
    case .action(let action): history.store.dispatch(action)
    case .list: Terminal.say(history.store.state.text)
    case .help: Terminal.say(help)
    case .nothing: break
    case .quit: return false
    }
    return true
  }
}

extension App.State {
  /// The list for a person.
  fileprivate var text: String {
    if shown.isEmpty {
      return todos.isEmpty ? "nothing to do" : "nothing that is \(filter.rawValue)"
    }
    return shown.map { "\($0.id). [\($0.isDone ? "x" : " ")] \(Terminal.printable($0.title))" }
      .joined(separator: "\n")
  }
}
