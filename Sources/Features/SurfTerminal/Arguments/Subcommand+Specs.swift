// What shows, visits and keeps.
extension Subcommand.Spec {
  private static let see = "See"
  private static let ask = "Ask"
  private static let visit = "Surf"
  private static let keep = "Keep"
  private static let mend = "Mend"
  private static let help = "Learn"

  private static let wholeFile = [
    "An existing file is replaced whole or not at all; it keeps its mode, and if possible its",
    "owner. The command follows links, and writes to devices and FIFOs.",
  ]

  private static let pathNotes = [
    "A path is written as `diff` prints it: todos[3].title, [\"a b\"], [0]. What is no row and",
    "comes last is a path.",
  ]

  static let list = Self(
    group: see, summary: "List the live instances", options: [.json, .wait, .observe],
    examples: [
      ("list", "everything that is live on loopback"),
      ("list --interface eth0 --wait 3", "search the LAN, for longer"),
      ("list --realm '*' --json", "the apps of all realms, for a script"),
    ])
  static let surf = Self(
    group: see, summary: "Browse the history of an app, and put it where you look",
    positionals: ["[instance]"],
    options: [.instance, .newestFirst, .ambiguousWide, .connectAtLaunch, .sources, .observe],
    examples: [
      ("surf", "the first live instance; } shows the next"),
      ("surf PrimeTime", "that one, as soon as it is live"),
      ("surf --interface eth0", "apps on the LAN"),
    ],
    notes: [
      "Takes the whole terminal. Looking moves no app; s does, and u undoes that. ? shows all",
      "keys, finds commands by words, and runs them; q quits. On a terminal, statesurf without a",
      "subcommand does the same.",
    ])
  static let watch = Self(
    group: see, summary: "Show actions as they happen", positionals: ["[instance]"],
    options: [
      .instance, .since, .last, .filter, .json, .states, .payloads, .duration, .untilRecords,
      .observe,
    ],
    examples: [
      ("watch", "all instances, from now on"),
      ("watch PrimeTime --since 1", "one, with all that is available of its past"),
      ("watch --json --until-records 10", "ten records for a script"),
      ("watch --json --payloads | jq .payload", "what comes with the actions"),
      ("watch --where 'user.name changed'", "only who writes the user's name"),
    ],
    notes: [
      "On a terminal, q or Ctrl-C ends it.",
      "--where hides no lost rows and no restores, and --until-records counts what is shown then.",
      "`statesurf help query` explains queries.",
    ] + ViewerCount.notes)
  static let logs = Self(
    group: see, summary: "Show the lines of the apps' logs, the oldest first",
    positionals: ["[instance]"], options: [.instance, .level, .grep, .json, .follow],
    examples: [
      ("logs", "all instances, all that is available"),
      ("logs Todo --level warning --grep milk", "one, what is wrong with milk"),
      ("logs --follow --json | jq .message", "from the past into the future"),
    ],
    notes: [
      "Exits with 0 if there was a line, and with 1 if there was none. A text without capitals is",
      "found in any case. Lines that the app no longer has are told as lost.",
    ])
  static let values = Self(
    group: see, summary: "Show the values that apps have besides their states",
    positionals: ["[instance]", "[path]"], options: [.instance, .depth, .json, .follow],
    examples: [
      ("values --follow", "all live values of all instances, and each that changes"),
      ("values Kitchen recipe.foods[0] --depth 3", "a part of one, opened further"),
      ("values Kitchen --json | jq .recipe", "one object, each value by its name"),
    ],
    notes: [
      "Exits with 0 if there was a value, and with 1 if there was none. A path begins with a",
      "value's name; the name of a scope shows all of its values.",
    ])
  static let show = Self(
    group: see, summary: "Show the state after a row, or the newest",
    positionals: ["[row]", "[path]"], options: [.instance, .raw, .json, .payload, .observe],
    examples: [
      ("show", "the newest state"), ("show 12 --payload", "what came with action 12"),
      ("show tip~1 --raw | jq .count", "the bytes of the state before the newest"),
      ("show todos[0].title", "a place in the newest state"),
    ], notes: pathNotes)
  static let diff = Self(
    group: see, summary: "Show the changes between two rows, or up to the newest",
    positionals: ["[row]", "[row]", "[path]"],
    options: [.instance, .with, .json, .patch, .observe],
    examples: [
      ("diff", "what the newest row changed in the state that it grew from"),
      ("diff 3 12 todos", "what changed in todos between rows 3 and 12"),
      ("diff 0 3", "from the initial state, which the app sends"),
      ("diff -i Todo#11 --with Todo#12", "from one app's newest state to another's"),
      ("diff 3 12 --patch", "for a program that applies patches"),
    ], notes: pathNotes)
  static let find = Self(
    group: ask, summary: "Show the rows of which a query is true", positionals: ["query"],
    options: [.instance, .firstRow, .lastRow, .count, .shown, .json],
    examples: [
      ("find becomes count over 10 --first", "when count first passed 10"),
      ("find user.name changed --last --show user", "who wrote the user's name last"),
      ("find kind:action not changed --count", "how many actions changed nothing"),
    ],
    notes: [
      "Exits with 0 if there was such a row, and with 1 if there was none.",
      "`statesurf help query` explains the language.",
    ])
  static let trace = Self(
    group: ask, summary: "Show every write of a place in the state", positionals: ["path"],
    options: [.instance, .json],
    examples: [
      ("trace user.name", "each row that wrote it: old → new, name, source"),
      ("trace todos[id:7] --json", "for a script"),
    ],
    notes: [
      "Exits with 0 if there was a write, and with 1 if there was none. A `?` behind the row says",
      "that rows before it are missing, which may have written this.",
    ])
  static let wait = Self(
    group: ask, summary: "Wait until a query is true of a row", positionals: ["query"],
    options: [.instance, .duration, .sequel, .json],
    examples: [
      ("wait becomes route is /checkout --for 30", "half a minute, for a script"),
      ("wait count over 10 --then pause", "and then stop recording"),
      ("wait user missing --then back --json", "and undo it"),
      ("wait name:done --then -- ./notify done", "and start a program"),
    ],
    notes: [
      "Prints the row, and the old and new values at the query's places. What is asked of states",
      "alone may be true at once; a query with fields or texts is about rows to come.",
      "A program behind `--then --` goes on in its place, and finds STATESURF_INSTANCE and",
      "STATESURF_ROW in its environment.",
      "Exits with 0 once it is true, 1 if the app goes before, 2 if the time is over, and with 126",
      "or 127 if the program cannot be started.",
    ])
  static let report = Self(
    group: ask, summary: "Count what each action did, and show odd sequences",
    positionals: ["[instance]"], options: [.instance, .json],
    examples: [
      ("report PrimeTime", "what changes nothing, or comes again"),
      ("report --json | jq 'select(.unchanged > 0)'", "for a script"),
    ],
    notes: [
      "Counts the actions of each name, without the values in it: how many are known to have",
      "changed nothing; errors in the log that they caused, or that came before the next action;",
      "octets by which the states grew, and of the payloads; and after the row before, in the",
      "median. IN A ROW are actions that came again with the same payload, and two actions in turn",
      "(⇄) whose states return. A terminal shows the first 30 names and 10 sequences.",
      "It looks at the newest 100,000 rows at most, and exits with 0 if there was an action, and",
      "with 1 if there was none.",
    ])
  static let back = Self(
    group: visit, summary: "Put the app into the state before the one it is in",
    positionals: ["[count]"],
    examples: [
      ("back", "one step, if one instance is live"), ("back 3", "three, or as many as there are"),
      ("back -i PrimeTime#123", "in that instance"),
    ])
  static let forward = Self(
    group: visit, summary: "Put the app into the state after the one it is in",
    positionals: ["[count]"],
    examples: [
      ("forward", "one step, if one instance is live"),
      ("forward 3", "three, or as many as there are"), ("forward -i cafe", "by the id's digits"),
    ])
  static let jump = Self(
    group: visit, summary: "Put the app into the state of a row", positionals: ["row"],
    examples: [
      ("jump 12", "the state after row 12"), ("jump initial", "the state at its start"),
      ("jump tip", "the newest state again"),
    ])
  static let reset = Self(
    group: visit, summary: "Put the app into its initial state",
    examples: [("reset", "the same as `jump 0`"), ("reset -i Todo", "in that app")])
  static let save = Self(
    group: keep, summary: "Write the state of a row, or the newest, to a file",
    positionals: ["[row]", "file|-"], options: [.instance, .observe],
    examples: [
      ("save good.json", "the newest state, byte for byte"),
      ("save 12 - | jq .", "to standard output"),
    ], notes: wholeFile)
  static let load = Self(
    group: keep, summary: "Put the app into the state in a file", positionals: ["file|-"],
    examples: [
      ("load good.json", "a saved state"),
      ("save 3 - -i A | statesurf load - -i B", "from one app into another"),
    ])
  static let export = Self(
    group: keep, summary: "Write the history to a file that Redux DevTools imports",
    positionals: ["file|-"],
    examples: [
      ("export session.json", "actions, states, and what is left out"),
      ("export - | jq .actionsById", "to standard output"),
    ], notes: wholeFile)
  static let replace = Self(
    group: keep, summary: "Replace the history with that of a Redux DevTools file",
    positionals: ["file|-"],
    examples: [
      ("import session.json", "from `export` or from the panel"),
      ("export - -i A | statesurf import - -i B", "from one app into another"),
    ])
  static let gateway = Self(
    group: "Share", summary: "Show every app in Redux DevTools, and obey its buttons",
    options: [
      .listen, .connect, .auto, .browse, .serviceType, .inspector, .history, .allowHost,
      .allowOrigin, .tokenFile, .relayToken, .noToken, .expose, .json, .observe,
    ],
    examples: [
      ("gateway", "panels connect to 127.0.0.1:8000"),
      ("gateway --listen [::1]:9000 --inspector 9001", "elsewhere, and RemoteInspector"),
      ("gateway --connect ws://127.0.0.1:8000", "through a running relay; or socketio://"),
    ],
    notes: [
      "",
      "On loopback any panel may connect. At any other address a client needs the token that the",
      "gateway prints when it starts: ?token=TOKEN behind the address, the WebSocket subprotocol",
      "statesurf.token.TOKEN, or the header Authorization: Bearer TOKEN.",
      "",
      "With --inspector, apps that send RemoteInspector's `update` and `log` to that port (or to",
      "HOST:PORT) are listed like any other app. Front ends that send `subscribe` get the last",
      "value of every id, and then all messages: those of these apps as they are, and of every",
      "other app its values as id APP/NAME, or, while it has none, its state as id APP.",
    ])
  static let doctor = Self(
    group: mend, summary: "Check this machine and the apps, and suggest fixes",
    options: [.json, .observe],
    examples: [
      ("doctor", "loopback"), ("doctor --interface eth0", "the LAN"),
      ("doctor --json", "with counts of what each app gave up"),
    ], notes: ViewerCount.notes)
  static let key = Self(
    group: mend,
    summary: "Make a key that seals what apps and viewers say, or show which there are",
    positionals: ["[new|watch|list]", "[file|-]"], options: [.json],
    examples: [
      ("key new", "a key file, which apps and commands find by themselves"),
      ("key watch", "a key to look on with, for somebody who must not drive"),
      ("key list", "the fingerprints of the keys, and what each is for"),
    ],
    notes: [
      "The file is the one that STATESURF_KEY_FILE names, or $XDG_CONFIG_HOME/statesurf/key, or",
      "~/.config/statesurf/key; `none` in STATESURF_KEY_FILE seals nothing. Copy it to all",
      "machines of a group: whoever lacks it can neither read nor move what has it. A line is a",
      "key; the first one seals, and all open. `key new -` prints another one, for a change of",
      "keys. Where a file has faults, nothing is sent, and the exit code is 1.",
    ], isLocal: true)
  static let settings = Self(
    group: help, summary: "Show the defaults of options, and where each comes from",
    options: [.json],
    examples: [("settings", "for people"), ("settings --json", "for a script")],
    notes: [
      "The file is $XDG_CONFIG_HOME/statesurf/settings, or ~/.config/statesurf/settings. A line is",
      "NAME = VALUE, with the names of options; lines that begin with # are comments. The command",
      "line counts before the environment, and the environment before the file.",
    ], isLocal: true)
  static let completions = Self(
    group: help, summary: "Print a script that completes command lines in a shell",
    positionals: ["shell"], options: [],
    examples: [
      ("completions bash", "bash reads it with: source <(statesurf completions bash)"),
      ("completions zsh", "a file _statesurf, in a folder of the fpath"),
      ("completions fish", "a file statesurf.fish, in ~/.config/fish/completions"),
    ], notes: ["The shell is bash, zsh or fish. `Demo/install` puts all three in their places."],
    isLocal: true)
  static let manual = Self(
    group: help, summary: "Print the manual page, for man", options: [],
    examples: [
      ("manual | man -l -", "read it"), ("manual | gzip", "keep it, as packages do"),
    ], isLocal: true)
}
