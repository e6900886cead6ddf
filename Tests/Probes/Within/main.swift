import Glibc
import StateSurf
import StateSurfDebugger
import SurfStore

// A program with a debugger within it. It obeys its arguments in turn. `act N` counts up N times,
// `state` prints the count, `print N` prints N octets of lines. `listen` opens at SIGUSR2; `starve`
// does so without memory for a thread. `run` and `open` open it. `again` opens a second one,
// `close` closes it, `wait` waits until it is closed. `cycle N` opens and closes it N times and
// prints what is left over. `chat` lets two threads print; `talk N` too, N lines each and for at
// least N ms, while it opens and closes. `note PATH` writes its process number. `await PATH` waits
// for a file, `crash` crashes, `exit` exits, `forever` waits for the end.
enum Counter: StateSurfable {
  struct State: StateInitializable { var count = 0 }
  enum Action: String, Codable, Sendable { case increment }
  static let reducer = Reducer<Action, State>.reduce { _, state in state.count += 1 }
}

var configuration = Transceiver.Configuration()
configuration.registersDNSSD = false
configuration.port = UInt16(20_000 + getpid() % 20_000)
let history = HistoryTransceiver<Counter>(name: "Within", configuration: configuration)
history.resume()
let debugger = AppDebugger(history.transceiver)

func tell(_ body: () throws(AppDebuggerError) -> Void) {
  do throws(AppDebuggerError) { try body() } catch { print("error: \(error)") }
}

func entries(_ path: String) -> Int {
  guard let folder = opendir(path) else { return -1 }
  defer { closedir(folder) }
  var count = 0
  while readdir(folder) != nil { count += 1 }
  return count
}

func cycle(_ count: Int) {
  tell { () throws(AppDebuggerError) in
    // The first leaves what a process has once.
    try debugger.open()
    debugger.close()
    usleep(100_000)
    let before = (entries("/proc/self/fd"), entries("/proc/self/task"))
    for _ in 0..<count {
      try debugger.open()
      debugger.close()
    }
    // A thread ends a moment after it has said so.
    var patience = 100
    while entries("/proc/self/task") > before.1, patience > 0 {
      usleep(20_000)
      patience -= 1
    }
    let after = (entries("/proc/self/fd"), entries("/proc/self/task"))
    print("cycled \(before == after ? "and nothing is left" : "\(before) \(after)")")
  }
}

/// Room for small things, and not for a stack.
func starve(_ body: () -> Void) {
  var (former, size) = (rlimit(), 0)
  getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &former)
  if let file = fopen("/proc/self/statm", "r") {
    var line = [CChar](repeating: 0, count: 64)
    fgets(&line, 64, file)
    fclose(file)
    size = line.withUnsafeBufferPointer { atol($0.baseAddress!) } * sysconf(Int32(_SC_PAGESIZE))
  }
  var bound = former
  bound.rlim_cur = rlim_t(size + 2 << 20)
  setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &bound)
  body()
  setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &former)
}

func chat(_ count: Int) -> [pthread_t] {
  (1...2).map { _ in
    var thread = pthread_t()
    let context = UnsafeMutableRawPointer(bitPattern: count)
    pthread_create(
      &thread, nil,
      { context in
        // By the descriptor: a stream's lock would let one thread write at a time.
        for _ in 0..<Int(bitPattern: context) {
          _ = write(STDOUT_FILENO, "tick\n", 5)
          usleep(500)
        }
        return nil
      }, context)
    return thread
  }
}

func talk(_ count: Int) {
  let threads = chat(count)
  tell { () throws(AppDebuggerError) in
    for _ in 0..<(count / 20) {
      try debugger.open()
      debugger.close()
    }
  }
  for thread in threads { pthread_join(thread, nil) }
}

func note(_ path: String) {
  guard let file = fopen(path, "w") else { return }
  fputs("\(getpid())", file)
  fclose(file)
}

func obey(_ arguments: [String]) {
  var words = arguments[...]
  func number() -> Int { words.popFirst().flatMap { Int($0) } ?? 0 }
  while let word = words.popFirst() {
    switch word {
    case "act": for _ in 0..<number() { history.store.dispatch(.increment) }
    case "state": print("count \(history.store.state.count)")
    case "print":
      let count = number() / 20
      for index in 0..<count {
        let text = String(index)
        print("line " + String(repeating: "0", count: 14 - text.utf8.count) + text)
      }
    case "listen": tell { () throws(AppDebuggerError) in try debugger.opens() }
    case "starve": starve { tell { () throws(AppDebuggerError) in try debugger.opens() } }
    case "run": tell { () throws(AppDebuggerError) in try debugger.run() }
    case "open": tell { () throws(AppDebuggerError) in try debugger.open() }
    case "again":
      tell { () throws(AppDebuggerError) in try AppDebugger(history.transceiver).open() }
    case "say": print(words.popFirst() ?? "")
    case "close": debugger.close()
    case "wait": while debugger.isOpen { usleep(10_000) }
    case "cycle": cycle(number())
    case "chat": _ = chat(.max)
    case "talk": talk(number())
    case "note": note(words.popFirst() ?? "")
    case "await":
      let path = words.popFirst() ?? ""
      while access(path, F_OK) != 0 { usleep(10_000) }
    case "crash": abort()
    case "exit": exit(3)
    default: while true { pause() }
    }
  }
}

obey(Array(CommandLine.arguments.dropFirst()))
history.suspend()
