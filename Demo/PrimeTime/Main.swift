import DemoSupport
import Dispatch
import Foundation
import StateSurf
import SurfStore

@main
enum Main {
  static let help = """
    PrimeTime: a counter with favourite primes, which a viewer can surf.

    Usage: PrimeTime [--auto [SECONDS]]

      --auto [SECONDS]   play by itself, a key every SECONDS (1), until interrupted
      --help             this text

    Type keys, then Enter:
      +  count up              f    make the count a favourite
      -  count down            d N  remove the favourite N
      p  is the count prime?   n    which prime is number count?
      q  quit
    """

  static func main() {
    let arguments: Arguments
    do {
      arguments = try Arguments(Array(CommandLine.arguments.dropFirst()), defaults: ["--auto": 1])
    } catch {
      Terminal.misused("PrimeTime", error.message)
    }
    if arguments.isHelpWanted { return Terminal.say(help) }
    run(auto: arguments.seconds["--auto"])
  }

  private static func run(auto seconds: Double?) {
    let history = HistoryTransceiver<App>(name: "PrimeTime")
    history.resume()
    let signals = Signals { history.suspend() }
    // After a restore too, so that the user sees the state come back.
    let subscription = history.store.subscribe { Terminal.say($0.line) }
    if let seconds {
      play(every: seconds, to: history)
    } else {
      Terminal.forEachLine(prompt: "+ - p f d n q > ") { obey($0, with: history) }
    }
    waitForEffects(in: history.store)
    subscription.cancel()
    history.suspend()
    withExtendedLifetime(signals) {}
  }

  /// A last question gets its answer before we leave, unless that takes too long.
  private static func waitForEffects(in store: Store<App.Action, App.State>) {
    let isAnswered = DispatchSemaphore(value: 0)
    let subscription = store.subscribe { if $0.pending == nil { isAnswered.signal() } }
    _ = isAnswered.wait(timeout: .now() + 1)
    subscription.cancel()
  }

  private static func play(every seconds: Double, to history: HistoryTransceiver<App>) {
    while true {
      for keys in Keys.script {
        Thread.sleep(forTimeInterval: seconds)
        guard obey(keys, with: history) else { return }
      }
    }
  }

  /// False if it is time to leave.
  private static func obey(_ line: String, with history: HistoryTransceiver<App>) -> Bool {
    for wish in Keys.wishes(in: line) {
      switch wish {
      case .action(let action): history.store.dispatch(action)
      case .unknown(let message): Terminal.say(message)
      case .quit: return false
      }
    }
    return true
  }
}

extension App.State {
  /// The state for a person.
  fileprivate var line: String {
    let primes = favourites.map(String.init).joined(separator: ", ")
    let parts = [
      "count \(count)", primes.isEmpty ? "no favourites" : "favourites \(primes)",
      pending.map { "looking for prime number \($0)" } ?? Terminal.printable(answer),
    ]
    return parts.filter { !$0.isEmpty }.joined(separator: "   ")
  }
}
