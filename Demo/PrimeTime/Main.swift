import DemoSupport
import Dispatch
import Foundation
import StateSurf
import StateSurfDebugger
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
      v  view its history      q    quit

    With --auto, SIGUSR2 views its history.
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
    let debugger = AppDebugger(history.transceiver)
    let signals = Signals { history.suspend() }
    // After a restore too, so that the user sees the state come back.
    let subscription = history.store.subscribe { Terminal.say($0.line) }
    if let seconds {
      // Only if none of our threads reads the terminal.
      say {
        try debugger.opens(on: SIGUSR2)
      }
      play(every: seconds, to: history, debugger)
    } else {
      Terminal.forEachLine(prompt: "+ - p f d n v q > ") { obey($0, with: history, debugger) }
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

  private static func say(_ body: () throws -> Void) {
    do { try body() } catch { Terminal.say("PrimeTime: \(error)") }
  }

  private static func play(
    every seconds: Double, to history: HistoryTransceiver<App>, _ debugger: AppDebugger
  ) {
    while true {
      for keys in Keys.script {
        Thread.sleep(forTimeInterval: seconds)
        guard obey(keys, with: history, debugger) else { return }
      }
    }
  }

  /// False if it is time to leave.
  private static func obey(
    _ line: String, with history: HistoryTransceiver<App>, _ debugger: AppDebugger
  ) -> Bool {
    for wish in Keys.wishes(in: line) {
      switch wish {
      case .action(let action): history.store.dispatch(action)
      case .unknown(let message): Terminal.say(message)
      case .debugger: say { try debugger.run() }
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
